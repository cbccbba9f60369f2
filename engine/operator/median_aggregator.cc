// med: keeps every value with its group, counts nulls, and finds the middle ones at the end.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/kernel/bits.h"
#include "engine/kernel/split_sum.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/selected_median.h"

namespace hdbench {
namespace {

class Median final : public Aggregator {
 public:
  Median(QType type, std::pmr::memory_resource& resource)
      : type_(type), groups_(&resource), values_(&resource), nulls_(&resource) {}

  void resize(std::size_t groups) override { nulls_.resize(groups, 0); }

  void update(const AggregateBatch& batch) override {
    each_block(batch.count, [&](std::size_t start, std::size_t count) {
      const double* const values =
          doubles_of(type_, batch.values + start * type_width(type_), count, buffer_);
      for (std::size_t i = 0; i < count; ++i) take(batch.groups[start + i], values[i]);
    });
  }

  FewGroups few_groups() const override { return FewGroups::kBatch; }

  void update_run(const AggregateRun& run) override {
    each_block(run.rows, [&](std::size_t start, std::size_t rows) {
      const double* const values =
          doubles_of(type_, run.values + start * type_width(type_), rows, buffer_);
      for (std::size_t w = 0; w < words_for(rows); ++w) {
        std::uint64_t word =
            run.bits == nullptr ? ~std::uint64_t{0} : run.bits[start / kWordRows + w];
        if (w + 1 == words_for(rows)) word &= tail_mask(rows);
        for (; word != 0; word &= word - 1)
          take(run.group, values[w * kWordRows + static_cast<std::size_t>(std::countr_zero(word))]);
      }
    });
  }

  void merge(Aggregator& other, std::span<const std::uint32_t> mapping) override {
    const auto& theirs = static_cast<const Median&>(other);
    for (const std::uint32_t g : theirs.groups_) groups_.push_back(mapping[g]);
    values_.insert(values_.end(), theirs.values_.begin(), theirs.values_.end());
    for (std::size_t g = 0; g < mapping.size(); ++g) nulls_[mapping[g]] += theirs.nulls_[g];
  }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t>,
              std::byte* results) override {
    // Counting sort by group, then the middle of each group's values.
    std::pmr::vector<std::size_t> starts(nulls_.size() + 1, 0, groups_.get_allocator().resource());
    for (const std::uint32_t g : groups_) ++starts[g + 1];
    for (std::size_t g = 1; g < starts.size(); ++g) starts[g] += starts[g - 1];
    std::pmr::vector<double> sorted(values_.size(), groups_.get_allocator().resource());
    std::pmr::vector<std::size_t> next(starts, groups_.get_allocator().resource());
    for (std::size_t i = 0; i < values_.size(); ++i) sorted[next[groups_[i]]++] = values_[i];
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t g = order[i];
      const double result =
          middle(std::span(sorted).subspan(starts[g], starts[g + 1] - starts[g]), nulls_[g]);
      std::memcpy(results + i * sizeof(result), &result, sizeof(result));
    }
  }

 private:
  void take(std::uint32_t group, double value) {
    if (value != value) {
      ++nulls_[group];
      return;
    }
    groups_.push_back(group);
    values_.push_back(value + 0.0);  // -0 and 0 are equal: the middle one must not depend on order
  }

  static double middle(std::span<double> values, std::uint64_t nulls) {
    const MiddlePlaces places = middle_places(values.size(), nulls);
    if (places.is_null) return std::numeric_limits<double>::quiet_NaN();
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(places.high);
    std::nth_element(values.begin(), upper, values.end());
    if (places.low == places.high) return *upper;
    return (*std::max_element(values.begin(), upper) + *upper) / 2;
  }

  QType type_;
  std::pmr::vector<std::uint32_t> groups_;
  std::pmr::vector<double> values_;
  std::pmr::vector<std::uint64_t> nulls_;  // by group
  alignas(64) double buffer_[kSplitRowsMax];
};

}  // namespace

std::unique_ptr<Aggregator> make_median(QType type, std::pmr::memory_resource& resource) {
  return std::make_unique<Median>(type, resource);
}

}  // namespace hdbench
