// The effect of threads: every query on every thread count of one column, the law that its times
// follow, what binds it at the most threads, and the count beyond which nothing is gained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/views/report_pivot.h"
#include "bench/report/views/scaling_fit.h"

namespace hdbench::bench {

// Less than this is no gain, whatever the interval says.
constexpr double kThreadGain = 1.05;
// From this efficiency on nothing binds yet; from this share of its ceiling on memory or the device
// does.
constexpr double kUnboundPercent = 90;
constexpr double kBoundPercent = 70;

// What keeps the most threads from giving as many times the speed of one.
enum class Binding : std::uint8_t { kNothing, kCpus, kMemory, kDevice, kSerial, kPairs, kUnknown };
// "memory", "the serial part", "not determined".
std::string_view word(Binding binding);

struct ThreadPoint {
  std::optional<double> ms;       // nothing: not run, or 0N
  std::optional<Ratio> speedup;   // how many times as fast as on the fewest threads
  double efficiency_percent = 0;  // of the speed-up that as many times the threads could give
};

struct ThreadLine {
  std::size_t query = 0;
  std::vector<ThreadPoint> points;  // one a thread count of the group
  // The fewest threads over which no greater count gains kThreadGain, by the whole interval.
  // Nothing: no count that was run is shown to be enough.
  std::optional<std::size_t> enough;
  // Over the counts with a time that is not above its ceiling and with a CPU a thread. Nothing:
  // fit_scaling()'s reasons.
  std::optional<ScalingFit> fit;
  Binding binding = Binding::kUnknown;
  std::string binding_text;  // "memory: 83 % of the read ceiling"
};

struct ThreadGroup {
  std::string label;  // "DRAM, flat, with p, mode 4.0"
  ReportBlock block;  // of the fewest threads
  std::size_t column = 0;
  std::vector<std::size_t> threads;  // two or more, fewest first
  std::vector<ThreadLine> lines;
};

// "1.85x, 92 %"; empty where there is no time.
std::string speedup_text(const ThreadPoint& point);
// fit_text(), or what there is no law without.
std::string law_text(const ThreadLine& line);

// In the order of the blocks and columns; cells without a limit only.
std::vector<ThreadGroup> thread_groups(const ReportPivot& pivot);

}  // namespace hdbench::bench
