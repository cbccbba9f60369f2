#include "bench/kdb/kdb_heap.h"

#include <algorithm>
#include <bit>

#include "engine/base/check.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kHeaderBytes = 16;

std::size_t power_of(std::uint64_t block) {
  return static_cast<std::size_t>(std::countr_zero(block));
}

const std::size_t kSlabOrder = power_of(kKdbSlabBytes);

std::uint64_t slabs_of(std::uint64_t bytes) {
  return (bytes + kKdbSlabBytes - 1) / kKdbSlabBytes * kKdbSlabBytes;
}

}  // namespace

std::uint64_t kdb_block_bytes(std::uint64_t elements_bytes) {
  return std::bit_ceil(kHeaderBytes + elements_bytes);
}

KdbVector& KdbVector::operator=(KdbVector&& other) noexcept {
  release();
  heap_ = std::exchange(other.heap_, nullptr);
  label_ = other.label_;
  elements_bytes_ = other.elements_bytes_;
  return *this;
}

void KdbVector::release() {
  if (heap_ != nullptr) std::exchange(heap_, nullptr)->release(*this);
}

KdbVector KdbHeap::vector(std::uint64_t count, std::uint64_t width, const std::string& what) {
  const auto [place, is_new] = labels_.try_emplace(what, held_.size());
  if (is_new) held_.emplace_back();
  KdbVector made;
  made.heap_ = this;
  made.label_ = place->second;
  made.elements_bytes_ = count * width;
  const std::uint64_t block = kdb_block_bytes(made.elements_bytes_);
  take(block);
  held_[made.label_].blocks += 1;
  held_[made.label_].bytes += block;
  const std::uint64_t used = small_used_ + large_used_;
  peaks_.heap = std::max(peaks_.heap, heap_bytes());
  peaks_.least_limit = std::max(peaks_.least_limit, slabs_of(small_used_) + large_used_);
  if (used > peaks_.used) {
    peaks_.used = used;
    held_at_peak_ = held_;
  }
  note(false, made.label_, made.elements_bytes_, block);
  return made;
}

void KdbHeap::release(const KdbVector& vector) {
  const std::uint64_t block = kdb_block_bytes(vector.elements_bytes_);
  give_back(block);
  held_[vector.label_].blocks -= 1;
  held_[vector.label_].bytes -= block;
  note(true, vector.label_, vector.elements_bytes_, block);
}

void KdbHeap::take(std::uint64_t block) {
  const std::size_t order = power_of(block);
  if (block > kKdbSlabBytes) {
    large_used_ += block;
    if (free_[order] > 0)
      --free_[order];
    else
      large_ += block;
    return;
  }
  small_used_ += block;
  std::size_t from = order;
  while (from <= kSlabOrder && free_[from] == 0) ++from;
  if (from > kSlabOrder) {
    from = kSlabOrder;
    ++slabs_;
  } else {
    --free_[from];
  }
  // The halves that are left over, one of each power.
  while (from > order) ++free_[--from];
}

void KdbHeap::give_back(std::uint64_t block) {
  const bool is_large = block > kKdbSlabBytes;
  (is_large ? large_used_ : small_used_) -= block;
  if (keeps_large_ || block < kKdbSlabBytes)
    ++free_[power_of(block)];
  else if (is_large)
    large_ -= block;
  else
    --slabs_;
}

std::uint64_t KdbHeap::heap_bytes() const { return slabs_ * kKdbSlabBytes + large_; }

void KdbHeap::note(bool is_free, std::size_t label, std::uint64_t elements_bytes,
                   std::uint64_t block) {
  if (!records_) return;
  const auto named = std::find_if(labels_.begin(), labels_.end(),
                                  [&](const auto& entry) { return entry.second == label; });
  HDB_CHECK(named != labels_.end(), "a label of this heap");
  events_.push_back(
      {is_free, named->first, elements_bytes, block, small_used_ + large_used_, heap_bytes()});
}

std::vector<KdbHolding> KdbHeap::held_at_peak() const {
  std::vector<KdbHolding> holdings;
  for (const auto& [what, label] : labels_) {
    if (label >= held_at_peak_.size() || held_at_peak_[label].blocks == 0) continue;
    holdings.push_back({what, held_at_peak_[label].blocks, held_at_peak_[label].bytes});
  }
  std::stable_sort(holdings.begin(), holdings.end(),
                   [](const KdbHolding& a, const KdbHolding& b) { return a.bytes > b.bytes; });
  return holdings;
}

}  // namespace hdbench::bench
