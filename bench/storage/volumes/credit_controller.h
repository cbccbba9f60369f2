// A volume's credits, kept by what was used: how fast it may go in the next period.
//
// Credits come in at the refill rate, up to the bucket's capacity, and go out with use. While there
// are some the volume may burst; in the period in which they end it may spend what is left, and
// from then on what comes in. Time and use are handed in, so that tests need no clock.
#pragma once

#include "pmem/emulator/device_profile.h"

namespace hdbench {

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

}  // namespace hdbench
