#include "engine/base/map_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

namespace hdbench {
namespace {

// A line each.
std::uint64_t maps_of_this_process() {
  std::ifstream maps("/proc/self/maps");
  return static_cast<std::uint64_t>(
      std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n'));
}

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::optional<std::uint64_t> map_count_max() {
  std::ifstream file("/proc/sys/vm/max_map_count");
  std::uint64_t limit = 0;
  if (!(file >> limit)) return std::nullopt;
  return limit;
}

std::string map_limit_advice(std::uint64_t limit, std::uint64_t columns) {
  constexpr std::uint64_t kStep = 65536;
  std::uint64_t enough = kStep;
  while (column_maps_of(enough) < columns + kStep / 8) enough += kStep;
  return fmt::format("vm.max_map_count is {}: as root: sysctl -w vm.max_map_count={}", limit,
                     enough);
}

MapBudget::MapBudget(std::optional<std::uint64_t> limit)
    : limit_(limit.value_or(kNoLimit)), all_(kNoLimit) {
  if (limit_ == kNoLimit) return;
  const std::uint64_t columns = column_maps_of(limit_);
  all_ = columns - std::min(columns, maps_of_this_process());
}

bool MapBudget::take(std::uint64_t maps) {
  if (taken_.fetch_add(maps) + maps <= all_) return true;
  taken_ -= maps;
  is_short_ = true;
  return false;
}

void MapBudget::enroll(const void* holder, std::function<void()> release) {
  const std::lock_guard lock(mutex_);
  holders_[holder] = std::move(release);
}

void MapBudget::leave(const void* holder) {
  const std::lock_guard lock(mutex_);
  holders_.erase(holder);
}

bool MapBudget::release_all() {
  const std::lock_guard lock(mutex_);
  if (!is_short_.exchange(false)) return false;
  for (const auto& [holder, release] : holders_) release();
  return true;
}

}  // namespace hdbench
