// How a pool's tasks are shared among its workers, without a lock.
//
// Each worker begins with a contiguous range of the tasks, so that neighbouring tasks (neighbouring
// memory) stay on one core. A worker without tasks takes the back half of another's range: first of
// those in its own group (the CPUs of one memory node), and of other groups only when its own has
// none left. So work moves freely within a node, and between nodes only where one would be idle.
//
// Apart from the pool because tests and simulations share tasks out in virtual time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hdbench {

class TaskShares {
 public:
  // groups: one number a worker; equal ones belong together. Requires: at least one worker.
  explicit TaskShares(const std::vector<int>& groups);

  // Gives the tasks [0, tasks) to the first `workers`, each a range of equal length. Requires: no
  // next() is going on; tasks < 2^32; 1 <= workers <= those of the constructor.
  void set(std::size_t tasks, std::size_t workers);

  // The worker's next task; nothing: none is left. Each task is given once. Called by several
  // threads, each for its own worker.
  std::optional<std::size_t> next(std::size_t worker);

 private:
  // Tasks [begin, end) in one word: the owner takes from the front, others the back half.
  struct alignas(64) Range {
    std::atomic<std::uint64_t> packed{0};

    std::optional<std::size_t> take_front();
    // Rounded up; empty (begin == end) where there is none.
    std::pair<std::uint64_t, std::uint64_t> take_back_half();
  };

  bool steal(std::size_t worker);

  std::vector<Range> ranges_;
  std::vector<std::vector<std::size_t>> victims_;  // by worker, in the order of asking
};

}  // namespace hdbench
