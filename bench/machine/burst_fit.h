// What a disk gives at once after it was idle, before its steady rate holds: found in the times of
// reads that followed one another.
//
// Many slow disks are fast disks behind a limit: a volume of a cloud, a container's share. The
// limit is a bucket: what it holds passes at the disk's own rate, and it is refilled at the steady
// one, evenly, or all of it at once in each slice of time (as the kernel's throttle does). A bucket
// that holds more than the reads took in all (an EBS volume's hour of credits) is not found.
#pragma once

#include <optional>
#include <span>

namespace hdbench {

struct ProbedBurst {
  double bytes = 0;
  double gb_s = 0;         // while there is some of it left
  double refill_gb_s = 0;  // the steady rate
  bool in_steps = false;   // refilled at once every bytes / refill_gb_s; otherwise evenly
};

// seconds: what each read of read_bytes took, one after another, the first after idleness.
// Nothing where no bucket shows: the reads are alike, or as slow as they are without a rule.
std::optional<ProbedBurst> fit_burst(std::span<const double> seconds, double read_bytes);

}  // namespace hdbench
