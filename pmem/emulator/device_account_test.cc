#include "pmem/emulator/device_account.h"

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

constexpr auto kRead = AccessKind::kRead;
constexpr auto kWrite = AccessKind::kWrite;
constexpr auto kSequential = AccessPattern::kSequential;
constexpr auto kRandom = AccessPattern::kRandom;

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

TEST_CASE("a file's start is charged by its own time, and waits") {
  DeviceProfile profile = simple();
  profile.kind = DeviceKind::kBlock;
  profile.latency.read_random_ns = 2000;
  profile.small_files = {{25600, {{{1, 1.28}}, 0}}};
  DeviceAccount account(profile, {});
  account.begin({1, 0, 0, false});
  Charge start{kRead, kSequential, 100, 0, 0, 1, 100, {18000, 15000}, 0};
  const Charged charged = account.charge(start, 0);
  CHECK(charged.one_thread_ns == 20000);
  CHECK(charged.alone_ns == 20000);
  CHECK(charged.deadline_ns == 15000);
  // 25600 bytes are 10 us of a stream.
  CHECK(account.charge({kRead, kSequential, 100, 0, 0, 0, 0, {}, 0}, 0).one_thread_ns == 10000);
}

TEST_CASE("a read by itself waits for the disk's latency, however fast small files were") {
  DeviceProfile profile = simple();
  profile.kind = DeviceKind::kBlock;
  profile.latency.read_random_ns = 2000;
  profile.small_files = {{25600, {{{1, 100}}, 0}}};
  DeviceAccount account(profile, {});
  account.begin({1, 0, 0, false});
  // A page of 256 bytes: 100 ns of a stream.
  const Charge lone{kRead, kSequential, 1, 0, 0, 0, 1, {100, 100}, 1};
  CHECK(account.charge(lone, 0).one_thread_ns == 2100);
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

TEST_CASE("credits that come in steps: a burst at once, and no byte more until the next") {
  DeviceProfile profile = simple();
  profile.curves[0][0].points = {{1, 1000}};
  // 2560 bytes every 2560 ns, each lot at 8 bytes a ns.
  profile.credits =
      CreditBucket{CreditBucket::Unit::kBytes, 2560, 1e9, 8e9, CreditBucket::Refill::kSteps};
  DeviceAccount account(profile, {});
  account.begin({});
  CHECK(account.charge({kRead, kSequential, 10, 0, 0}, 0).deadline_ns == 320);
  CHECK(account.charge({kRead, kSequential, 1, 0, 0}, 0).deadline_ns == 2560 + 32);
  CHECK(account.charge({kRead, kSequential, 9, 0, 0}, 0).deadline_ns == 2560 + 320);
  CHECK(account.charge({kRead, kSequential, 25, 0, 0}, 0).deadline_ns == 4 * 2560 + 800);
  CHECK(account.busy_until_ns() == 4 * 2560 + 800);
  // A model's next query finds the bucket full.
  account.begin({});
  CHECK(account.charge({kRead, kSequential, 10, 0, 0}, 0).deadline_ns == 320);
}

TEST_CASE("credits counted in I/Os are taken by random accesses alone") {
  DeviceProfile profile = simple();
  profile.credits = CreditBucket{CreditBucket::Unit::kIos, 10, 1e6, 2e6};
  DeviceAccount account(profile, {});
  CHECK(account.charge({kRead, kSequential, 10, 0, 0}, 0).deadline_ns == 1000);
  account.begin({});
  CHECK(account.charge({kRead, kRandom, 40, 0, 0}, 0).deadline_ns == 30000);
}

}  // namespace
}  // namespace hdbench::pmem
