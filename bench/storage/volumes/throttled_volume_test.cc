#include "bench/storage/volumes/throttled_volume.h"

#include <algorithm>

#include "engine/base/catch.h"
#include "pmem/emulator/device_account.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {
namespace {

constexpr double kPeriod = 0.1;

CreditBucket gp2() {
  CreditBucket bucket;
  bucket.unit = CreditBucket::Unit::kIos;
  bucket.capacity = 5.4e6;
  bucket.refill_per_s = 1500;
  bucket.burst_per_s = 3000;
  return bucket;
}

// A second of the emulator's device, in transactions that come when the last ones are done. A
// bucket that is to be empty is emptied first.
double emulated_rate(const VolumeClass& volume, bool has_credits, AccessPattern pattern) {
  const auto& bucket = volume.profile.credits;
  const double skipped_s =
      has_credits ? 1
      : bucket    ? 1.1 * bucket->capacity / (bucket->burst_per_s - bucket->refill_per_s)
                  : 0;
  const std::uint64_t transactions =
      pattern == AccessPattern::kRandom ? 64 : (64 << 20) / volume.profile.granularity_bytes;
  DeviceAccount account(volume.profile, {});
  account.begin({8, 0, 0, false});
  std::int64_t now = 0;
  const auto charge = [&] {
    now = account.charge({AccessKind::kRead, pattern, transactions, 0, 0}, now).deadline_ns;
  };
  while (static_cast<double>(now) < skipped_s * 1e9) charge();
  const std::int64_t begin = now;
  constexpr std::size_t kSteps = 200;
  for (std::size_t k = 0; k < kSteps; ++k) charge();
  return static_cast<double>(transactions * kSteps) / static_cast<double>(now - begin) * 1e9;
}

double emulated_bytes(const VolumeClass& volume, bool has_credits) {
  return emulated_rate(volume, has_credits, AccessPattern::kSequential) *
         volume.profile.granularity_bytes;
}

}  // namespace

TEST_CASE("a class that is none is refused by name") {
  CHECK(!volume_class("").ok());
  CHECK(testing::contains(volume_class("gp9").error().message, "gp9"));
  CHECK(testing::contains(volume_class("gp3,big").error().message, "'big' is no instance"));
  CHECK(testing::contains(volume_class("gp3,gp2").error().message, "'gp2' is no instance"));
  CHECK(testing::contains(volume_class("cxl-fpga").error().message, "is memory"));
}

TEST_CASE("caps are the profile's figures") {
  const auto gp3 = volume_class("gp3");
  REQUIRE(gp3.ok());
  CHECK(burst_caps(*gp3) == DeviceCaps{131072000, 3000});
  CHECK(base_caps(*gp3) == burst_caps(*gp3));
  CHECK(describe(burst_caps(*gp3)) == "131.1 MB/s, 3000 IOPS");
}

TEST_CASE("credits of I/Os lower the IOPS, credits of bytes the bandwidth") {
  const auto gp2 = volume_class("gp2");
  REQUIRE(gp2.ok());
  CHECK(burst_caps(*gp2) == DeviceCaps{262144000, 3000});
  CHECK(base_caps(*gp2) == DeviceCaps{262144000, 1500});
  CHECK(caps_at(*gp2, 2000).ios_per_s == 2000);
  const auto st1 = volume_class("st1");
  REQUIRE(st1.ok());
  CHECK(burst_caps(*st1) == DeviceCaps{524288000, 0});
  CHECK(base_caps(*st1) == DeviceCaps{209715200, 0});
  CHECK(describe(base_caps(*st1)) == "209.7 MB/s");
}

TEST_CASE("an instance's cap holds where the volume's is higher") {
  CHECK(burst_caps(*volume_class("io2,r4.4xlarge")).bytes_per_s == Approx(437.5e6));
  CHECK(burst_caps(*volume_class("io2,r4.4xlarge")).ios_per_s == Approx(256000));
  CHECK(burst_caps(*volume_class("gp3,r4.4xlarge")).bytes_per_s == Approx(131072000));
  CHECK(burst_caps(*volume_class("r4.16xlarge")).bytes_per_s == Approx(1.28e9));
  CHECK(volume_class("io2,r4.4xlarge")->profile.instance_gb_s == Approx(0.4375));
}

TEST_CASE("the emulator gives every class its own cap and no more") {
  for (const char* name : {"gp2", "gp3", "io1", "io2", "st1", "r4.4xlarge", "io2,r4.4xlarge"}) {
    INFO(name);
    const auto volume = volume_class(name);
    REQUIRE(volume.ok());
    for (const bool has_credits : {true, false}) {
      const DeviceCaps caps = has_credits ? burst_caps(*volume) : base_caps(*volume);
      CHECK(emulated_bytes(*volume, has_credits) == Approx(caps.bytes_per_s).epsilon(0.01));
      if (caps.ios_per_s == 0) continue;
      // Where an instance's bandwidth is less than the pages of these I/Os, it holds.
      const double ios =
          std::min(caps.ios_per_s, caps.bytes_per_s / volume->profile.granularity_bytes);
      CHECK(emulated_rate(*volume, has_credits, AccessPattern::kRandom) ==
            Approx(ios).epsilon(0.01));
    }
  }
  // A random access on st1 costs a mebibyte.
  CHECK(emulated_rate(*volume_class("st1"), true, AccessPattern::kRandom) ==
        Approx(500).epsilon(0.01));
}

TEST_CASE("an empty bucket gives the refill rate") {
  CreditController controller(gp2(), 0, kPeriod);
  CHECK(controller.rate() == Approx(1500));
  for (int k = 0; k < 100; ++k) CHECK(controller.step(kPeriod, 150) == Approx(1500));
}

TEST_CASE("a bucket starts with no more than it holds") {
  CHECK(CreditController(gp2(), 1e9, kPeriod).credits() == Approx(5.4e6));
  CHECK(CreditController(gp2(), -1, kPeriod).credits() == 0);
}

TEST_CASE("a full bucket bursts until it is empty, to half a second") {
  // 5.4 million go out at 3000 - 1500 a second.
  CreditController controller(gp2(), 5.4e6, kPeriod);
  double served = 0;
  double seconds = 0;
  double burst_s = 0;
  double rate = controller.rate();
  while (seconds < 4000) {
    if (rate >= 3000) burst_s += kPeriod;
    served += rate * kPeriod;
    seconds += kPeriod;
    rate = controller.step(kPeriod, rate * kPeriod);
  }
  CHECK(burst_s == Approx(3600).margin(0.5));
  CHECK(rate == Approx(1500));
  CHECK(served == Approx(5.4e6 + 1500 * 4000).epsilon(1e-4));
}

TEST_CASE("an idle volume earns credits, up to its capacity") {
  CreditController controller(gp2(), 0, kPeriod);
  CHECK(controller.step(1, 0) == Approx(3000));
  CHECK(controller.credits() == Approx(1500));
  controller.step(1e6, 0);
  CHECK(controller.credits() == Approx(5.4e6));
}

TEST_CASE("what was used too much is taken off the next periods, never to a standstill") {
  CreditController controller(gp2(), 0, kPeriod);
  CHECK(controller.step(kPeriod, 200) == Approx(1500 - 500));
  CHECK(controller.step(kPeriod, 1e5) == Approx(750));
  double served = 0;
  for (int k = 0; k < 10000; ++k) {
    const double rate = controller.rate();
    served += rate * kPeriod;
    controller.step(kPeriod, rate * kPeriod);
  }
  CHECK(controller.rate() == Approx(1500));
  CHECK(served == Approx(1500 * 1000 - 50 - 99850).epsilon(1e-3));
}

}  // namespace hdbench::bench
