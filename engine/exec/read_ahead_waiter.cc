#include "engine/exec/read_ahead_waiter.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace hdbench {

std::unique_ptr<ReadAheadWaiter> ReadAheadWaiter::begin(Store& store, const PrefetchPlan& plan) {
  PassOrder order;
  order.at_once = plan.blocks_at_once;
  order.blocks.reserve(plan.blocks.size());
  for (const PrefetchBlock& block : plan.blocks) order.blocks.push_back(block.bytes);
  std::unique_ptr<PassReader> reader = store.read_pass(order);
  if (!reader) return nullptr;
  return std::unique_ptr<ReadAheadWaiter>(new ReadAheadWaiter(std::move(reader), plan));
}

ReadAheadWaiter::ReadAheadWaiter(std::unique_ptr<PassReader> reader, const PrefetchPlan& plan)
    : reader_(std::move(reader)),
      by_field_(plan.by_field),
      batch_of_(plan.morsels, 0),
      batches_(1),
      morsels_left_(std::make_unique<std::atomic<std::size_t>[]>(plan.blocks.size())) {
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    const PrefetchBlock& block = plan.blocks[b];
    const auto first = batch_of_.begin() + static_cast<std::ptrdiff_t>(block.first_morsel);
    if (*first == 0) {
      std::fill(first, first + static_cast<std::ptrdiff_t>(block.morsels),
                static_cast<std::uint32_t>(batches_.size()));
      batches_.emplace_back();
    }
    batches_[*first].push_back(b);
    morsels_left_[b].store(block.morsels, std::memory_order_relaxed);
  }
}

const ReadAheadWaiter::Batch& ReadAheadWaiter::batch(std::size_t morsel) const {
  return batches_[batch_of_[morsel]];
}

void ReadAheadWaiter::end_one(std::size_t block) {
  if (morsels_left_[block].fetch_sub(1, std::memory_order_acq_rel) == 1) reader_->release(block);
}

void ReadAheadWaiter::begin_morsel(std::size_t morsel) {
  if (by_field_) return;
  // The last one first: whoever waits for it is woken once, not by every block.
  const Batch& blocks = batch(morsel);
  for (std::size_t b = blocks.size(); b-- > 0;) reader_->await(blocks[b]);
}

void ReadAheadWaiter::end_morsel(std::size_t morsel) {
  if (by_field_) return;
  for (const std::size_t block : batch(morsel)) end_one(block);
}

void ReadAheadWaiter::begin_field(std::size_t morsel, std::size_t place) {
  HDB_DCHECK(by_field_ && place < batch(morsel).size(), "a field that the pass reads");
  reader_->await(batch(morsel)[place]);
}

void ReadAheadWaiter::end_field(std::size_t morsel, std::size_t place) {
  end_one(batch(morsel)[place]);
}

}  // namespace hdbench
