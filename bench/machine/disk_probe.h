// Measures what a disk gives a database: reads through mmap as kdb+ does them, by threads,
// sequential and random; writes past the page cache; and the latency of one read.
//
// Uses an unnamed scratch file in the given directory and touches nothing else there. Each pass
// begins with none of its files' pages in memory, ends after a fixed time (for small files: when
// all were read), and checks every block that it read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/machine/load_probe.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Columns of partitions. Beyond the largest a file is taken for a stream.
inline constexpr std::array<std::size_t, 3> kSmallFileBytes{
    std::size_t{512} << 10, std::size_t{2} << 20, std::size_t{8} << 20};

// GB/s (10^9 bytes) of all threads together; medians over the rounds.
struct ProbedPoint {
  std::size_t threads = 1;
  double gb_s = 0;
};

struct ProbedFiles {
  std::size_t bytes = 0;  // of each
  std::vector<ProbedPoint> points;
};

// What a disk delivers after being idle before its steady rate applies.
//
// Many slow disks are fast disks behind a limit: a cloud volume, a container's share. The limit is
// a bucket whose content passes at the disk's own rate and that is refilled at the steady rate,
// either evenly or at once in each slice of time (as the kernel's throttle does). A bucket larger
// than all the reads (an EBS volume's hour of credits) is not found.
struct ProbedBurst {
  double bytes = 0;
  double gb_s = 0;         // while there is some of it left
  double refill_gb_s = 0;  // the steady rate
  bool in_steps = false;   // refilled at once every bytes / refill_gb_s; otherwise evenly
};

// Finds the bucket from the times of successive reads.
// seconds: what each read of read_bytes took, one after another, the first after idleness.
// Nothing where no bucket shows: the reads are alike, or as slow as they are without a rule.
std::optional<ProbedBurst> fit_burst(std::span<const double> seconds, double read_bytes);

struct ProbedDevice {
  bool is_block = false;
  std::string place;                    // "ext4 on /dev/vda", "anonymous memory on node 0"
  std::uint32_t granularity_bytes = 0;  // the unit of random_read: a page, or a line
  std::vector<ProbedPoint> sequential_read;
  std::vector<ProbedPoint> random_read;
  std::vector<ProbedPoint> sequential_write;
  // Files of kSmallFileBytes, one after another through mappings, from the smallest on until they
  // come as fast as a stream; where there is a burst, of it.
  std::vector<ProbedFiles> small_files;
  std::uint64_t read_around_bytes = 0;  // that a fault in a mapping reads; 0: not known
  double read_ns = 0;                   // one read in a random place that nothing overlaps
  double mlp = 0;                       // reads that one thread has in flight; 0: not measured
  LoadCurves load;                      // of memory
  LoadCurves checked;                   // the same by mlc, where it is installed; else empty
  // Of the bandwidth of the CPUs' own memory: what this one takes, fully loaded; nothing: not
  // measured.
  std::optional<double> taken_share;
  std::optional<ProbedBurst> burst;  // that an idle disk gives before its steady rate holds
};

struct DiskProbeOptions {
  std::size_t file_bytes = std::size_t{512} << 20;
  std::size_t threads_max = 8;  // 1, 2, 4, ... of these
  std::size_t rounds = 3;
  double pass_seconds = 0.6;
  double idle_seconds = 1;   // before the reads that look for a burst
  double burst_seconds = 2;  // of those reads
};

// on_step(done, total) is called after each pass, with the same number for those that follow the
// last; false ends the probe with kUsage "interrupted".
// Errors: kData: the directory cannot hold the file, is memory, refuses O_DIRECT, or gave wrong
// bytes.
Result<ProbedDevice> probe_disk(const std::filesystem::path& directory,
                                const DiskProbeOptions& options,
                                const std::function<bool(std::size_t, std::size_t)>& on_step);

}  // namespace hdbench::bench
