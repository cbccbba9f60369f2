// sum and avg of reals, floats and datetimes.
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/kernel/split_sum.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/exact_sum.h"
#include "engine/operator/group_copies.h"

namespace hdbench {
namespace {

// Values split at once: their pairs stay in the first-level cache.
constexpr std::size_t kSplitAtOnce = 1024;
// Of more groups the pairs are in no cache, and few rows share one.
constexpr std::size_t kPairedGroupsMax = std::size_t{1} << 16;
// Rows that a pair takes: few groups are flushed more often, and their values may differ more.
constexpr int kHeadroom = 16;
constexpr int kHeadroomOfMany = 20;

int headroom(std::size_t groups) {
  return groups <= GroupCopies<int>::kCopiedGroupsMax ? kHeadroom : kHeadroomOfMany;
}

// Exact sums of doubles by group, and the number of nulls in each group.
//
// Values are split (split_sum.h) into two parts whose sums are exact, a vector at a time. A group's
// parts are added to two doubles, which are added to its exact sum before they could be rounded.
// Values that cannot be split are added to the exact sum directly.
class GroupSums {
 public:
  explicit GroupSums(std::pmr::memory_resource& resource);

  void resize(std::size_t groups);
  // Value i to group batch.groups[i].
  void add(const double* values, const AggregateBatch& batch);
  // All of a block to one group. Requires: rows <= kSplitRowsMax.
  template <typename T>
  void add_run(std::uint32_t group, const SumBlock<T>& block) {
    nulls_[group] += runs_.add(block, sums_[group]);
  }
  void merge(GroupSums& other, std::span<const std::uint32_t> mapping);
  void save(std::span<const std::uint32_t> order, ByteSink& out);
  void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping);

  // Brings the exact sums up to date.
  void flush();
  // Requires: flush().
  const ExactSum& sum(std::uint32_t group) const { return sums_[group]; }
  std::uint64_t nulls(std::uint32_t group) const { return nulls_[group]; }

 private:
  struct Pair {
    double high = 0;
    double low = 0;
  };
  static void join(Pair& pair, const Pair& other) {
    pair.high += other.high;
    pair.low += other.low;
  }

  // At most kSplitAtOnce rows.
  void add_some(const double* values, const AggregateBatch& batch);
  void add_each(const double* values, const std::uint32_t* groups, std::size_t count);

  GroupCopies<Pair> pairs_;
  std::pmr::vector<ExactSum> sums_;
  std::pmr::vector<std::uint64_t> nulls_;
  SplitAdder runs_;
  BoundHint hint_;
  PendingGroups pending_;  // in pairs
};

GroupSums::GroupSums(std::pmr::memory_resource& resource)
    : pairs_({}, resource), sums_(&resource), nulls_(&resource) {}

void GroupSums::resize(std::size_t groups) {
  if (groups == sums_.size()) return;
  const bool are_many = groups > kPairedGroupsMax;
  if (headroom(groups) != headroom(sums_.size()) || are_many) flush();
  // Sums last: there are as many as groups only once all else has space for these.
  if (!are_many) pairs_.resize(groups, join);
  nulls_.resize(groups, 0);
  while (sums_.size() < groups) sums_.emplace_back();
}

void GroupSums::add(const double* values, const AggregateBatch& batch) {
  if (sums_.size() > kPairedGroupsMax) return add_each(values, batch.groups, batch.count);
  for (std::size_t i = 0; i < batch.count; i += kSplitAtOnce) {
    const std::size_t count = std::min(kSplitAtOnce, batch.count - i);
    AggregateBatch some = batch;
    some.count = count;
    some.groups += i;
    some.group_rows_max = std::min(count, batch.group_rows_max);
    add_some(values + i, some);
  }
}

void GroupSums::add_some(const double* values, const AggregateBatch& batch) {
  const std::size_t count = batch.count;
  const std::uint32_t* const groups = batch.groups;
  if (pending_.rows + batch.group_rows_max > std::size_t{1} << headroom(sums_.size())) flush();
  SplitPairs split_result;
  alignas(64) double pairs[2 * kSplitAtOnce];
  for (int attempt = 0;; ++attempt) {
    split_result = split_pairs(values, count, hint_.bound(), headroom(sums_.size()), pairs);
    if (split_result.exact) break;
    // What is pending lies on the grid of the bound before.
    flush();
    if (attempt == 3 || !hint_.learn(split_result.greatest, has_null({values, count, nullptr}))) {
      return add_each(values, groups, count);
    }
  }
  pairs_.each(groups, count, [&](Pair& pair, std::size_t i) {
    pair.high += pairs[2 * i];
    pair.low += pairs[2 * i + 1];
  });
  pending_.add(batch.groups_begin, batch.groups_end, batch.group_rows_max);
  if (split_result.nulls == 0) return;
  for (std::size_t i = 0; i < count; ++i) nulls_[groups[i]] += values[i] != values[i] ? 1 : 0;
}

void GroupSums::add_each(const double* values, const std::uint32_t* groups, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] == values[i]) {
      sums_[groups[i]].add(values[i]);
    } else {
      ++nulls_[groups[i]];
    }
  }
}

void GroupSums::flush() {
  for (std::size_t g = pending_.begin; g < pending_.end; ++g) {
    const Pair pair = pairs_.take_out(g, join);
    sums_[g].add(pair.high);
    sums_[g].add(pair.low);
  }
  pending_ = {};
}

void GroupSums::merge(GroupSums& other, std::span<const std::uint32_t> mapping) {
  other.flush();
  for (std::size_t g = 0; g < mapping.size(); ++g) {
    sums_[mapping[g]].add(other.sums_[g]);
    nulls_[mapping[g]] += other.nulls_[g];
  }
}

void GroupSums::save(std::span<const std::uint32_t> order, ByteSink& out) {
  flush();
  for (const std::uint32_t g : order) {
    sums_[g].save(out);
    out.put(nulls_[g]);
  }
}

void GroupSums::add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) {
  for (const std::uint32_t g : mapping) {
    sums_[g].add(ExactSum::saved(in));
    nulls_[g] += in.take<std::uint64_t>();
  }
}

template <bool kAverage>
class FloatAggregator final : public Aggregator {
 public:
  FloatAggregator(QType type, std::pmr::memory_resource& resource) : type_(type), sums_(resource) {}

  void resize(std::size_t groups) override { sums_.resize(groups); }

  void update(const AggregateBatch& batch) override {
    each_block(batch.count, [&](std::size_t start, std::size_t count) {
      AggregateBatch part = batch;
      part.count = count;
      part.groups += start;
      sums_.add(doubles_of(type_, batch.values + start * type_width(type_), count, buffer_), part);
    });
  }

  void update_run(const AggregateRun& run) override {
    each_block(run.rows, [&](std::size_t start, std::size_t rows) {
      const std::uint64_t* const bits =
          run.bits == nullptr ? nullptr : run.bits + start / kWordRows;
      if (type_ == QType::kReal) return add_run<float>(run, start, rows, bits);
      add_run<double>(run, start, rows, bits);
    });
  }

  void merge(Aggregator& other, std::span<const std::uint32_t> mapping) override {
    sums_.merge(static_cast<FloatAggregator&>(other).sums_, mapping);
  }

  void save(std::span<const std::uint32_t> order, ByteSink& out) override {
    sums_.save(order, out);
  }
  void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) override {
    sums_.add_saved(in, mapping);
  }

  void settle() override { sums_.flush(); }
  std::size_t groups_a_part() const override { return kGroupsAPart; }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t> row_counts,
              std::byte* results) override {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double sum = sums_.sum(order[i]).rounded();
      if constexpr (kAverage) {
        const std::uint64_t count = row_counts[order[i]] - sums_.nulls(order[i]);
        store(results, i,
              count == 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sum / static_cast<double>(count));
      } else if (type_ == QType::kReal) {
        store(results, i, static_cast<float>(sum));
      } else {
        store(results, i, sum);
      }
    }
  }

 private:
  template <typename T>
  void add_run(const AggregateRun& run, std::size_t start, std::size_t rows,
               const std::uint64_t* bits) {
    const T* const values = reinterpret_cast<const T*>(run.values) + start;
    sums_.add_run<T>(run.group, {values, rows, bits, run.ahead.from(start)});
  }

  template <typename T>
  static void store(std::byte* results, std::size_t i, T value) {
    std::memcpy(results + i * sizeof(T), &value, sizeof(T));
  }

  QType type_;
  GroupSums sums_;
  alignas(64) double buffer_[kSplitRowsMax];
};

}  // namespace

std::unique_ptr<Aggregator> make_float_sum(Aggregate aggregate, QType type,
                                           std::pmr::memory_resource& resource) {
  if (aggregate == Aggregate::kAvg) return std::make_unique<FloatAggregator<true>>(type, resource);
  return std::make_unique<FloatAggregator<false>>(type, resource);
}

}  // namespace hdbench
