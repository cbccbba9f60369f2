// dev, var, wavg, wsum, cov and cor: exact sums of products, and of what they are made of.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "engine/base/wide_number.h"
#include "engine/kernel/order_keys.h"
#include "engine/kernel/split_sum.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/exact_sum.h"
#include "engine/operator/group_copies.h"

namespace hdbench {
namespace {

// Rows split at once: their parts stay in the first-level cache.
constexpr std::size_t kRowsAtOnce = 256;
// Of more groups the parts are in no cache, and few rows share one, unless neighbours do.
constexpr std::size_t kSplitGroupsMax = std::size_t{1} << 12;
// Rows of one group beside each other, on average, from which on they are split all the same.
constexpr std::size_t kRowsTogether = 4;

// What a group is kept as: of deviations, weights are the values and products their squares.
struct ProductState {
  ExactSum products;
  ExactSum weights;
  std::uint64_t nulls = 0;
};

// The addends of rows (split_rows()), summed without rounding, in a line of memory.
struct alignas(64) Parts {
  double first[4] = {};
  double second[4] = {};

  void add(const double* its_first, const double* its_second) {
    for (int p = 0; p < 4; ++p) first[p] += its_first[p];
    for (int p = 0; p < 4; ++p) second[p] += its_second[p];
  }
};

bool lie_together(const std::uint32_t* groups, std::size_t count) {
  std::size_t starts = 1;
  for (std::size_t i = 1; i < count; ++i) starts += groups[i] != groups[i - 1] ? 1 : 0;
  return starts * kRowsTogether <= count;
}

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

bool is_of_a_sample(Aggregate aggregate) {
  return aggregate == Aggregate::kSampleVar || aggregate == Aggregate::kSampleDev ||
         aggregate == Aggregate::kSampleCov;
}

std::uint64_t taken_off(Aggregate aggregate) { return is_of_a_sample(aggregate) ? 1 : 0; }

// Sums become wide numbers, whose differences keep what counts, or, where one is an infinity or
// NaN, quads, which know these. Calls work(number), number(sum) being the sum.
template <typename Work>
double with_numbers(bool are_finite, const Work& work) {
  if (are_finite) return work([](const ExactSum& sum) { return sum.wide(); });
  return work([](const ExactSum& sum) {
    return sum.is_finite() ? static_cast<Quad>(sum.wide()) : static_cast<Quad>(sum.rounded());
  });
}

WideNumber scaled(const WideNumber& number, int by) { return number.scaled(by); }
Quad scaled(Quad number, int by) { return number * static_cast<Quad>(std::ldexp(1.0, by)); }

bool is_negative(const WideNumber& number) { return number.is_negative(); }
bool is_negative(Quad number) { return number < 0; }

template <typename Number>
double ratio(const Number& a, const Number& b) {
  return static_cast<double>(static_cast<Quad>(a) / static_cast<Quad>(b));
}

// `count` times the sum of products of what values differ by from their mean.
template <typename Number>
Number spread_of(const Number& products, const Number& x, const Number& y, std::uint64_t count) {
  return Number(count) * products - x * y;
}

// The same over the values, of a sample one fewer.
template <typename Number>
double mean_spread(Aggregate aggregate, const Number& spread, std::uint64_t count) {
  if (count <= taken_off(aggregate)) return kNoValue;
  return ratio(spread, Number(count) * Number(count - taken_off(aggregate)));
}

double deviation_of(Aggregate aggregate, const ProductState& state, std::uint64_t row_count) {
  const std::uint64_t count = row_count - state.nulls;
  const bool are_finite = state.weights.is_finite() && state.products.is_finite();
  const double mean = with_numbers(are_finite, [&](const auto& number) {
    const auto total = number(state.weights);
    return mean_spread(aggregate, spread_of(number(state.products), total, total, count), count);
  });
  // Cut, it may be below zero by a little. Of an infinity it is NaN, and so is the result.
  const double variance = mean < 0 ? 0 : mean;
  const bool is_root = aggregate == Aggregate::kDev || aggregate == Aggregate::kSampleDev;
  return is_root ? std::sqrt(variance) : variance;
}

class ProductAggregator final : public Aggregator {
 public:
  ProductAggregator(Aggregate aggregate, QType type, QType weights_type,
                    std::pmr::memory_resource& resource)
      : aggregate_(aggregate),
        type_(type),
        weights_type_(weights_type),
        is_deviation_(aggregate != Aggregate::kWavg && aggregate != Aggregate::kWsum),
        parts_({}, resource),
        states_(&resource),
        weights_hint_(is_deviation_ ? BoundHint() : BoundHint::of_one_piece()) {}

  void resize(std::size_t groups) override {
    if (groups == states_.size()) return;
    const bool are_many = groups > kSplitGroupsMax;
    if (are_many || groups > GroupCopies<Parts>::kCopiedGroupsMax) flush();
    // States last: there are as many as groups only once all else has space for these.
    if (!are_many) parts_.resize(groups, join);
    states_.resize(groups);
  }

  void update(const AggregateBatch& batch) override {
    each_block(batch.count, [&](std::size_t start, std::size_t count) {
      const Block block = block_of(batch.values, batch.weights, start, count);
      for (std::size_t i = 0; i < count; i += kRowsAtOnce) {
        AggregateBatch some = batch;
        some.count = std::min(kRowsAtOnce, count - i);
        some.groups += start + i;
        some.group_rows_max = std::min(some.count, batch.group_rows_max);
        take_rows({block.values + i, block.weights == nullptr ? nullptr : block.weights + i}, some);
      }
    });
  }

  // A square's eight addends cost more to scatter to groups than its row costs to pack; of weights
  // in one piece there are four.
  FewGroups few_groups() const override {
    return is_deviation_ ? FewGroups::kPackedRuns : FewGroups::kBatch;
  }

  void update_run(const AggregateRun& run) override {
    each_block(run.rows, [&](std::size_t start, std::size_t rows) {
      const std::uint64_t* const bits =
          run.bits == nullptr ? nullptr : run.bits + start / kWordRows;
      const Block block = block_of(run.values, run.weights, start, rows);
      ProductState& state = states_[run.group];
      state.nulls +=
          runs_.add({block.values, rows, bits}, block.weights, state.products, state.weights);
    });
  }

  void merge(Aggregator& other, std::span<const std::uint32_t> mapping) override {
    auto& theirs = static_cast<ProductAggregator&>(other);
    theirs.flush();
    for (std::size_t g = 0; g < mapping.size(); ++g) {
      ProductState& state = states_[mapping[g]];
      state.products.add(theirs.states_[g].products);
      state.weights.add(theirs.states_[g].weights);
      state.nulls += theirs.states_[g].nulls;
    }
  }

  void save(std::span<const std::uint32_t> order, ByteSink& out) override {
    flush();
    for (const std::uint32_t g : order) {
      states_[g].products.save(out);
      states_[g].weights.save(out);
      out.put(states_[g].nulls);
    }
  }

  void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) override {
    for (const std::uint32_t g : mapping) {
      states_[g].products.add(ExactSum::saved(in));
      states_[g].weights.add(ExactSum::saved(in));
      states_[g].nulls += in.take<std::uint64_t>();
    }
  }

  void settle() override { flush(); }
  std::size_t groups_a_part() const override { return kGroupsAPart; }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t> row_counts,
              std::byte* results) override {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const ProductState& state = states_[order[i]];
      double result = 0;
      if (is_deviation_) {
        result = deviation_of(aggregate_, state, row_counts[order[i]]);
      } else {
        result = state.products.rounded();
        if (aggregate_ == Aggregate::kWavg) result /= state.weights.rounded();
      }
      std::memcpy(results + i * sizeof(result), &result, sizeof(result));
    }
  }

  // Before the bounds change: they tell what the parts are.
  void flush() {
    for (std::size_t g = pending_.begin; g < pending_.end; ++g) {
      add_parts(parts_.take_out(g, join), states_[g]);
    }
    pending_ = {};
  }
  // Requires: flush().
  const ProductState& state(std::uint32_t group) const { return states_[group]; }

 private:
  // weights: null for deviations.
  struct Block {
    const double* values = nullptr;
    const double* weights = nullptr;
  };

  static void join(Parts& parts, const Parts& other) { parts.add(other.first, other.second); }

  void add_parts(const Parts& parts, ProductState& state) const {
    for (int p = 0; p < 3; ++p) state.products.add(parts.first[p]);
    if (weights_hint_.bound().one_piece) {
      state.weights.add(parts.first[3]);
      return;
    }
    state.products.add(parts.first[3]);
    state.products.add(parts.second[0]);
    for (int p = 1; p < 4; ++p) state.weights.add(parts.second[p]);
  }

  Block block_of(const std::byte* values, const std::byte* weights, std::size_t start,
                 std::size_t count) {
    Block block;
    block.values = doubles_of(type_, values + start * type_width(type_), count, values_buffer_);
    if (!is_deviation_) {
      block.weights = doubles_of(weights_type_, weights + start * type_width(weights_type_), count,
                                 weights_buffer_);
    }
    return block;
  }

  void take_rows(const Block& block, const AggregateBatch& batch) {
    const std::size_t count = batch.count;
    const std::uint32_t* const groups = batch.groups;
    const bool are_many = states_.size() > kSplitGroupsMax;
    if (are_many && !lie_together(groups, count)) return add_each(block, groups, count);
    if (pending_.rows + batch.group_rows_max > kSplitRowsMax) flush();
    alignas(64) double first[4 * kRowsAtOnce];
    alignas(64) double second[4 * kRowsAtOnce];
    SplitRows split;
    for (int attempt = 0;; ++attempt) {
      split = split_rows(block.values, block.weights, count, values_hint_.bound(),
                         weights_hint_.bound(), {first, second});
      if (split.exact) break;
      // What is pending lies on the grid of the bound before.
      flush();
      if (attempt == 3 || !learn(block, count, split)) return add_each(block, groups, count);
    }
    const bool one_piece = weights_hint_.bound().one_piece;
    if (are_many) {
      add_together(first, one_piece ? nullptr : second, groups, count);
    } else {
      add_rows({first, one_piece ? nullptr : second}, groups, count, parts_.copies(),
               parts_.states()->first);
      pending_.add(batch.groups_begin, batch.groups_end, batch.group_rows_max);
    }
    if (split.nulls == 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      if (is_null(block, i)) ++states_[groups[i]].nulls;
    }
  }

  // Neighbours of one group are summed before they reach its exact sums.
  void add_together(const double* first, const double* second, const std::uint32_t* groups,
                    std::size_t count) {
    constexpr double kNothing[4] = {};
    for (std::size_t i = 0; i < count;) {
      const std::uint32_t group = groups[i];
      Parts parts;
      for (; i < count && groups[i] == group; ++i) {
        parts.add(first + 4 * i, second == nullptr ? kNothing : second + 4 * i);
      }
      add_parts(parts, states_[group]);
    }
  }

  bool learn(const Block& block, std::size_t count, const SplitRows& split) {
    bool changed =
        values_hint_.learn(split.greatest_value, has_null({block.values, count, nullptr}));
    if (block.weights != nullptr) {
      changed |=
          weights_hint_.learn(split.greatest_weight, has_null({block.weights, count, nullptr}));
    }
    return changed || weights_hint_.drop_one_piece();
  }

  static bool is_null(const Block& block, std::size_t i) {
    return block.values[i] != block.values[i] ||
           (block.weights != nullptr && block.weights[i] != block.weights[i]);
  }

  void add_each(const Block& block, const std::uint32_t* groups, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      ProductState& state = states_[groups[i]];
      if (is_null(block, i)) {
        ++state.nulls;
        continue;
      }
      const double weight = block.weights == nullptr ? block.values[i] : block.weights[i];
      state.products.add_product(weight, block.values[i]);
      state.weights.add(weight);
    }
  }

  Aggregate aggregate_;
  QType type_;
  QType weights_type_;
  bool is_deviation_;
  GroupCopies<Parts> parts_;
  std::pmr::vector<ProductState> states_;
  ProductAdder runs_;
  BoundHint values_hint_;
  BoundHint weights_hint_;
  PendingGroups pending_;  // in parts
  alignas(64) double values_buffer_[kSplitRowsMax];
  alignas(64) double weights_buffer_[kSplitRowsMax];
};

// Three sums of products of the same pairs: those with a null are nulls of both columns.
class PairAggregator final : public Aggregator {
 public:
  PairAggregator(Aggregate aggregate, QType type, QType weights_type,
                 std::pmr::memory_resource& resource)
      : aggregate_(aggregate),
        type_(type),
        weights_type_(weights_type),
        values_(Aggregate::kVar, QType::kFloat, QType::kFloat, resource),
        weights_(Aggregate::kVar, QType::kFloat, QType::kFloat, resource),
        products_(Aggregate::kWsum, QType::kFloat, QType::kFloat, resource) {}

  void resize(std::size_t groups) override {
    for (ProductAggregator* const part : parts()) part->resize(groups);
  }

  void update(const AggregateBatch& batch) override {
    each_block(batch.count, [&](std::size_t start, std::size_t count) {
      take_pairs(batch.values, batch.weights, start, count);
      AggregateBatch part = batch;
      part.count = count;
      part.groups += start;
      part.group_rows_max = std::min(count, batch.group_rows_max);
      give(part, [](ProductAggregator& to, const AggregateBatch& some) { to.update(some); });
    });
  }

  FewGroups few_groups() const override { return FewGroups::kBatch; }

  void update_run(const AggregateRun& run) override {
    each_block(run.rows, [&](std::size_t start, std::size_t rows) {
      take_pairs(run.values, run.weights, start, rows);
      AggregateRun part = run;
      part.rows = rows;
      part.bits = run.bits == nullptr ? nullptr : run.bits + start / kWordRows;
      give(part, [](ProductAggregator& to, const AggregateRun& some) { to.update_run(some); });
    });
  }

  void merge(Aggregator& other, std::span<const std::uint32_t> mapping) override {
    auto& theirs = static_cast<PairAggregator&>(other);
    for (std::size_t p = 0; p < parts().size(); ++p) parts()[p]->merge(*theirs.parts()[p], mapping);
  }

  void save(std::span<const std::uint32_t> order, ByteSink& out) override {
    for (ProductAggregator* const part : parts()) part->save(order, out);
  }
  void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) override {
    for (ProductAggregator* const part : parts()) part->add_saved(in, mapping);
  }

  void settle() override {
    for (ProductAggregator* const part : parts()) part->flush();
  }
  std::size_t groups_a_part() const override { return kGroupsAPart; }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t> row_counts,
              std::byte* results) override {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double result = result_of(order[i], row_counts[order[i]]);
      std::memcpy(results + i * sizeof(result), &result, sizeof(result));
    }
  }

 private:
  std::array<ProductAggregator*, 3> parts() { return {&values_, &weights_, &products_}; }

  // To doubles, both null where one is.
  void take_pairs(const std::byte* values, const std::byte* weights, std::size_t start,
                  std::size_t count) {
    to_doubles(type_, values + start * type_width(type_), count, values_buffer_);
    to_doubles(weights_type_, weights + start * type_width(weights_type_), count, weights_buffer_);
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_null =
          values_buffer_[i] != values_buffer_[i] || weights_buffer_[i] != weights_buffer_[i];
      values_buffer_[i] = is_null ? kNoValue : values_buffer_[i];
      weights_buffer_[i] = is_null ? kNoValue : weights_buffer_[i];
    }
  }

  template <typename Rows, typename Give>
  void give(Rows rows, const Give& to) {
    const auto* const values = reinterpret_cast<const std::byte*>(values_buffer_);
    const auto* const weights = reinterpret_cast<const std::byte*>(weights_buffer_);
    rows.values = weights;
    rows.weights = nullptr;
    to(weights_, rows);
    rows.values = values;
    to(values_, rows);
    rows.weights = weights;
    to(products_, rows);
  }

  double result_of(std::uint32_t group, std::uint64_t row_count) const {
    const ProductState& values = values_.state(group);
    const ProductState& weights = weights_.state(group);
    const ExactSum& products = products_.state(group).products;
    const std::uint64_t count = row_count - values.nulls;
    if (aggregate_ == Aggregate::kCor && count <= 1) return kNoValue;
    const bool are_finite = values.weights.is_finite() && values.products.is_finite() &&
                            weights.weights.is_finite() && weights.products.is_finite() &&
                            products.is_finite();
    return with_numbers(are_finite, [&](const auto& number) {
      const auto x = number(values.weights);
      const auto y = number(weights.weights);
      const auto spread = spread_of(number(products), x, y, count);
      if (aggregate_ != Aggregate::kCor) return mean_spread(aggregate_, spread, count);
      const auto of_values = squares_spread(number(values.products), x, count);
      const auto of_weights = squares_spread(number(weights.products), y, count);
      if (!of_values || !of_weights) return kNoValue;
      const double root = std::sqrt(ratio(spread * spread, *of_values * *of_weights));
      return is_negative(spread) ? -root : root;
    });
  }

  // Nothing where what is left of equal values is rounding: then there is no correlation.
  template <typename Number>
  static std::optional<Number> squares_spread(const Number& squares, const Number& total,
                                              std::uint64_t count) {
    constexpr int kRounding = -100;
    const Number spread = spread_of(squares, total, total, count);
    const Number least = scaled(Number(count) * squares, kRounding);
    const bool is_rounding = !is_negative(least - spread);
    return is_rounding ? std::nullopt : std::optional<Number>(spread);
  }

  Aggregate aggregate_;
  QType type_;
  QType weights_type_;
  ProductAggregator values_;
  ProductAggregator weights_;
  ProductAggregator products_;
  alignas(64) double values_buffer_[kSplitRowsMax];
  alignas(64) double weights_buffer_[kSplitRowsMax];
};

}  // namespace

std::unique_ptr<Aggregator> make_product_sum(Aggregate aggregate, QType type, QType weights,
                                             std::pmr::memory_resource& resource) {
  if (aggregate == Aggregate::kCov || aggregate == Aggregate::kSampleCov ||
      aggregate == Aggregate::kCor)
    return std::make_unique<PairAggregator>(aggregate, type, weights, resource);
  return std::make_unique<ProductAggregator>(aggregate, type, weights, resource);
}

}  // namespace hdbench
