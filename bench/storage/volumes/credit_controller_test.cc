#include "bench/storage/volumes/credit_controller.h"

#include "engine/base/catch.h"

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

}  // namespace

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
