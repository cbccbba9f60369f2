#include "bench/model/time_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace hdbench::bench {
namespace {

double seconds_between(TimeBudget::Clock::time_point from, TimeBudget::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

TimeBudget::Clock::time_point after(TimeBudget::Clock::time_point from, double seconds) {
  return from + std::chrono::duration_cast<TimeBudget::Clock::duration>(
                    std::chrono::duration<double>(seconds));
}

}  // namespace

TimeBudget::TimeBudget(std::vector<double> estimates_s, std::optional<double> budget_s,
                       Clock::time_point begin)
    : estimates_s_(std::move(estimates_s)),
      budget_s_(budget_s),
      begin_(begin),
      part_begin_(begin) {}

double TimeBudget::estimated_from(std::size_t part) const {
  const auto from = estimates_s_.begin() + static_cast<std::ptrdiff_t>(part);
  return std::accumulate(from, estimates_s_.end(), 0.0);
}

void TimeBudget::begin_part(std::size_t part, Clock::time_point now) {
  part_ = part;
  part_begin_ = now;
  const double estimated = estimated_from(0) - estimated_from(part);
  if (estimated > 0) correction_ = seconds_between(begin_, now) / estimated;
  if (!budget_s_) return;
  const double left = std::max(0.0, *budget_s_ - seconds_between(begin_, now));
  const double all = estimated_from(part);
  deadline_ = after(now, all > 0 ? left * estimates_s_[part] / all : left);
}

double TimeBudget::left_s(double part_done, Clock::time_point now) const {
  if (part_ >= estimates_s_.size()) return 0;
  const double later = estimated_from(part_ + 1) * correction_;
  const double spent = seconds_between(part_begin_, now);
  const double of_part =
      part_done > 0.02 ? spent * (1 - part_done) / part_done : estimates_s_[part_] * correction_;
  const double left = of_part + later;
  return budget_s_ ? std::min(left, std::max(0.0, *budget_s_ - seconds_between(begin_, now)))
                   : left;
}

double TimeBudget::done(double part_done, Clock::time_point now) const {
  const double spent = seconds_between(begin_, now);
  const double left = left_s(part_done, now);
  return spent + left > 0 ? std::clamp(spent / (spent + left), 0.0, 1.0) : 0;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(std::max(0.0, seconds)));
  if (whole < 100) return fmt::format("{} s", whole);
  const long long minutes = (whole + 59) / 60;
  if (minutes < 100) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

Result<double> parse_duration(std::string_view name, std::string_view text) {
  struct Unit {
    char letter;
    double seconds;
  };
  constexpr Unit kUnits[] = {{'h', 3600}, {'m', 60}, {'s', 1}};
  constexpr double kMostS = 366.0 * 24 * 3600;
  const char* at = text.data();
  const char* const end = at + text.size();
  const Unit* next = std::begin(kUnits);  // each unit once, the largest first
  double seconds = 0;
  bool is_right = at != end;
  while (is_right && at != end) {
    double number = 0;
    const bool begins = *at >= '0' && *at <= '9';
    const auto [stop, failed] = std::from_chars(at, end, number, std::chars_format::fixed);
    is_right = begins && failed == std::errc();
    if (!is_right) break;
    if (stop == end && at == text.data()) {
      seconds = 60 * number;
      break;
    }
    next = std::find_if(next, std::end(kUnits),
                        [&](const Unit& one) { return stop != end && one.letter == *stop; });
    is_right = next != std::end(kUnits);
    if (!is_right) break;
    seconds += number * next++->seconds;
    at = stop + 1;
  }
  if (is_right && seconds > 0 && seconds <= kMostS) return seconds;
  return usage_error(fmt::format(
      "{}: '{}' is no time, expected such as 90s, 5m, 1h30m, or a number of minutes, above 0", name,
      text));
}

double estimate_s(const PlacementWork& work) {
  // The mean query of the eleven reads and writes about half of a nine-column table's bytes.
  const double cell_bytes = 0.5 * work.table_bytes;
  constexpr double kColdBytesPerS = 1e9;
  constexpr double kWarmBytesPerS = 1e10;
  constexpr double kCopyBytesPerS = 1e9;
  constexpr double kCellS = 0.005;    // what is around a cell: its workspace, its checksum
  constexpr double kColdCellS = 0.3;  // evicting, idleness, and the proof
  constexpr double kCeilingsS = 0.6;  // a round of them, on one thread count
  const double cold_s =
      static_cast<double>(work.cold_cells) * (cell_bytes / kColdBytesPerS + kColdCellS);
  const double warm_s =
      static_cast<double>(work.warm_cells) * (cell_bytes / kWarmBytesPerS + kCellS);
  const double ceilings_s = kCeilingsS * static_cast<double>(work.thread_counts);
  // The untimed round measures them too, and so does the end.
  return (work.copies ? work.table_bytes / kCopyBytesPerS : 0) + warm_s + 2 * ceilings_s +
         (cold_s + warm_s + ceilings_s) * static_cast<double>(work.repetitions);
}

}  // namespace hdbench::bench
