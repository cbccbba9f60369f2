// A volume's credits: computes the rate allowed in the next period from the use in the last one.
//
// Credits accrue at the refill rate, up to the bucket's capacity, and are spent by use. While there
// are credits the volume may burst; in the period in which they run out it may use the remainder,
// and afterwards the refill. Time and use are parameters, so tests need no clock.
#pragma once

#include "bench/base/layers.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {

class CreditController {
 public:
  // credits: what is in the bucket at first, its capacity at most.
  CreditController(const CreditBucket& bucket, double credits, double period_s);

  // After so many seconds in which so much was used: the rate, a second, for the next period.
  double step(double elapsed_s, double used);

  double rate() const;
  double credits() const { return credits_; }

 private:
  CreditBucket bucket_;
  double credits_;
  double period_s_;
};

}  // namespace hdbench::bench
