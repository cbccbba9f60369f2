// count distinct: every value is kept once with its group, codes of a small domain as bits.
#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "engine/kernel/bits.h"
#include "engine/kernel/compact.h"
#include "engine/kernel/order_keys.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/group_index.h"

namespace hdbench {
namespace {

// A thread's bits of all groups stay near a core's second-level cache.
constexpr std::size_t kBitWordsMax = std::size_t{1} << 17;

class DistinctAggregator final : public Aggregator {
 public:
  DistinctAggregator(QType type, std::uint64_t codes, std::pmr::memory_resource& resource)
      : type_(type),
        width_(type_width(type)),
        codes_(codes),
        group_words_(codes == 0 || codes > kBitWordsMax * kWordRows
                         ? kBitWordsMax + 1
                         : words_for(static_cast<std::size_t>(codes))),
        index_(std::vector<std::uint64_t>(width_ == 16 ? 3 : 2, 0), resource),
        bits_(&resource),
        counts_(&resource) {}

  void resize(std::size_t groups) override {
    if (are_bits_) {
      if (groups > kBitWordsMax / group_words_) {
        leave_bits();
      } else {
        bits_.resize(groups * group_words_);
      }
    }
    counts_.resize(groups);
  }

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
    auto& they = static_cast<DistinctAggregator&>(other);
    if (are_bits_ && they.are_bits_) {
      for (std::size_t g = 0; g < mapping.size(); ++g) {
        std::uint64_t* const bits = bits_.data() + mapping[g] * group_words_;
        for (std::size_t w = 0; w < group_words_; ++w) bits[w] |= they.bits_[g * group_words_ + w];
      }
      return;
    }
    leave_bits();
    they.leave_bits();
    const GroupIndex& theirs = they.index_;
    for (std::uint32_t k = 0; k < theirs.size(); ++k) {
      const std::uint64_t* const key = theirs.key(k);
      words_[0][0] = mapping[static_cast<std::size_t>(key[0])];
      for (std::size_t w = 1; w < index_.word_count(); ++w) words_[w][0] = key[w];
      hash(1);
    }
  }

  void save(std::span<const std::uint32_t> order, ByteSink& out) override {
    leave_bits();
    std::pmr::vector<std::uint32_t> places(counts_.size(), 0, counts_.get_allocator().resource());
    for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<std::uint32_t>(i);
    out.put(index_.size());
    for (std::uint32_t k = 0; k < index_.size(); ++k) {
      const std::uint64_t* const key = index_.key(k);
      out.put(places[static_cast<std::size_t>(key[0])]);
      for (std::size_t w = 1; w < index_.word_count(); ++w) out.put(key[w]);
    }
  }

  void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) override {
    leave_bits();
    const auto count = in.take<std::uint32_t>();
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto place = in.take<std::uint32_t>();
      for (std::size_t w = 1; w < index_.word_count(); ++w) words_[w][0] = in.take<std::uint64_t>();
      if (in.has_failed() || place >= mapping.size()) return in.fail();
      words_[0][0] = mapping[place];
      hash(1);
    }
  }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t> /*row_counts*/,
              std::byte* results) override {
    if (are_bits_) {
      for (std::size_t g = 0; g < counts_.size(); ++g) counts_[g] = count_bits(g);
    } else {
      std::fill(counts_.begin(), counts_.end(), 0);
    }
    for (std::uint32_t k = 0; k < index_.size(); ++k)
      ++counts_[static_cast<std::size_t>(index_.key(k)[0])];
    for (std::size_t i = 0; i < order.size(); ++i)
      std::memcpy(results + i * sizeof(std::uint64_t), &counts_[order[i]], sizeof(std::uint64_t));
  }

 private:
  static constexpr std::size_t kRowsAtOnce = 512;

  // Values of the groups that words_[0] has.
  void add(const std::byte* values, std::size_t count) {
    if (type_ == QType::kSymbol || width_ == 1) {
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
    if (are_bits_ && !set_bits(count)) leave_bits();
    if (!are_bits_) hash(count);
  }

  std::uint64_t count_bits(std::size_t group) const {
    std::uint64_t count = 0;
    for (std::size_t w = 0; w < group_words_; ++w)
      count += static_cast<std::uint64_t>(std::popcount(bits_[group * group_words_ + w]));
    return count;
  }

  // False, with nothing set, where a code is beyond the domain: a damaged column's.
  bool set_bits(std::size_t count) {
    const std::uint64_t* const codes = words_[1];
    if (*std::max_element(codes, codes + count) >= codes_) return false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = words_[0][i] * group_words_ + codes[i] / kWordRows;
      bits_[at] |= std::uint64_t{1} << codes[i] % kWordRows;
    }
    return true;
  }

  // From here on values are hashed. Where memory ends in between, all are hashed again: each is
  // kept once.
  void leave_bits() {
    if (!are_bits_) return;
    for (std::size_t at = 0; at < bits_.size(); ++at) {
      for (std::uint64_t word = bits_[at]; word != 0; word &= word - 1) {
        const std::uint64_t key[] = {
            at / group_words_,
            at % group_words_ * kWordRows + static_cast<std::uint64_t>(std::countr_zero(word))};
        const std::uint64_t* const words[] = {&key[0], &key[1]};
        index_.assign(words, 1, numbers_);
      }
    }
    are_bits_ = false;
    bits_.clear();
    bits_.shrink_to_fit();
  }

  void hash(std::size_t count) {
    const std::uint64_t* const words[] = {words_[0], words_[1], words_[2]};
    index_.assign(std::span(words).first(index_.word_count()), count, numbers_);
  }

  QType type_;
  std::uint32_t width_;
  std::uint64_t codes_;
  std::size_t group_words_;  // of bits
  bool are_bits_ = group_words_ <= kBitWordsMax;
  GroupIndex index_;                      // of a group and a value, else
  std::pmr::vector<std::uint64_t> bits_;  // by group, one a code
  std::pmr::vector<std::uint64_t> counts_;
  std::uint64_t words_[3][kRowsAtOnce];
  std::uint32_t numbers_[kRowsAtOnce];
  alignas(64) std::byte packed_[kRowsAtOnce * 16];
};

}  // namespace

std::unique_ptr<Aggregator> make_distinct_count(QType type, std::uint64_t codes,
                                                std::pmr::memory_resource& resource) {
  return std::make_unique<DistinctAggregator>(type, codes, resource);
}

}  // namespace hdbench
