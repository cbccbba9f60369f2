// The program's thread pool. There is one at a time, as a pool pins the thread that creates it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/thread_pool.h"
#include "pmem/base/cgroup_limits.h"

namespace hdbench::bench {

class OnePool {
 public:
  // Made before any pool, while this thread may still use every CPU.
  OnePool() : cpus_(usable_cpus()), all_threads_(read_cgroup_limits().threads(cpus_.size())) {}

  // The CPUs that this process may use.
  std::span<const int> cpus() const { return cpus_; }
  // The threads of `-s all`: as many CPUs as the control group lets run all the time.
  std::size_t all_threads() const { return all_threads_; }

  // A pool of that many threads, valid until another size is requested.
  ThreadPool& of(std::size_t threads) {
    if (!pool_ || pool_->size() != threads) {
      pool_.reset();
      pool_ = std::make_unique<ThreadPool>(threads);
    }
    return *pool_;
  }
  ThreadPool& widest() { return of(all_threads_); }

  // Ends the threads, and the calling thread may again run on every CPU: before another OnePool's
  // are made.
  void release() { pool_.reset(); }

 private:
  std::vector<int> cpus_;
  std::size_t all_threads_;
  std::unique_ptr<ThreadPool> pool_;
};

}  // namespace hdbench::bench
