#include "engine/operator/selected_median.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/base/check.h"
#include "engine/column/order_key.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/bucket.h"
#include "engine/kernel/scan.h"
#include "engine/kernel/split_sum.h"
#include "engine/kernel/take.h"
#include "engine/operator/gather.h"

namespace hdbench {
namespace {

// The middle ones of a group's values.
struct Middle {
  MiddlePlaces places;
  std::uint64_t below = 0;  // values before the wanted ones
  // The values that may be the middle ones: low <= value <= high.
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

class SelectedMedian final : public Aggregator {
 public:
  SelectedMedian(QType type, ValueRange range, std::pmr::memory_resource& resource)
      : type_(type),
        buckets_(make_buckets(range.low, range.high)),
        counts_(&resource),
        middles_(&resource),
        groups_(&resource),
        values_(&resource) {}

  void resize(std::size_t groups) override {
    HDB_CHECK(groups <= kSelectedMedianGroupsMax, "each group has its buckets");
    counts_.resize(groups * kBucketSlots, 0);
  }

  void update(const AggregateBatch& batch) override {
    each_block(batch.count, [&](std::size_t start, std::size_t count) {
      const double* const values =
          doubles_of(type_, batch.values + start * type_width(type_), count, buffer_);
      const std::uint32_t* const groups = batch.groups + start;
      if (first_pass_ == nullptr) {
        to_buckets(values, count, buckets_, numbers_);
        std::uint64_t* const counts = counts_.data();
        for (std::size_t i = 0; i < count; ++i) ++counts[groups[i] * kBucketSlots + numbers_[i]];
        return;
      }
      keep_of_batch(values, groups, count);
    });
  }

  FewGroups few_groups() const override { return FewGroups::kBatch; }

  void update_run(const AggregateRun& run) override {
    each_block(run.rows, [&](std::size_t start, std::size_t rows) {
      const double* const values =
          doubles_of(type_, run.values + start * type_width(type_), rows, buffer_);
      const std::uint64_t* const bits =
          run.bits == nullptr ? nullptr : run.bits + start / kWordRows;
      if (first_pass_ == nullptr) {
        count_run(run.group, values, rows, bits);
      } else {
        keep_run(run.group, values, rows, bits);
      }
    });
  }

  void merge(Aggregator& other, std::span<const std::uint32_t> mapping) override {
    const auto& theirs = static_cast<const SelectedMedian&>(other);
    if (first_pass_ != nullptr) {
      for (const std::uint32_t g : theirs.groups_) groups_.push_back(mapping[g]);
      values_.insert(values_.end(), theirs.values_.begin(), theirs.values_.end());
      return;
    }
    for (std::size_t g = 0; g < mapping.size(); ++g) {
      for (std::size_t b = 0; b < kBucketSlots; ++b)
        counts_[mapping[g] * kBucketSlots + b] += theirs.counts_[g * kBucketSlots + b];
    }
  }

  bool needs_second_pass() const override { return first_pass_ == nullptr; }

  void begin_second_pass(const Aggregator& merged) override {
    first_pass_ = static_cast<const SelectedMedian*>(&merged);
    if (first_pass_ == this) find_middles();
  }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t>,
              std::byte* results) override {
    // Counting sort by group.
    std::pmr::memory_resource* const resource = groups_.get_allocator().resource();
    std::pmr::vector<std::size_t> ends(middles_.size() + 1, 0, resource);
    for (const std::uint32_t g : groups_) ++ends[g + 1];
    for (std::size_t g = 1; g < ends.size(); ++g) ends[g] += ends[g - 1];
    std::pmr::vector<double> sorted(values_.size(), resource);
    for (std::size_t i = 0; i < values_.size(); ++i) sorted[ends[groups_[i]]++] = values_[i];
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t g = order[i];
      const std::size_t begin = g == 0 ? 0 : ends[g - 1];
      const double result =
          middle_of(middles_[g], std::span(sorted).subspan(begin, ends[g] - begin));
      std::memcpy(results + i * sizeof(result), &result, sizeof(result));
    }
  }

 private:
  // Buckets, and one for nulls.
  static constexpr std::size_t kBucketSlots = kBuckets + 1;

  void count_run(std::uint32_t group, const double* values, std::size_t rows,
                 const std::uint64_t* bits) {
    to_buckets(values, rows, buckets_, numbers_);
    std::uint64_t* const counts = counts_.data() + group * kBucketSlots;
    if (bits == nullptr) {
      for (std::size_t i = 0; i < rows; ++i) ++counts[numbers_[i]];
      return;
    }
    const std::size_t count = take_positions(bits, rows, positions_);
    for (std::size_t i = 0; i < count; ++i) ++counts[numbers_[positions_[i]]];
  }

  // The groups' middles lie close together, or few values are in any one: those that may be one of
  // any group are found first.
  void keep_of_batch(const double* values, const std::uint32_t* groups, std::size_t count) {
    const auto& middles = first_pass_->middles_;
    std::uint64_t bits[kSplitRowsMax / kWordRows];
    scan_range(ScanType::kF64, reinterpret_cast<const std::byte*>(values),
               float_order_key(first_pass_->lowest_), float_order_key(first_pass_->highest_),
               {bits, count, /*narrow=*/false, /*negated=*/false});
    const std::size_t found = take_positions(bits, count, positions_);
    for (std::size_t i = 0; i < found; ++i) {
      const std::size_t row = positions_[i];
      const Middle& middle = middles[groups[row]];
      if (values[row] >= middle.low && values[row] <= middle.high) keep(groups[row], values[row]);
    }
  }

  void keep_run(std::uint32_t group, const double* values, std::size_t rows,
                const std::uint64_t* bits) {
    const Middle& middle = first_pass_->middles_[group];
    if (middle.low > middle.high) return;
    std::uint64_t kept[kSplitRowsMax / kWordRows];
    const bool narrow = bits != nullptr;
    if (narrow) std::copy_n(bits, words_for(rows), kept);
    scan_range(ScanType::kF64, reinterpret_cast<const std::byte*>(values),
               float_order_key(middle.low), float_order_key(middle.high),
               {kept, rows, narrow, false});
    const std::size_t count = take_positions(kept, rows, positions_);
    for (std::size_t i = 0; i < count; ++i) keep(group, values[positions_[i]]);
  }

  // -0 and 0 are equal: which one is in the middle must not depend on order.
  void keep(std::uint32_t group, double value) {
    groups_.push_back(group);
    values_.push_back(value + 0.0);
  }

  void find_middles() {
    const std::size_t groups = counts_.size() / kBucketSlots;
    middles_.assign(groups, {});
    for (std::size_t g = 0; g < groups; ++g) {
      const std::uint64_t* const counts = counts_.data() + g * kBucketSlots;
      Middle& middle = middles_[g];
      middle.places = middle_places(std::accumulate(counts, counts + kBuckets, std::uint64_t{0}),
                                    counts[kBuckets]);
      if (middle.places.is_null) continue;
      std::size_t b = 0;
      while (middle.below + counts[b] <= middle.places.low) middle.below += counts[b++];
      middle.low = least_in_bucket(b, buckets_);
      std::uint64_t through = middle.below;
      while (through + counts[b] <= middle.places.high) through += counts[b++];
      middle.high = greatest_in_bucket(b, buckets_);
      lowest_ = std::min(lowest_, middle.low);
      highest_ = std::max(highest_, middle.high);
    }
  }

  static double middle_of(const Middle& middle, std::span<double> kept) {
    const MiddlePlaces& places = middle.places;
    if (places.is_null) return std::numeric_limits<double>::quiet_NaN();
    const auto upper = kept.begin() + static_cast<std::ptrdiff_t>(places.high - middle.below);
    std::nth_element(kept.begin(), upper, kept.end());
    if (places.low == places.high) return *upper;
    return (*std::max_element(kept.begin(), upper) + *upper) / 2;
  }

  QType type_;
  Buckets buckets_;
  const SelectedMedian* first_pass_ = nullptr;  // null: this is the first pass
  std::pmr::vector<std::uint64_t> counts_;
  std::pmr::vector<Middle> middles_;                         // of the merged one
  double lowest_ = std::numeric_limits<double>::infinity();  // of all middles
  double highest_ = -std::numeric_limits<double>::infinity();
  std::pmr::vector<std::uint32_t> groups_;
  std::pmr::vector<double> values_;
  alignas(64) double buffer_[kSplitRowsMax];
  alignas(64) std::uint32_t numbers_[kSplitRowsMax];
  std::uint16_t positions_[kSplitRowsMax + kPositionsSlack];
};

}  // namespace

ValueRange sampled_range(const Schema& schema, std::span<const PartitionView> views,
                         std::size_t field) {
  constexpr std::uint64_t kPlaces = 64;
  constexpr std::uint64_t kRowsAPlace = 64;
  const QType type = schema.fields[field].type;
  std::byte packed[kRowsAPlace * sizeof(double)];
  double values[kRowsAPlace];
  ValueRange range{std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity()};
  const std::uint64_t places = kPlaces / std::max<std::uint64_t>(1, views.size()) + 1;
  const std::uint64_t step = views.size() / kPlaces + 1;
  for (std::size_t s = 0; s < views.size(); s += step) {
    const PartitionView& view = views[s];
    for (std::uint64_t place = 0; place < places && view.rows != 0; ++place) {
      const std::uint64_t begin = view.rows * place / places;
      const RowRange rows{begin, std::min(begin + kRowsAPlace, view.rows)};
      const auto count = static_cast<std::size_t>(rows.rows());
      if (!gather_morsel(schema, view, field, rows, nullptr, count, type_width(type), packed).ok())
        continue;
      const double* const doubles = doubles_of(type, packed, count, values);
      for (std::size_t i = 0; i < count; ++i) {
        if (!std::isfinite(doubles[i])) continue;
        range.low = std::min(range.low, doubles[i]);
        range.high = std::max(range.high, doubles[i]);
      }
    }
  }
  if (range.low > range.high) return {0, 1};
  const double margin = (range.high / 8 - range.low / 8);
  return {range.low - margin, range.high + margin};
}

std::unique_ptr<Aggregator> make_selected_median(QType type, ValueRange range,
                                                 std::pmr::memory_resource& resource) {
  return std::make_unique<SelectedMedian>(type, range, resource);
}

}  // namespace hdbench
