#include "pmem/emulator/emulated_device.h"

#include <vector>

#include "engine/base/catch.h"
#include "pmem/testing/test_meter.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("a whole range is held until the cache has seen that much more traffic") {
  RecentRanges recent;
  recent.reset(1000);
  recent.note(5000, 5400, 400, true);
  CHECK(recent.holds(5000, 5400));
  CHECK(recent.holds(5100, 5200));
  CHECK_FALSE(recent.holds(5300, 5401));
  recent.note(9000, 9900, 900, false);
  CHECK(recent.holds(5000, 5400));
  CHECK_FALSE(recent.holds(9000, 9900));
  recent.note(9000, 9200, 200, true);
  CHECK_FALSE(recent.holds(5000, 5400));
}

DeviceProfile flat_profile(const char* name, std::uint32_t granularity, double gb_s, double ns) {
  DeviceProfile profile;
  profile.name = name;
  profile.granularity_bytes = granularity;
  profile.curves[0][0].points = {{1, gb_s}};
  profile.latency.read_random_ns = ns;
  return profile;
}

DeviceProfile cached() {
  DeviceProfile profile;
  profile.name = "cached";
  auto cache = std::make_shared<NearCacheProfile>();
  cache->near = flat_profile("near", 64, 64, 90);
  cache->far = flat_profile("far", 256, 2.56, 305);
  profile.near_cache = std::move(cache);
  return profile;
}

Access read_of(std::uintptr_t offset, std::uint64_t elements) {
  return {testing::at(offset), elements, 8, nullptr, elements * 8, AccessKind::kRead, 0};
}

struct Fixture {
  explicit Fixture(const EmulatedDeviceSetup& setup, std::uint64_t bytes = 1 << 24)
      : device(std::move(EmulatedDevice::make(setup, {}).value())),
        region(device->place(testing::kBase, testing::kBase + bytes, 0)) {
    device->begin({});
  }
  Charged access(const Access& one) { return device->access(one, region, 0, recent); }

  std::unique_ptr<EmulatedDevice> device;
  EmulatedRegion region;
  RecentRanges recent;
};

TEST_CASE("where pages are shared, the device is charged for its own") {
  EmulatedDeviceSetup setup{flat_profile("d", 256, 2.56, 305), 0, {}};
  setup.interleave = {3, 1};
  Fixture fixture(setup);
  // Eight pages: two of them are the device's.
  const Charged charged = fixture.access(read_of(0, 8 * 4096 / 8));
  CHECK(fixture.device->media_bytes().read == 2 * 4096);
  CHECK(charged.deadline_ns == 2 * 4096 * 100 / 256);
  CHECK(fixture.device->own_bytes(read_of(0, 8 * 4096 / 8)) == 2 * 4096);
  // The first three are the host's.
  fixture.device->begin({});
  CHECK(fixture.access(read_of(0, 3 * 4096 / 8)).deadline_ns == 0);
  CHECK(fixture.device->media_bytes().read == 0);
}

TEST_CASE("of a selection over shared pages, the lines on the device's pages are charged") {
  EmulatedDeviceSetup setup{flat_profile("d", 256, 2.56, 305), 0, {}};
  setup.interleave = {1, 1};
  Fixture fixture(setup);
  // One element in each of four pages, two of which are the device's.
  std::vector<std::uint64_t> bits(4 * 512 / 64);
  for (int page = 0; page < 4; ++page) bits[page * 8] = 1;
  Access one{testing::at(0), 4 * 512, 8, bits.data(), 4 * 64, AccessKind::kRead, 4};
  fixture.access(one);
  CHECK(fixture.device->media_bytes().read == 2 * 256);
}

TEST_CASE("pages of a disk, or behind a near cache, are not shared") {
  EmulatedDeviceSetup setup{cached(), 1 << 20, {}};
  setup.interleave = {3, 1};
  CHECK_FALSE(EmulatedDevice::check(setup).ok());
  EmulatedDeviceSetup disk{flat_profile("d", 4096, 1, 0), 0, {}, true};
  disk.interleave = {3, 1};
  CHECK_FALSE(EmulatedDevice::check(disk).ok());
}

TEST_CASE("a scan is rounded out to the device's lines and pays no latency") {
  Fixture fixture({flat_profile("d", 256, 2.56, 305), 0, {}});
  const Charged charged = fixture.access(read_of(8, 32));  // 256 bytes over two lines
  CHECK(charged.deadline_ns == 200);
  CHECK(charged.latency_ns == 0);
  CHECK(fixture.device->media_bytes().read == 512);
}

TEST_CASE("a gather costs the device's lines that it accesses, and their latency") {
  Fixture fixture({flat_profile("d", 256, 2.56, 305), 0, {}});
  std::vector<std::uint64_t> bits(64, 0);
  for (std::size_t i = 0; i < bits.size(); i += 4) bits[i] = 1;  // one element of 2048 bytes
  const Access access{testing::at(0), 4096, 8, bits.data(), 16 * 64, AccessKind::kRead, 0};
  const Charged charged = fixture.access(access);
  CHECK(fixture.device->media_bytes().read == 16 * 256);
  CHECK(charged.latency_ns == 16 * 305);
}

EmulatedDeviceSetup disk_with_small_files(std::uint64_t read_around_bytes) {
  EmulatedDeviceSetup setup{flat_profile("d", 4096, 4.096, 2000), 0, {}};
  setup.has_page_cache = true;
  setup.profile.kind = DeviceKind::kBlock;
  setup.profile.read_around_bytes = read_around_bytes;
  // 4 pages in 22 us, where a stream takes 4: 2 of latency, and 5 a page.
  setup.profile.small_files = {{16384, {{{1, 16384 / 22e3}}, 0}}};
  return setup;
}

TEST_CASE("a file of the size that was measured takes as long as it was, whatever the window is") {
  for (const std::uint64_t window : {4096, 16384, 65536}) {
    Fixture fixture(disk_with_small_files(window), 16384);
    CHECK(fixture.access(read_of(0, 2048)).one_thread_ns == 22000);
    CHECK(fixture.access(read_of(0, 2048)).one_thread_ns == 0);
  }
}

TEST_CASE("beyond a file's start a stream goes at its own rate") {
  Fixture fixture(disk_with_small_files(4096));
  CHECK(fixture.access(read_of(0, 4096)).one_thread_ns == 22000 + 4000);
  CHECK(fixture.access(read_of(32768, 4096)).one_thread_ns == 8000);
}

TEST_CASE("nothing is read ahead of accesses in random places") {
  Fixture fixture(disk_with_small_files(4096));
  std::vector<std::uint64_t> bits(256, 0);  // of 16384 elements, 32 pages
  bits[128] = bits[136] = 1;                // one in each of two neighbouring pages
  const Access access{testing::at(0), 16384, 8, bits.data(), 2 * 64, AccessKind::kRead, 0};
  CHECK(fixture.access(access).one_thread_ns == 2 * (2000 + 5000));
}

TEST_CASE("a page by itself is at random, and is there with half of its window") {
  // The window is the file, whose 8 pages take 42 us beyond a start of 22.
  EmulatedDeviceSetup setup = disk_with_small_files(65536);
  setup.profile.small_files.push_back({32768, {{{1, 32768 / 62e3}}, 0}});
  Fixture page(setup, 32768);
  CHECK(page.access(read_of(16384, 512)).one_thread_ns == 2000 + 30000);
  Fixture scan(setup, 32768);
  CHECK(scan.access(read_of(16384, 513)).one_thread_ns == 62000);
}

TEST_CASE("half of the lines or more are a scan") {
  Fixture fixture({flat_profile("d", 256, 2.56, 305), 0, {}});
  const std::vector<std::uint64_t> bits(64, 1);  // one element of 512 bytes: every second line
  const Access access{testing::at(0), 4096, 8, bits.data(), 64 * 64, AccessKind::kRead, 0};
  CHECK(fixture.access(access).latency_ns == 0);
  CHECK(fixture.device->media_bytes().read == 64 * 256);
}

TEST_CASE("accesses that wait for one another are no scan") {
  Fixture fixture({flat_profile("d", 64, 2.56, 305), 0, {}});
  Access access = read_of(0, 1);
  access.dependent_accesses = 1;
  CHECK(fixture.access(access).latency_ns == 305);
}

TEST_CASE("a near cache whose tags this host cannot hold is refused with the figures") {
  const EmulatedDeviceSetup large{cached(), std::uint64_t{1} << 40, {}};  // 4 GiB of tags
  CHECK(EmulatedDevice::check(large).ok());
  CHECK(EmulatedDevice::check_memory(large, std::nullopt).ok());
  CHECK(EmulatedDevice::check_memory(large, std::uint64_t{16} << 30).ok());
  const Status refused = EmulatedDevice::check_memory(large, (std::uint64_t{16} << 30) - 1);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kData);
  CHECK(refused.error().message ==
        "cached: a near cache of 1048576 MiB: following it takes 4096 MiB of this host's memory, "
        "expected a quarter of the 16383 MiB available at most");
  CHECK(EmulatedDevice::check_memory({flat_profile("d", 64, 2.56, 305), 0, {}}, 0).ok());
}

TEST_CASE("behind a near cache the first pass pays the far device, the second the near one") {
  Fixture fixture({cached(), 1 << 20, {}});
  const std::uint64_t bytes = 1 << 19;
  CHECK(fixture.access(read_of(0, bytes / 8)).deadline_ns == Approx(bytes / 2.56).margin(1));
  CHECK(fixture.device->media_bytes().read == bytes);
  CHECK(fixture.device->near_figures().near.read == bytes);
  fixture.device->begin({});
  CHECK(fixture.access(read_of(0, bytes / 8)).deadline_ns == Approx(bytes / 64.0).margin(1));
  CHECK(fixture.device->media_bytes().read == 0);
  CHECK(fixture.device->near_figures().hits == bytes / 64);
  fixture.device->clear();
  fixture.device->begin({});
  fixture.access(read_of(0, bytes / 8));
  CHECK(fixture.device->near_figures().hits == 0);
}

TEST_CASE("a miss that stands alone pays a far line of its own and both latencies") {
  Fixture fixture({cached(), 1 << 20, {}});
  std::vector<std::uint64_t> bits(64, 0);
  for (std::size_t i = 0; i < bits.size(); i += 4) bits[i] = 1;
  const Access access{testing::at(0), 4096, 8, bits.data(), 16 * 64, AccessKind::kRead, 0};
  CHECK(fixture.access(access).latency_ns == 16 * (90 + 305));
  CHECK(fixture.device->media_bytes().read == 16 * 256);
  CHECK(fixture.access(access).latency_ns == 16 * 90);
}

TEST_CASE("what the last-level cache still holds is no traffic of near memory") {
  Fixture fixture({cached(), 1 << 20, {}});
  fixture.recent.reset(1 << 19);
  fixture.access(read_of(0, 4096));
  CHECK(fixture.access(read_of(0, 4096)).deadline_ns == 0);
  CHECK(fixture.device->near_figures().lines == 4096 / 8);
}

}  // namespace
}  // namespace hdbench::pmem
