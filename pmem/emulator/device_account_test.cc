#include "pmem/emulator/device_account.h"

#include <thread>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

constexpr auto kRead = AccessKind::kRead;
constexpr auto kWrite = AccessKind::kWrite;
constexpr auto kSequential = AccessPattern::kSequential;
constexpr auto kRandom = AccessPattern::kRandom;

DeviceProfile simple(double gb_s, double ns) {
  DeviceProfile profile;
  profile.curves[0][0].points = {{1, gb_s}};
  profile.latency.read_random_ns = ns;
  return profile;
}

TEST_CASE("a host that was not measured is no limit") {
  CHECK(host_limits(simple(1000, 1), {}, 1).empty());
  CHECK(host_access_ns({}, kRead, kRandom) == 0);
}

TEST_CASE("each figure in which the device is faster is reported") {
  HostCalibration host;
  host.read.points = {{1, 12}, {2, 20}};
  host.chase_ns = 170;
  CHECK(host_limits(simple(2.9, 305), host, 2).empty());
  const auto limits = host_limits(simple(39, 101.5), host, 2);
  REQUIRE(limits.size() == 2);
  CHECK(limits[0] == "read 39 GB/s at 2 threads, but this host has 20 GB/s");
  CHECK(limits[1] == "read latency 101.5 ns, but this host takes 170 ns");
}

// Of a made-up disk: half a nanosecond a byte, of one thread and of the disk.
constexpr StartTimes kStream{0.5, 0.5};

DeviceProfile disk(double latency_ns) {
  DeviceProfile profile;
  profile.kind = DeviceKind::kBlock;
  profile.latency.read_random_ns = latency_ns;
  return profile;
}

TEST_CASE("a sharded count loses nothing with more threads than shards") {
  ShardedCount count;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 40; ++t) {
    threads.emplace_back([&count] {
      for (int i = 0; i < 1000; ++i) count.add(3);
    });
  }
  threads.clear();  // joins
  CHECK(count.sum() == 120000);
}

TEST_CASE("a free clock books from now, a busy one from when it is free") {
  VirtualClock clock;
  CHECK(clock.book(1000, 0) == 1000);
  CHECK(clock.book(1000, 300) == 1300);
  CHECK(clock.book(1100, 50) == 1350);
  CHECK(clock.book(5000, 10) == 5010);
  CHECK(clock.free_ns() == 5010);
}

TEST_CASE("a burst lets idle time before now be used, but no more than it") {
  VirtualClock clock(200);
  clock.reset(1000);
  CHECK(clock.book(1100, 50) == 1050);
  CHECK(clock.book(2000, 100) == 1900);
}

TEST_CASE("a clock with the bucket's filling time as its burst is a bucket of credits") {
  // 100 credits, refilled at one a nanosecond: the first 100 are free, then each takes 1 ns.
  VirtualClock bucket(100);
  bucket.reset(-100);
  CHECK(bucket.book(0, 100) == 0);
  CHECK(bucket.book(0, 50) == 50);
  CHECK(bucket.book(1000, 100) == 1000);
}

TEST_CASE("a bucket refilled in steps gives nothing until the next step, and then all of it") {
  // 100 credits at once every 100 ns, the first when the full bucket is first drawn on.
  VirtualClock bucket(100);
  bucket.set_step(100);
  bucket.reset(-100);
  // Steps are counted from the first draw, whenever the bucket was made full.
  CHECK(bucket.book(1000, 100) <= 1000);
  CHECK(bucket.book(1000, 1) == 1100);
  CHECK(bucket.book(1050, 99) == 1100);
  CHECK(bucket.book(1100, 250) == 1400);
  CHECK(bucket.free_ns() == 1400);
  // What is left of the last step lasts until it is over; a full bucket begins steps anew.
  CHECK(bucket.book(1499, 50) <= 1499);
  CHECK(bucket.book(1499, 1) == 1500);
  CHECK(bucket.book(1570, 99) <= 1570);
  CHECK(bucket.book(1570, 1) == 1600);
  CHECK(bucket.book(1830, 100) <= 1830);
  CHECK(bucket.book(1830, 1) == 1930);
}

TEST_CASE("nothing that many threads book is lost") {
  VirtualClock clock;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&clock] {
      for (int i = 0; i < 10000; ++i) clock.book(0, 3);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(clock.free_ns() == 4 * 10000 * 3);
}

DeviceProfile simple() {
  DeviceProfile profile;
  profile.granularity_bytes = 256;
  profile.latency = {169.4, 305, 90};
  profile.mlp = 8.5;
  profile.curves[0][0].points = {{1, 2.56}};
  profile.curves[1][0].points = {{1, 1.28}};
  return profile;
}

TEST_CASE("nothing charged keeps a device free") {
  DeviceAccount account(simple(), {});
  account.begin({1, 500, 0, false});
  CHECK(account.busy_until_ns() == 500);
  CHECK(account.media_bytes().read == 0);
  CHECK(account.charge({kRead, kSequential, 0, 0, 0}, 500).deadline_ns == 500);
}

TEST_CASE("transfers queue up, and media bytes are whole transactions") {
  DeviceAccount account(simple(), {});
  CHECK(account.charge({kRead, kSequential, 10, 0, 0}, 0).deadline_ns == 1000);
  CHECK(account.charge({kWrite, kSequential, 10, 0, 0}, 0).deadline_ns == 3000);
  CHECK(account.media_bytes().read == 2560);
  CHECK(account.media_bytes().written == 2560);
  CHECK(account.busy_until_ns() == 3000);
}

TEST_CASE("in a duplex device reads and writes do not wait for one another") {
  DeviceProfile profile = simple();
  profile.mix = MixRule::kDuplex;
  DeviceAccount account(profile, {});
  CHECK(account.charge({kRead, kSequential, 10, 0, 0}, 0).deadline_ns == 1000);
  CHECK(account.charge({kWrite, kSequential, 10, 0, 0}, 0).deadline_ns == 2000);
}

TEST_CASE("latency: dependent x L + independent x L / MLP, and as debt only above the host's") {
  HostCalibration host;
  host.chase_ns = 100;
  DeviceAccount account(simple(), host);
  const Charged charged = account.charge({kRead, kRandom, 20, 3, 17}, 0);
  CHECK(charged.latency_ns == 3 * 305 + 2 * 305);
  CHECK(charged.latency_debt_ns == 3 * 205 + 2 * 205);
  host.chase_ns = 400;
  DeviceAccount slow_host(simple(), host);
  CHECK(slow_host.charge({kRead, kRandom, 20, 3, 17}, 0).latency_debt_ns == 0);
}

TEST_CASE("one thread's cap is its own, whatever the device has left") {
  DeviceProfile profile = simple();
  profile.curves[0][0].one_thread_gb_s = 0.256;
  DeviceAccount account(profile, {});
  const Charged charged = account.charge({kRead, kSequential, 10, 0, 0}, 0);
  CHECK(charged.deadline_ns == 1000);
  CHECK(charged.one_thread_ns == 10000);
}

TEST_CASE("I/Os a second cap random accesses, and an instance caps all bytes") {
  DeviceProfile profile = simple();
  profile.iops[0] = 1e6;
  DeviceAccount account(profile, {});
  CHECK(account.charge({kRead, kRandom, 10, 0, 0}, 0).deadline_ns == 10000);
  account.begin({});
  CHECK(account.charge({kRead, kSequential, 10, 0, 0}, 0).deadline_ns == 1000);
  profile.instance_gb_s = 0.0256;
  DeviceAccount capped(profile, {});
  CHECK(capped.charge({kRead, kSequential, 10, 0, 0}, 0).deadline_ns == 100000);
}

TEST_CASE("a random access that costs more than its bytes is charged so") {
  DeviceProfile profile = simple();
  profile.random_cost_bytes = 2560;
  DeviceAccount account(profile, {});
  CHECK(account.charge({kRead, kRandom, 1, 0, 0}, 0).deadline_ns == 1000);
  CHECK(account.media_bytes().read == 256);
}

TEST_CASE("credits: at burst rate until the bucket is empty, at the refill rate after") {
  DeviceProfile profile = simple();
  profile.curves[0][0].points = {{1, 1000}};
  // 2560 bytes at 2 bytes a ns, refilled with 1 byte a ns: empty after 2560 / (2 - 1) ns.
  profile.credits = CreditBucket{CreditBucket::Unit::kBytes, 2560, 1e9, 2e9};
  DeviceAccount account(profile, {});
  account.begin({});
  CHECK(account.charge({kRead, kSequential, 20, 0, 0}, 0).deadline_ns == 2560);
  CHECK(account.charge({kRead, kSequential, 20, 0, 0}, 0).deadline_ns == 2560 + 5120);
  account.begin({1, 10000, 0, true});
  // 2320 credits were refilled since 7680: 240 bytes go at the refill rate, and the rest before.
  CHECK(account.charge({kRead, kSequential, 40, 0, 0}, 10000).deadline_ns == 7680 + 10240);
  account.begin({1, 20000, 0, false});
  CHECK(account.charge({kRead, kSequential, 20, 0, 0}, 20000).deadline_ns == 22560);
}

TEST_CASE("credits counted in I/Os are taken by random accesses alone") {
  DeviceProfile profile = simple();
  profile.credits = CreditBucket{CreditBucket::Unit::kIos, 10, 1e6, 2e6};
  DeviceAccount account(profile, {});
  CHECK(account.charge({kRead, kSequential, 10, 0, 0}, 0).deadline_ns == 1000);
  account.begin({});
  CHECK(account.charge({kRead, kRandom, 40, 0, 0}, 0).deadline_ns == 30000);
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

TEST_CASE("no stretch of a file is faster than a stream, whatever was measured") {
  DeviceProfile profile = disk(2000);
  profile.small_files = {{10000, {{{1, 100}}, 0}}, {20000, {{{1, 100}}, 0}}};
  const FileStart start(profile, kStream);
  CHECK(start.wait_ns() == 0);
  CHECK(start.between(0, 10000).one_thread_ns == Approx(5000));
  CHECK(start.between(0, 20000).device_ns == Approx(10000));
}

}  // namespace
}  // namespace hdbench::pmem
