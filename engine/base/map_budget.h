// How many memory maps the columns of a database may take: the kernel grants a process
// vm.max_map_count of them, and a column file that is mapped takes one. The tables share them: when
// no more are left, all let their columns go.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace hdbench {

// vm.max_map_count; nothing where the kernel does not say.
std::optional<std::uint64_t> map_count_max();

// Maps of `limit` (a vm.max_map_count) that all columns together may take: a quarter is left to
// what else a process maps.
constexpr std::uint64_t column_maps_of(std::uint64_t limit) { return limit / 4 * 3; }

// What raises the limit so that `columns` maps fit: "vm.max_map_count is ...: as root: sysctl ...".
std::string map_limit_advice(std::uint64_t limit, std::uint64_t columns);

class MapBudget {
 public:
  // What column_maps_of(limit) leaves beside the maps that this process has; no limit: nothing is
  // ever refused.
  explicit MapBudget(std::optional<std::uint64_t> limit);

  std::uint64_t limit() const { return limit_; }
  std::uint64_t taken() const { return taken_; }
  // False, and nothing taken, where fewer are left.
  bool take(std::uint64_t maps);
  void give_back(std::uint64_t maps) { taken_ -= maps; }

  // `release` gives back all that `holder` has taken; called until it leaves.
  void enroll(const void* holder, std::function<void()> release);
  void leave(const void* holder);
  // Where take() has failed: has all holders give back. False: it has not.
  bool release_all();

 private:
  std::uint64_t limit_;
  std::uint64_t all_;  // to be taken
  std::atomic<std::uint64_t> taken_{0};
  std::atomic<bool> is_short_{false};
  std::mutex mutex_;
  std::map<const void*, std::function<void()>> holders_;
};

}  // namespace hdbench
