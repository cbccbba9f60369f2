// Runs the same work in several processes at once: forked, started together, with results in shared
// memory.
//
// A process ends with its parent, however that ends, and never prints; failures are returned as
// errors.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/result.h"
#include "pmem/base/page_counters.h"

namespace hdbench::bench {

// Latency histogram with bins of 1/64 of their value, so that percentiles are right within 0.8 %
// from nanoseconds to hours and every operation is counted (after G. Tene's HDR histogram).
//
// Plain memory without pointers, which processes can share.
class LatencyCounts {
 public:
  void add(std::uint64_t ns) {
    ++bins_[bin_of(ns)];
    ++total_;
    total_ns_ += ns;
    if (ns > max_) max_ = ns;
  }
  void add(const LatencyCounts& other);

  std::uint64_t total() const { return total_; }
  std::uint64_t max() const { return max_; }
  // ns; nothing where none was counted.
  std::optional<double> mean() const;

  // The value below which this part of all lies (0.5: the median); nothing where fewer than
  // 1 / (1 - part) were counted: they cannot tell.
  std::optional<double> percentile(double part) const;

 private:
  static constexpr std::size_t kBits = 6;
  static constexpr std::size_t kStep = std::size_t{1} << kBits;

  // Values below kStep have a bin each, each power of two above kStep of them.
  static constexpr std::size_t bin_of(std::uint64_t ns) {
    if (ns < kStep) return static_cast<std::size_t>(ns);
    const auto shift = static_cast<std::size_t>(std::bit_width(ns)) - kBits - 1;
    return (shift + 1) * kStep + static_cast<std::size_t>((ns >> shift) - kStep);
  }
  static double middle_of(std::size_t bin);

  std::array<std::uint64_t, (64 - kBits + 1) * kStep> bins_{};
  std::uint64_t total_ = 0;
  std::uint64_t total_ns_ = 0;
  std::uint64_t max_ = 0;
};

// CLOCK_MONOTONIC, which is the same in all processes.
std::uint64_t monotonic_ns();

// A process's figures. In shared memory, hence without pointers.
struct ProcessFigures {
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t bytes = 0;
  std::uint64_t operations = 0;
  std::uint64_t checksum = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t device_bytes_read = 0;
  bool device_bytes_known = false;
  bool checked = false;  // the checksum, against what it must be
  bool finished = false;
  std::array<char, 512> error{};  // empty: none
  LatencyCounts latency;

  double seconds() const { return static_cast<double>(end_ns - begin_ns) / 1e9; }
};

// The interface that a process's work uses.
class Worker {
 public:
  struct Pipes {
    int ready;
    int go;
  };
  Worker(ProcessFigures& figures, Pipes pipes, std::size_t index, double seconds)
      : figures_(figures),
        pipes_(pipes),
        index_(index),
        limit_ns_(static_cast<std::uint64_t>(seconds * 1e9)) {}

  std::size_t index() const { return index_; }

  // Names the place of the work's files, for the error of a mapped file that fails at an access.
  static void name_place(const std::string& place);

  // The work is prepared: waits until all processes are, and starts the clock.
  Status begin();

  // An operation on so many bytes is over; its latency is the time since the last one's end
  // or since begin_lap().
  void lap(std::uint64_t bytes) {
    const std::uint64_t now = monotonic_ns();
    figures_.latency.add(now - last_ns_);
    last_ns_ = now;
    figures_.bytes += bytes;
    ++figures_.operations;
  }
  // What was done since the last lap is no operation's, but a check of what one read: the next
  // begins now. It stays within the time of the whole.
  void begin_lap() { last_ns_ = monotonic_ns(); }
  // The time for work of many operations is over, as of the last lap() or begin_lap().
  bool is_over() const { return last_ns_ - figures_.begin_ns >= limit_ns_; }

  // Stops the clock.
  void end();

  // All of that for operations on so many bytes each: operation(k), k from 0, until the time is
  // over, but at least once and no more than `most` times. Gives how often.
  template <typename Operation>
  Result<std::uint64_t> repeat(std::uint64_t bytes, std::uint64_t most, Operation operation) {
    HDB_TRY(begin());
    std::uint64_t done = 0;
    do {
      HDB_TRY(operation(done));
      lap(bytes);
    } while (++done < most && !is_over());
    end();
    return done;
  }

  // Sums go into the checksum. Errors: kData, with both figures, where they are not the same.
  Status check_sum(std::uint64_t found, std::uint64_t expected, const char* what);

 private:
  ProcessFigures& figures_;
  Pipes pipes_;
  std::size_t index_;
  std::uint64_t limit_ns_;
  std::uint64_t last_ns_ = 0;
  PageCounters before_;
};

using ProcessWork = std::function<Status(Worker&)>;
// Called once in any case before processes start: with ok when all are ready, else with what has
// prevented it. They start when it returns, unless it returns an error, which ends them.
using BeforeStart = std::function<Status(const Status& ready)>;

// Runs `work` in that many processes and returns the figures of each. The work must call begin()
// and end(). seconds: limit of Worker::is_over(). Errors: kUsage "interrupted"; the first error of
// a process; kData if one was killed or could not be created.
Result<std::vector<ProcessFigures>> run_processes(std::size_t processes, double seconds,
                                                  const ProcessWork& work,
                                                  const BeforeStart& before_start = nullptr);

// Seconds from the first process's start to the last one's end. Requires, here and below: `reports`
// is not empty.
double wall_seconds(std::span<const ProcessFigures> reports);

// All bytes over that time, in 10^6 a second: the slowest counts.
double mb_per_s(std::span<const ProcessFigures> reports);

// Mean time of an operation, of all processes' operations.
double ms_per_operation(std::span<const ProcessFigures> reports);

// The spread of the processes' own rates (bytes, or operations if there are none): (fastest -
// slowest) / median; 0 for one process.
double spread_of(std::span<const ProcessFigures> reports);

}  // namespace hdbench::bench
