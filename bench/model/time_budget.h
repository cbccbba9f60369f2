// How long a run will take, told beforehand, and where a budget ends it.
//
// The estimate is rough: bytes over rates that any machine of these years has. What was measured
// corrects what is left of it, part by part.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hdbench {

class TimeBudget {
 public:
  using Clock = std::chrono::steady_clock;

  // A part a visit to a placement, in the order in which they are run; seconds each. No budget: no
  // part is ever cut short.
  TimeBudget(std::vector<double> estimates_s, std::optional<double> budget_s,
             Clock::time_point begin);

  double estimate_s() const;

  // This part will not be run: the others share its time.
  void drop(std::size_t part) { estimates_s_[part] = 0; }

  // Part `part` begins, at this time. Requires: parts begin in their order.
  void begin_part(std::size_t part, Clock::time_point now);
  // Of this part: its share, by the estimates, of what is left of the budget. Nothing: no budget.
  std::optional<Clock::time_point> deadline() const { return deadline_; }
  // A part's share that is done, from 0 to 1.
  double left_s(double part_done, Clock::time_point now) const;

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

}  // namespace hdbench
