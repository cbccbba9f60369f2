// A pass that a store reads ahead (PassReader), as its morsels see it: a morsel waits for the
// blocks that it reads, and the last one of a block lets it go.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/store.h"
#include "engine/exec/prefetch_plan.h"

namespace hdbench {

class AwaitedPass {
 public:
  // Null: the store does not read this pass ahead. `keep`: what it reads stays in memory as long as
  // this lives, for a later pass.
  static std::unique_ptr<AwaitedPass> begin(Store& store, const PrefetchPlan& plan, bool keep);

  // A worker begins a morsel, and has read it. Thread-safe. Requires: each morsel once at most.
  void begin_morsel(std::size_t morsel);
  void end_morsel(std::size_t morsel);

 private:
  // The blocks of the same rows: one of each field.
  struct Batch {
    std::vector<std::size_t> blocks;  // in the order in which they are read
    std::atomic<std::size_t> morsels_left{0};
  };

  AwaitedPass(std::unique_ptr<PassReader> reader, const PrefetchPlan& plan);

  std::unique_ptr<PassReader> reader_;
  std::vector<std::uint32_t> batch_of_;  // by morsel; kNone: nothing was read ahead of it
  std::unique_ptr<Batch[]> batches_;
};

}  // namespace hdbench
