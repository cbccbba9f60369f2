#include "bench/storage/group_rate.h"

#include <algorithm>

#include "bench/base/statistics.h"

namespace hdbench {

double wall_seconds(const std::vector<ProcessFigures>& told) {
  const auto begin = std::ranges::min_element(told, {}, &ProcessFigures::begin_ns)->begin_ns;
  const auto end = std::ranges::max_element(told, {}, &ProcessFigures::end_ns)->end_ns;
  return static_cast<double>(std::max<std::uint64_t>(end - begin, 1)) / 1e9;
}

double mb_per_s(const std::vector<ProcessFigures>& told) {
  std::uint64_t bytes = 0;
  for (const ProcessFigures& one : told) bytes += one.bytes;
  return static_cast<double>(bytes) / 1e6 / wall_seconds(told);
}

double ms_per_operation(const std::vector<ProcessFigures>& told) {
  double seconds = 0;
  std::uint64_t operations = 0;
  for (const ProcessFigures& one : told) {
    seconds += one.seconds();
    operations += one.operations;
  }
  return seconds * 1e3 / static_cast<double>(std::max<std::uint64_t>(operations, 1));
}

double spread_of(const std::vector<ProcessFigures>& told) {
  std::vector<double> rates;
  for (const ProcessFigures& one : told) {
    const std::uint64_t work = one.bytes != 0 ? one.bytes : one.operations;
    rates.push_back(static_cast<double>(work) / std::max(one.seconds(), 1e-9));
  }
  return summarise(rates).relative_spread;
}

}  // namespace hdbench
