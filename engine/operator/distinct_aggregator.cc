// count distinct: every value is kept once with its group.
#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/kernel/bits.h"
#include "engine/kernel/compact.h"
#include "engine/kernel/order_keys.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/group_index.h"

namespace hdbench {
namespace {

class DistinctAggregator final : public Aggregator {
 public:
  DistinctAggregator(QType type, std::pmr::memory_resource& resource)
      : type_(type),
        width_(type_width(type)),
        index_(std::vector<std::uint64_t>(width_ == 16 ? 3 : 2, 0), resource),
        counts_(&resource) {}

  void resize(std::size_t groups) override { counts_.resize(groups); }

  void update(const AggregateBatch& batch) override {
    for (std::size_t start = 0; start < batch.count; start += kRowsAtOnce) {
      const std::size_t count = std::min(kRowsAtOnce, batch.count - start);
      std::copy_n(batch.groups + start, count, words_[0]);
      add(batch.values + start * width_, count);
    }
  }

  FewGroups few_groups() const override { return FewGroups::kBatch; }

  void update_run(const AggregateRun& run) override {
    std::fill_n(words_[0], kRowsAtOnce, run.group);
    for (std::size_t start = 0; start < run.rows; start += kRowsAtOnce) {
      const std::size_t count = std::min(kRowsAtOnce, run.rows - start);
      const std::byte* const values = run.values + start * width_;
      if (run.bits == nullptr) {
        add(values, count);
        continue;
      }
      const CompactSource source{width_, values, count, run.bits + start / kWordRows};
      add(packed_, compact(source, packed_, Stores::kCached).count);
    }
  }

  void merge(Aggregator& other, std::span<const std::uint32_t> mapping) override {
    const GroupIndex& theirs = static_cast<DistinctAggregator&>(other).index_;
    for (std::uint32_t k = 0; k < theirs.size(); ++k) {
      const std::uint64_t* const key = theirs.key(k);
      words_[0][0] = mapping[static_cast<std::size_t>(key[0])];
      for (std::size_t w = 1; w < index_.word_count(); ++w) words_[w][0] = key[w];
      assign(1);
    }
  }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t> /*row_counts*/,
              std::byte* results) override {
    std::fill(counts_.begin(), counts_.end(), 0);
    for (std::uint32_t k = 0; k < index_.size(); ++k)
      ++counts_[static_cast<std::size_t>(index_.key(k)[0])];
    for (std::size_t i = 0; i < order.size(); ++i)
      std::memcpy(results + i * sizeof(std::uint64_t), &counts_[order[i]], sizeof(std::uint64_t));
  }

 private:
  static constexpr std::size_t kRowsAtOnce = 512;

  // Values of the groups that words_[0] has.
  void add(const std::byte* values, std::size_t count) {
    if (type_ == QType::kSymbol) {
      to_words(width_, values, count, words_[1]);
    } else if (width_ == 16) {
      for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(&words_[1][i], values + i * width_, sizeof(std::uint64_t));
        std::memcpy(&words_[2][i], values + i * width_ + 8, sizeof(std::uint64_t));
      }
    } else {
      std::int64_t keys[kRowsAtOnce];
      to_order_keys(type_, values, count, keys);
      std::copy_n(keys, count, words_[1]);
    }
    assign(count);
  }

  void assign(std::size_t count) {
    const std::uint64_t* const words[] = {words_[0], words_[1], words_[2]};
    index_.assign(std::span(words).first(index_.word_count()), count, numbers_);
  }

  QType type_;
  std::uint32_t width_;
  GroupIndex index_;  // of a group and a value
  std::pmr::vector<std::uint64_t> counts_;
  std::uint64_t words_[3][kRowsAtOnce];
  std::uint32_t numbers_[kRowsAtOnce];
  alignas(64) std::byte packed_[kRowsAtOnce * 16];
};

}  // namespace

std::unique_ptr<Aggregator> make_distinct_count(QType type, std::pmr::memory_resource& resource) {
  return std::make_unique<DistinctAggregator>(type, resource);
}

}  // namespace hdbench
