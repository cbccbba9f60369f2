// Estimates how long a run will take, and ends it at a budget.
//
// The first estimate is rough: bytes over typical rates. Measured times then correct the remaining
// parts one by one.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::bench {

class TimeBudget {
 public:
  using Clock = std::chrono::steady_clock;

  // A part a load of a placement, in the order in which they are run; seconds each. No budget: no
  // part is ever cut short.
  TimeBudget(std::vector<double> estimates_s, std::optional<double> budget_s,
             Clock::time_point begin);

  // Drops a part: the others share its time.
  void drop(std::size_t part) { estimates_s_[part] = 0; }

  // Begins part `part` at this time. Requires: parts begin in order.
  void begin_part(std::size_t part, Clock::time_point now);
  // The deadline of this part: its share, by the estimates, of the remaining budget. Nothing: no
  // budget.
  std::optional<Clock::time_point> deadline() const { return deadline_; }
  // A part's share that is done, from 0 to 1.
  double left_s(double part_done, Clock::time_point now) const;
  // The share of the whole run that is done, from 0 to 1, by the time spent and left.
  double done(double part_done, Clock::time_point now) const;

 private:
  double estimated_from(std::size_t part) const;

  std::vector<double> estimates_s_;
  std::optional<double> budget_s_;
  Clock::time_point begin_;
  Clock::time_point part_begin_;
  std::size_t part_ = 0;
  double correction_ = 1;  // measured over estimated, of the parts that are done
  std::optional<Clock::time_point> deadline_;
};

// "40 s", "6 min", "1 h 20 min".
std::string duration_text(double seconds);

// Seconds of "90s", "5m", "1h30m" or "2h"; a bare number is minutes. Errors: kUsage, naming the
// flag or field: another form, 0, or more than a year.
Result<double> parse_duration(std::string_view name, std::string_view text);

// What a placement's estimate rests on.
struct PlacementWork {
  double table_bytes = 0;  // flat, codes as stored
  bool copies = false;     // the table is built in the medium
  std::size_t cold_cells = 0;
  std::size_t warm_cells = 0;
  std::size_t thread_counts = 1;
  std::size_t repetitions = 1;
};
double estimate_s(const PlacementWork& work);

}  // namespace hdbench::bench
