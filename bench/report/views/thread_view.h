// The effect of threads: every query on every thread count of one column, and the count beyond
// which nothing is gained.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench {

// Less than this is no gain, whatever the interval says.
constexpr double kThreadGain = 1.05;

struct ThreadPoint {
  std::optional<double> ms;      // nothing: not run, or 0N
  std::optional<Ratio> speedup;  // how many times as fast as on the fewest threads
  double efficiency_percent = 0;
};

struct ThreadLine {
  std::size_t query = 0;
  std::vector<ThreadPoint> points;  // one a thread count of the group
  // The fewest threads that no greater count beats, by the interval and by 5 %. Nothing: fewer than
  // two counts have a time, or too few repetitions to say.
  std::optional<std::size_t> enough;
};

struct ThreadGroup {
  std::string label;  // "DRAM, flat, with p, mode 4.0"
  ReportBlock block;  // of the fewest threads
  std::size_t column = 0;
  std::vector<std::size_t> threads;  // two or more, fewest first
  std::vector<ThreadLine> lines;
};

// In the order of the blocks and columns; cells without a limit only.
std::vector<ThreadGroup> thread_groups(const ReportPivot& pivot);

}  // namespace hdbench
