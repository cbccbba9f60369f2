// A pass that a store reads ahead (PassReader), by morsels: a morsel waits for the blocks that it
// reads, and the last reader of a block releases it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/store.h"
#include "engine/exec/prefetch_plan.h"

namespace hdbench {

class ReadAheadWaiter {
 public:
  // Null: the store does not read this pass ahead.
  static std::unique_ptr<ReadAheadWaiter> begin(Store& store, const PrefetchPlan& plan);

  // A worker begins a morsel, and has read it. Thread-safe. Requires: each morsel once at most. By
  // field these do nothing, and the next two are called.
  void begin_morsel(std::size_t morsel);
  void end_morsel(std::size_t morsel);

  // The same of one of its fields, the `place`th of those that it reads. Requires: a plan by field,
  // in which the morsel reads so many; each field of a morsel once at most.
  void begin_field(std::size_t morsel, std::size_t place);
  void end_field(std::size_t morsel, std::size_t place);

 private:
  // The blocks of the same rows, one of each field, in the order in which they are read.
  using Batch = std::vector<std::size_t>;

  ReadAheadWaiter(std::unique_ptr<PassReader> reader, const PrefetchPlan& plan);

  const Batch& batch(std::size_t morsel) const;  // empty: nothing was read ahead of it
  void end_one(std::size_t block);

  std::unique_ptr<PassReader> reader_;
  bool by_field_;
  std::vector<std::uint32_t> batch_of_;  // by morsel; 0: the empty one
  std::vector<Batch> batches_;
  std::unique_ptr<std::atomic<std::size_t>[]> morsels_left_;  // by block
};

}  // namespace hdbench
