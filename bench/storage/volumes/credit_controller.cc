#include "bench/storage/volumes/credit_controller.h"

#include <algorithm>

#include "engine/base/check.h"

namespace hdbench::bench {

CreditController::CreditController(const CreditBucket& bucket, double credits, double period_s)
    : bucket_(bucket), credits_(std::clamp(credits, 0.0, bucket.capacity)), period_s_(period_s) {
  HDB_CHECK(period_s > 0, "a period takes time");
}

double CreditController::step(double elapsed_s, double used) {
  // A debt is kept: what one period used too much, the next one goes without.
  credits_ = std::min(bucket_.capacity, credits_ + bucket_.refill_per_s * elapsed_s - used);
  return rate();
}

double CreditController::rate() const {
  const double least = bucket_.refill_per_s / 2;
  return std::clamp(bucket_.refill_per_s + credits_ / period_s_, least, bucket_.burst_per_s);
}

}  // namespace hdbench::bench
