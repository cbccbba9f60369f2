// Finds a disk's burst, what it delivers after being idle before its steady rate applies, from the
// times of successive reads.
//
// Many slow disks are fast disks behind a limit: a cloud volume, a container's share. The limit is
// a bucket whose content passes at the disk's own rate and that is refilled at the steady rate,
// either evenly or at once in each slice of time (as the kernel's throttle does). A bucket larger
// than all the reads (an EBS volume's hour of credits) is not found.
#pragma once

#include <optional>
#include <span>

namespace hdbench::bench {

struct ProbedBurst {
  double bytes = 0;
  double gb_s = 0;         // while there is some of it left
  double refill_gb_s = 0;  // the steady rate
  bool in_steps = false;   // refilled at once every bytes / refill_gb_s; otherwise evenly
};

// seconds: what each read of read_bytes took, one after another, the first after idleness.
// Nothing where no bucket shows: the reads are alike, or as slow as they are without a rule.
std::optional<ProbedBurst> fit_burst(std::span<const double> seconds, double read_bytes);

}  // namespace hdbench::bench
