// med: of many groups every value is kept with its group, and the middle ones are found at the end.
// Of few groups two passes keep fewer: the first counts values by bucket, the second keeps those of
// the buckets that contain the middle ones.
//
// Buckets divide a range that holds most values into equal parts; the outer two also take what lies
// beyond. The range affects speed, not the result.
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
#include "engine/operator/aggregator.h"
#include "engine/operator/gather.h"

namespace hdbench {
namespace {

// Places among the values in order, from 0, nulls not counted; low and high are equal where there
// is one value in the middle, or where the other one is a null.
struct MiddlePlaces {
  bool is_null = true;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// Nulls come first in q's order: they move the middle, and the mean of two leaves them out.
constexpr MiddlePlaces middle_places(std::uint64_t values, std::uint64_t nulls) {
  const std::uint64_t high = (values + nulls) / 2;
  if (values == 0 || high < nulls) return {};
  const std::uint64_t low = (values + nulls - 1) / 2;
  return {false, (low < nulls ? high : low) - nulls, high - nulls};
}

static_assert(middle_places(0, 0).is_null && middle_places(1, 2).is_null);
static_assert(middle_places(4, 0).low == 1 && middle_places(4, 0).high == 2);
static_assert(middle_places(2, 1).low == 0 && middle_places(2, 1).high == 0);  // 0N 1 2
static_assert(!middle_places(1, 1).is_null && middle_places(1, 1).low == 0);   // 0N 1
static_assert(middle_places(3, 2).low == 0 && middle_places(3, 2).high == 0);

// Values with their groups, in any order.
class KeptValues {
 public:
  explicit KeptValues(std::pmr::memory_resource& resource)
      : groups_(&resource), values_(&resource), ends_(&resource), by_group_(&resource) {}

  // -0 and 0 are equal: which one is in the middle must not depend on order.
  void keep(std::uint32_t group, double value) {
    groups_.push_back(group);
    values_.push_back(value + 0.0);
  }

  void merge(const KeptValues& other, std::span<const std::uint32_t> mapping) {
    for (const std::uint32_t g : other.groups_) groups_.push_back(mapping[g]);
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
  }

  // places[g]: the place of group g among those that are saved.
  void save(std::span<const std::uint32_t> places, ByteSink& out) const {
    out.put(static_cast<std::uint64_t>(groups_.size()));
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      out.put(places[groups_[i]]);
      out.put(values_[i]);
    }
  }

  void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) {
    const auto count = in.take<std::uint64_t>();
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto place = in.take<std::uint32_t>();
      const auto value = in.take<double>();
      if (in.has_failed() || place >= mapping.size()) return in.fail();
      keep(mapping[place], value);
    }
  }

  // Puts the values of each of so many groups beside each other, once all are kept.
  void settle(std::size_t groups) {
    if (!ends_.empty()) return;
    ends_.assign(groups + 1, 0);
    for (const std::uint32_t g : groups_) ++ends_[g + 1];
    for (std::size_t g = 1; g < ends_.size(); ++g) ends_[g] += ends_[g - 1];
    by_group_.resize(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) by_group_[ends_[groups_[i]]++] = values_[i];
    std::pmr::vector<std::uint32_t>(groups_.get_allocator()).swap(groups_);
    std::pmr::vector<double>(values_.get_allocator()).swap(values_);
  }

  // So many that a part has some thousands of values.
  std::size_t groups_a_part() const {
    constexpr std::size_t kValuesAPart = 16384;
    return 1 + kValuesAPart * ends_.size() / (by_group_.size() + 1);
  }

  // Writes the medians of the groups in `order`. places_of(group, how many of its values are kept):
  // the places of the middle ones among those. Several threads may do so, for different groups.
  // Requires: settle().
  template <typename PlacesOf>
  void write_medians(std::span<const std::uint32_t> order, const PlacesOf& places_of,
                     std::byte* results) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t g = order[i];
      const std::size_t begin = g == 0 ? 0 : ends_[g - 1];
      const auto values = std::span(by_group_).subspan(begin, ends_[g] - begin);
      const double result = middle(values, places_of(g, values.size()));
      std::memcpy(results + i * sizeof(result), &result, sizeof(result));
    }
  }

 private:
  static double middle(std::span<double> values, const MiddlePlaces& places) {
    if (places.is_null) return std::numeric_limits<double>::quiet_NaN();
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(places.high);
    std::nth_element(values.begin(), upper, values.end());
    if (places.low == places.high) return *upper;
    return (*std::max_element(values.begin(), upper) + *upper) / 2;
  }

  std::pmr::vector<std::uint32_t> groups_;
  std::pmr::vector<double> values_;
  std::pmr::vector<std::size_t> ends_;  // by group, of by_group_
  std::pmr::vector<double> by_group_;
};

class Median final : public Aggregator {
 public:
  Median(QType type, std::pmr::memory_resource& resource)
      : type_(type), kept_(resource), nulls_(&resource) {}

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
    kept_.merge(theirs.kept_, mapping);
    for (std::size_t g = 0; g < mapping.size(); ++g) nulls_[mapping[g]] += theirs.nulls_[g];
  }

  void save(std::span<const std::uint32_t> order, ByteSink& out) override {
    std::pmr::vector<std::uint32_t> places(nulls_.size(), 0, nulls_.get_allocator().resource());
    for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<std::uint32_t>(i);
    kept_.save(places, out);
    for (const std::uint32_t g : order) out.put(nulls_[g]);
  }

  void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) override {
    kept_.add_saved(in, mapping);
    for (const std::uint32_t g : mapping) nulls_[g] += in.take<std::uint64_t>();
  }

  void settle() override { kept_.settle(nulls_.size()); }
  std::size_t groups_a_part() const override { return kept_.groups_a_part(); }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t>,
              std::byte* results) override {
    const auto places_of = [&](std::uint32_t group, std::size_t values) {
      return middle_places(values, nulls_[group]);
    };
    kept_.write_medians(order, places_of, results);
  }

 private:
  void take(std::uint32_t group, double value) {
    if (value != value) {
      ++nulls_[group];
    } else {
      kept_.keep(group, value);
    }
  }

  QType type_;
  KeptValues kept_;
  std::pmr::vector<std::uint64_t> nulls_;  // by group
  alignas(64) double buffer_[kSplitRowsMax];
};

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
        kept_(resource) {}

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
    if (first_pass_ != nullptr) return kept_.merge(theirs.kept_, mapping);
    for (std::size_t g = 0; g < mapping.size(); ++g) {
      for (std::size_t b = 0; b < kBucketSlots; ++b)
        counts_[mapping[g] * kBucketSlots + b] += theirs.counts_[g * kBucketSlots + b];
    }
  }

  void save(std::span<const std::uint32_t>, ByteSink&) override { refuse(); }
  void add_saved(ByteSource&, std::span<const std::uint32_t>) override { refuse(); }

  bool needs_second_pass() const override { return first_pass_ == nullptr; }

  void begin_second_pass(const Aggregator& merged) override {
    first_pass_ = static_cast<const SelectedMedian*>(&merged);
    if (first_pass_ == this) find_middles();
  }

  void settle() override { kept_.settle(middles_.size()); }
  std::size_t groups_a_part() const override { return kept_.groups_a_part(); }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t>,
              std::byte* results) override {
    const auto places_of = [&](std::uint32_t group, std::size_t /*kept*/) {
      MiddlePlaces places = middles_[group].places;
      places.low -= middles_[group].below;
      places.high -= middles_[group].below;
      return places;
    };
    kept_.write_medians(order, places_of, results);
  }

 private:
  // Buckets, and one for nulls.
  static constexpr std::size_t kBucketSlots = kBuckets + 1;

  static void refuse() { HDB_CHECK(false, "two passes are of one process"); }

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
      if (values[row] >= middle.low && values[row] <= middle.high)
        kept_.keep(groups[row], values[row]);
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
    for (std::size_t i = 0; i < count; ++i) kept_.keep(group, values[positions_[i]]);
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

  QType type_;
  Buckets buckets_;
  const SelectedMedian* first_pass_ = nullptr;  // null: this is the first pass
  std::pmr::vector<std::uint64_t> counts_;
  std::pmr::vector<Middle> middles_;                         // of the merged one
  double lowest_ = std::numeric_limits<double>::infinity();  // of all middles
  double highest_ = -std::numeric_limits<double>::infinity();
  KeptValues kept_;
  alignas(64) double buffer_[kSplitRowsMax];
  alignas(64) std::uint32_t numbers_[kSplitRowsMax];
  std::uint16_t positions_[kSplitRowsMax + kPositionsSlack];
};

}  // namespace

ValueRange sampled_range(const Schema& schema, std::span<const PartitionView> views,
                         AccessLog& accesses, std::size_t field) {
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
      if (accesses.needs_unpacking(view, field)) {
        Selected sampled(rows);
        accesses.read(view, field, sampled);
      }
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

std::unique_ptr<Aggregator> make_median(QType type, const ValueRange* range,
                                        std::pmr::memory_resource& resource) {
  if (range == nullptr) return std::make_unique<Median>(type, resource);
  return std::make_unique<SelectedMedian>(type, *range, resource);
}

}  // namespace hdbench
