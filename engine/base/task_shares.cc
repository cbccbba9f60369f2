#include "engine/base/task_shares.h"

#include <algorithm>

#include "engine/base/check.h"

namespace hdbench {
namespace {

std::uint64_t pack(std::uint64_t begin, std::uint64_t end) { return begin << 32 | end; }
std::uint64_t begin_of(std::uint64_t packed) { return packed >> 32; }
std::uint64_t end_of(std::uint64_t packed) { return packed & UINT32_MAX; }

}  // namespace

std::optional<std::size_t> TaskShares::Range::take_front() {
  std::uint64_t old = packed.load(std::memory_order_relaxed);
  while (begin_of(old) < end_of(old)) {
    if (packed.compare_exchange_weak(old, pack(begin_of(old) + 1, end_of(old)),
                                     std::memory_order_relaxed)) {
      return begin_of(old);
    }
  }
  return std::nullopt;
}

std::pair<std::uint64_t, std::uint64_t> TaskShares::Range::take_back_half() {
  std::uint64_t old = packed.load(std::memory_order_relaxed);
  while (begin_of(old) < end_of(old)) {
    const std::uint64_t middle = begin_of(old) + (end_of(old) - begin_of(old)) / 2;
    if (packed.compare_exchange_weak(old, pack(begin_of(old), middle), std::memory_order_relaxed)) {
      return {middle, end_of(old)};
    }
  }
  return {0, 0};
}

TaskShares::TaskShares(const std::vector<int>& groups)
    : ranges_(groups.size()), victims_(groups.size()) {
  HDB_CHECK(!groups.empty(), "tasks are shared among at least one worker");
  for (std::size_t worker = 0; worker < groups.size(); ++worker) {
    std::vector<std::size_t>& victims = victims_[worker];
    for (std::size_t step = 1; step < groups.size(); ++step)
      victims.push_back((worker + step) % groups.size());
    std::stable_partition(victims.begin(), victims.end(),
                          [&](std::size_t other) { return groups[other] == groups[worker]; });
  }
}

void TaskShares::set(std::size_t tasks, std::size_t workers) {
  for (std::size_t worker = 0; worker < ranges_.size(); ++worker) {
    const bool takes_part = worker < workers;
    ranges_[worker].packed.store(
        takes_part ? pack(tasks * worker / workers, tasks * (worker + 1) / workers) : 0,
        std::memory_order_relaxed);
  }
}

std::optional<std::size_t> TaskShares::next(std::size_t worker) {
  do {
    if (const auto task = ranges_[worker].take_front()) return task;
  } while (steal(worker));
  return std::nullopt;
}

bool TaskShares::steal(std::size_t worker) {
  for (const std::size_t victim : victims_[worker]) {
    const auto [begin, end] = ranges_[victim].take_back_half();
    if (begin == end) continue;
    ranges_[worker].packed.store(pack(begin, end), std::memory_order_relaxed);
    return true;
  }
  return false;
}

}  // namespace hdbench
