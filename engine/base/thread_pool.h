// Worker threads, started once and pinned to cores.
//
// A pool of size n is the calling thread and n-1 others. Only one run() at a time; the caller works
// too.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace hdbench {

// Logical CPUs this process may use, one hardware thread of every core first (through hwloc where
// it is built in).
std::vector<int> usable_cpus();

class ThreadPool {
 public:
  // threads >= 1. Threads beyond the usable CPUs share them.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const;

  // Calls work(task, worker) for every task in [0, tasks), each once, on workers [0, size()). Tasks
  // are taken in rising order. Returns when all are done. The first exception thrown by a task
  // (lowest task number) is rethrown after the tasks already taken have ended; tasks not yet taken
  // are then dropped.
  void run(std::size_t tasks,
           const std::function<void(std::size_t task, std::size_t worker)>& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hdbench
