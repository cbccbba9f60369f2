#include "pmem/emulator/file_start.h"

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

// Of a made-up disk: half a nanosecond a byte, of one thread and of the disk.
constexpr StartTimes kStream{0.5, 0.5};

DeviceProfile disk(double latency_ns) {
  DeviceProfile profile;
  profile.kind = DeviceKind::kBlock;
  profile.latency.read_random_ns = latency_ns;
  return profile;
}

}  // namespace

TEST_CASE("where no file was measured, a start is a stream that waits for the disk's latency") {
  const FileStart start(disk(2000), kStream);
  CHECK(start.bytes() == 0);
  CHECK(start.wait_ns() == 2000);
  CHECK(start.between(1000, 3000).one_thread_ns == Approx(1000));
  CHECK(start.between(1000, 3000).device_ns == Approx(1000));
}

TEST_CASE("a file of a size that was measured takes as long as it did") {
  DeviceProfile profile = disk(2000);
  profile.small_files = {{10000, {{{1, 0.5}}, 0}}, {40000, {{{1, 1}}, 0}}};
  const FileStart start(profile, kStream);
  CHECK(start.bytes() == 40000);
  CHECK(start.wait_ns() == 2000);
  // 20 us and 40 us, less the wait.
  CHECK(start.between(0, 10000).one_thread_ns == Approx(18000));
  CHECK(start.between(0, 40000).one_thread_ns == Approx(38000));
  SECTION("linear between, in parts as in one") {
    CHECK(start.between(0, 25000).one_thread_ns == Approx(28000));
    const double parts =
        start.between(0, 5000).one_thread_ns + start.between(5000, 25000).one_thread_ns;
    CHECK(parts == Approx(28000));
  }
  SECTION("a stream beyond the largest") {
    CHECK(start.between(0, 60000).one_thread_ns == Approx(48000));
    CHECK(start.between(40000, 60000).one_thread_ns == Approx(10000));
  }
}

TEST_CASE("the disk's own time is by the best that any number of threads had") {
  DeviceProfile profile = disk(2000);
  profile.small_files = {{10000, {{{1, 0.5}, {2, 1}, {4, 0.8}}, 0}}};
  const FileStart start(profile, kStream);
  CHECK(start.between(0, 10000).device_ns == Approx(10000));
  CHECK(start.between(0, 10000).one_thread_ns == Approx(18000));
  // A larger size that fewer threads read is no slower.
  profile.small_files.push_back({20000, {{{1, 0.5}}, 0}});
  CHECK(FileStart(profile, kStream).between(0, 20000).device_ns == Approx(20000));
}

TEST_CASE("a page of a window is there after half of it, but the smallest file is one piece") {
  DeviceProfile profile = disk(2000);
  profile.small_files = {{10000, {{{1, 0.5}}, 0}}, {40000, {{{1, 1}}, 0}}};
  const FileStart start(profile, kStream);
  CHECK(start.page_ns(40000) == Approx(19000));
  CHECK(start.page_ns(12000) == Approx(18000));
  CHECK(start.page_ns(5000) == Approx(9000));
  CHECK(FileStart(disk(2000), kStream).page_ns(4000) == Approx(2000));
}

TEST_CASE("no stretch of a file is faster than a stream, whatever was measured") {
  DeviceProfile profile = disk(2000);
  profile.small_files = {{10000, {{{1, 100}}, 0}}, {20000, {{{1, 100}}, 0}}};
  const FileStart start(profile, kStream);
  CHECK(start.wait_ns() == 0);
  CHECK(start.between(0, 10000).one_thread_ns == Approx(5000));
  CHECK(start.between(0, 20000).device_ns == Approx(10000));
}

}  // namespace hdbench::pmem
