// The program's thread pool: one at a time, because pools pin the thread that makes them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/thread_pool.h"

namespace hdbench {

class OnePool {
 public:
  // Made before any pool, while this thread may still use every CPU.
  OnePool() : cpus_(usable_cpus()) {}

  // Those that this process may use.
  std::span<const int> cpus() const { return cpus_; }
  // What `-s all` means.
  std::size_t all_threads() const { return cpus_.size(); }

  // A pool of that many threads, valid until another size is asked for.
  ThreadPool& of(std::size_t threads) {
    if (!pool_ || pool_->size() != threads) {
      pool_.reset();
      pool_ = std::make_unique<ThreadPool>(threads);
    }
    return *pool_;
  }
  ThreadPool& widest() { return of(cpus_.size()); }

 private:
  std::vector<int> cpus_;
  std::unique_ptr<ThreadPool> pool_;
};

}  // namespace hdbench
