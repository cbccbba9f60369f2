#include "engine/exec/awaited_pass.h"

#include <algorithm>
#include <utility>

namespace hdbench {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

}  // namespace

std::unique_ptr<AwaitedPass> AwaitedPass::begin(Store& store, const PrefetchPlan& plan, bool keep) {
  PassOrder order;
  order.keep = keep;
  order.at_once = plan.blocks_at_once;
  order.blocks.reserve(plan.blocks.size());
  for (const PrefetchBlock& block : plan.blocks) order.blocks.push_back(block.bytes);
  std::unique_ptr<PassReader> reader = store.read_pass(order);
  if (!reader) return nullptr;
  return std::unique_ptr<AwaitedPass>(new AwaitedPass(std::move(reader), plan));
}

AwaitedPass::AwaitedPass(std::unique_ptr<PassReader> reader, const PrefetchPlan& plan)
    : reader_(std::move(reader)), batch_of_(plan.morsels, kNone) {
  std::uint32_t batches = 0;
  for (const PrefetchBlock& block : plan.blocks) {
    if (batch_of_[block.first_morsel] != kNone) continue;
    const auto first = batch_of_.begin() + static_cast<std::ptrdiff_t>(block.first_morsel);
    std::fill(first, first + static_cast<std::ptrdiff_t>(block.morsels), batches++);
  }
  batches_ = std::make_unique<Batch[]>(batches);
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    Batch& batch = batches_[batch_of_[plan.blocks[b].first_morsel]];
    batch.blocks.push_back(b);
    batch.morsels_left.store(plan.blocks[b].morsels, std::memory_order_relaxed);
  }
}

void AwaitedPass::begin_morsel(std::size_t morsel) {
  if (batch_of_[morsel] == kNone) return;
  // The last one first: whoever waits for it is woken once, not by every block.
  const std::vector<std::size_t>& blocks = batches_[batch_of_[morsel]].blocks;
  for (std::size_t b = blocks.size(); b-- > 0;) reader_->await(blocks[b]);
}

void AwaitedPass::end_morsel(std::size_t morsel) {
  if (batch_of_[morsel] == kNone) return;
  Batch& batch = batches_[batch_of_[morsel]];
  if (batch.morsels_left.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  for (const std::size_t block : batch.blocks) reader_->release(block);
}

}  // namespace hdbench
