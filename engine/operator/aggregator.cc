#include "engine/operator/aggregator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/base/check.h"
#include "engine/kernel/order_keys.h"
#include "engine/operator/exact_sum.h"

namespace hdbench {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef __float128 Quad;

constexpr std::int64_t kNullKey = std::numeric_limits<std::int64_t>::min();
constexpr double kNullFloat = std::numeric_limits<double>::quiet_NaN();
// Values are decoded in pieces that stay in the first-level cache.
constexpr std::size_t kPiece = 1024;

template <typename T>
void store(std::byte* results, std::size_t i, T value) {
  std::memcpy(results + i * sizeof(T), &value, sizeof(T));
}

// Keeps one State a group; Kind says how a state takes a value, another state, and gives its
// result.
template <typename Kind>
class StateAggregator final : public Aggregator {
 public:
  using State = typename Kind::State;
  StateAggregator(Kind kind, std::pmr::memory_resource& resource)
      : kind_(kind), states_(&resource) {}

  void resize(std::size_t groups) override {
    while (states_.size() < groups) states_.push_back(kind_.empty());
  }

  void update(const AggregateBatch& batch) override { kind_.update(batch, states_.data()); }

  void merge(const Aggregator& other, std::span<const std::uint32_t> mapping) override {
    const auto& theirs = static_cast<const StateAggregator&>(other);
    for (std::size_t g = 0; g < mapping.size(); ++g)
      kind_.merge(states_[mapping[g]], theirs.states_[g]);
  }

  void finish(std::span<const std::uint32_t> order, std::byte* results) override {
    for (std::size_t i = 0; i < order.size(); ++i) kind_.finish(states_[order[i]], i, results);
  }

 private:
  Kind kind_;
  std::pmr::vector<State> states_;
};

template <typename Take>
void each_key(QType type, const AggregateBatch& batch, const Take& take) {
  std::int64_t keys[kPiece];
  const std::size_t width = type_width(type);
  for (std::size_t start = 0; start < batch.count; start += kPiece) {
    const std::size_t count = std::min(kPiece, batch.count - start);
    to_order_keys(type, batch.values + start * width, count, keys);
    for (std::size_t i = 0; i < count; ++i) {
      if (keys[i] != kNullKey) take(batch.groups[start + i], keys[i]);
    }
  }
}

template <typename Take>
void each_double(QType type, const AggregateBatch& batch, const Take& take) {
  double doubles[kPiece];
  const std::size_t width = type_width(type);
  for (std::size_t start = 0; start < batch.count; start += kPiece) {
    const std::size_t count = std::min(kPiece, batch.count - start);
    to_doubles(type, batch.values + start * width, count, doubles);
    for (std::size_t i = 0; i < count; ++i) {
      if (doubles[i] == doubles[i]) take(batch.groups[start + i], doubles[i]);
    }
  }
}

// min and max, on order keys.
struct Extreme {
  using State = std::int64_t;
  QType type;
  bool is_max;

  State empty() const { return is_max ? negative_infinity_key(type) : positive_infinity_key(type); }
  State better(State a, State b) const { return is_max ? std::max(a, b) : std::min(a, b); }
  void update(const AggregateBatch& batch, State* states) const {
    if (is_max) {
      each_key(type, batch,
               [&](std::uint32_t g, std::int64_t key) { states[g] = std::max(states[g], key); });
    } else {
      each_key(type, batch,
               [&](std::uint32_t g, std::int64_t key) { states[g] = std::min(states[g], key); });
    }
  }
  void merge(State& state, const State& other) const { state = better(state, other); }
  void finish(const State& state, std::size_t i, std::byte* results) const {
    from_order_key(type, state, results + i * type_width(type));
  }
};

// Integers wrap, as q's do.
struct IntegerSum {
  using State = std::uint64_t;
  QType type;

  static State empty() { return 0; }
  void update(const AggregateBatch& batch, State* states) const {
    each_key(type, batch, [&](std::uint32_t g, std::int64_t key) {
      states[g] += static_cast<std::uint64_t>(key);
    });
  }
  static void merge(State& state, const State& other) { state += other; }
  void finish(const State& state, std::size_t i, std::byte* results) const {
    if (type_width(aggregate_type(Aggregate::kSum, type)) == 8) {
      store(results, i, static_cast<std::int64_t>(state));
    } else {
      store(results, i, static_cast<std::int32_t>(static_cast<std::uint32_t>(state)));
    }
  }
};

struct FloatSum {
  using State = ExactSum;
  QType type;

  static State empty() { return {}; }
  void update(const AggregateBatch& batch, State* states) const {
    each_double(type, batch, [&](std::uint32_t g, double value) { states[g].add(value); });
  }
  static void merge(State& state, const State& other) { state.add(other); }
  void finish(const State& state, std::size_t i, std::byte* results) const {
    if (type == QType::kReal) {
      store(results, i, static_cast<float>(state.rounded()));
    } else {
      store(results, i, state.rounded());
    }
  }
};

struct IntegerAverage {
  struct State {
    Int128 sum = 0;
    std::uint64_t count = 0;
  };
  QType type;

  static State empty() { return {}; }
  void update(const AggregateBatch& batch, State* states) const {
    each_key(type, batch, [&](std::uint32_t g, std::int64_t key) {
      states[g].sum += key;
      ++states[g].count;
    });
  }
  static void merge(State& state, const State& other) {
    state.sum += other.sum;
    state.count += other.count;
  }
  static void finish(const State& state, std::size_t i, std::byte* results) {
    const Quad average = static_cast<Quad>(state.sum) / static_cast<Quad>(state.count);
    store(results, i, state.count == 0 ? kNullFloat : static_cast<double>(average));
  }
};

struct FloatAverage {
  struct State {
    ExactSum sum;
    std::uint64_t count = 0;
  };
  QType type;

  static State empty() { return {}; }
  void update(const AggregateBatch& batch, State* states) const {
    each_double(type, batch, [&](std::uint32_t g, double value) {
      states[g].sum.add(value);
      ++states[g].count;
    });
  }
  static void merge(State& state, const State& other) {
    state.sum.add(other.sum);
    state.count += other.count;
  }
  static void finish(const State& state, std::size_t i, std::byte* results) {
    store(results, i,
          state.count == 0 ? kNullFloat : state.sum.rounded() / static_cast<double>(state.count));
  }
};

// dev: the population's standard deviation, from exact sums of values and squares.
struct Deviation {
  struct State {
    ExactSum sum;
    ExactSum squares;
    std::uint64_t count = 0;
  };
  QType type;

  static State empty() { return {}; }
  void update(const AggregateBatch& batch, State* states) const {
    each_double(type, batch, [&](std::uint32_t g, double value) {
      states[g].sum.add(value);
      states[g].squares.add_product(value, value);
      ++states[g].count;
    });
  }
  static void merge(State& state, const State& other) {
    state.sum.add(other.sum);
    state.squares.add(other.squares);
    state.count += other.count;
  }
  static void finish(const State& state, std::size_t i, std::byte* results) {
    if (state.count == 0) return store(results, i, kNullFloat);
    const ExactSum::Pair sum = state.sum.rounded_pair();
    const ExactSum::Pair squares = state.squares.rounded_pair();
    const Quad n = static_cast<Quad>(state.count);
    const Quad total = static_cast<Quad>(sum.high) + static_cast<Quad>(sum.low);
    const Quad total_squares = static_cast<Quad>(squares.high) + static_cast<Quad>(squares.low);
    const Quad variance = (total_squares - total * total / n) / n;
    store(results, i, std::sqrt(std::max(0.0, static_cast<double>(variance))));
  }
};

// weights wavg values: sum of products over sum of weights, pairs with a null left out.
struct WeightedAverage {
  struct State {
    ExactSum products;
    ExactSum weights;
  };
  QType type;
  QType weights_type;

  static State empty() { return {}; }
  void update(const AggregateBatch& batch, State* states) const {
    double values[kPiece];
    double weights[kPiece];
    for (std::size_t start = 0; start < batch.count; start += kPiece) {
      const std::size_t count = std::min(kPiece, batch.count - start);
      to_doubles(type, batch.values + start * type_width(type), count, values);
      to_doubles(weights_type, batch.weights + start * type_width(weights_type), count, weights);
      for (std::size_t i = 0; i < count; ++i) {
        if (values[i] != values[i] || weights[i] != weights[i]) continue;
        State& state = states[batch.groups[start + i]];
        state.products.add_product(weights[i], values[i]);
        state.weights.add(weights[i]);
      }
    }
  }
  static void merge(State& state, const State& other) {
    state.products.add(other.products);
    state.weights.add(other.weights);
  }
  static void finish(const State& state, std::size_t i, std::byte* results) {
    store(results, i, state.products.rounded() / state.weights.rounded());
  }
};

// Keeps every value with its group; sorts at the end.
class Median final : public Aggregator {
 public:
  Median(QType type, std::pmr::memory_resource& resource)
      : type_(type), groups_(&resource), values_(&resource) {}

  void resize(std::size_t) override {}

  void update(const AggregateBatch& batch) override {
    each_double(type_, batch, [&](std::uint32_t g, double value) {
      groups_.push_back(g);
      values_.push_back(value +
                        0.0);  // -0 and 0 are equal: the middle one must not depend on order
    });
  }

  void merge(const Aggregator& other, std::span<const std::uint32_t> mapping) override {
    const auto& theirs = static_cast<const Median&>(other);
    for (const std::uint32_t g : theirs.groups_) groups_.push_back(mapping[g]);
    values_.insert(values_.end(), theirs.values_.begin(), theirs.values_.end());
  }

  void finish(std::span<const std::uint32_t> order, std::byte* results) override {
    // Counting sort by group, then the middle of each group's values.
    std::pmr::vector<std::size_t> starts(order.size() + 1, 0, groups_.get_allocator().resource());
    for (const std::uint32_t g : groups_) ++starts[g + 1];
    for (std::size_t g = 1; g < starts.size(); ++g) starts[g] += starts[g - 1];
    std::pmr::vector<double> sorted(values_.size(), groups_.get_allocator().resource());
    std::pmr::vector<std::size_t> next(starts, groups_.get_allocator().resource());
    for (std::size_t i = 0; i < values_.size(); ++i) sorted[next[groups_[i]]++] = values_[i];
    for (std::size_t i = 0; i < order.size(); ++i) {
      store(results, i,
            middle(std::span(sorted).subspan(starts[order[i]],
                                             starts[order[i] + 1] - starts[order[i]])));
    }
  }

 private:
  static double middle(std::span<double> values) {
    if (values.empty()) return kNullFloat;
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), upper, values.end());
    if (values.size() % 2 != 0) return *upper;
    return (*std::max_element(values.begin(), upper) + *upper) / 2;
  }

  QType type_;
  std::pmr::vector<std::uint32_t> groups_;
  std::pmr::vector<double> values_;
};

template <typename Kind>
std::unique_ptr<Aggregator> make(Kind kind, std::pmr::memory_resource& resource) {
  return std::make_unique<StateAggregator<Kind>>(kind, resource);
}

bool is_number(QType type) {
  return type != QType::kSymbol && type != QType::kNested && type != QType::kGuid &&
         type != QType::kChar;
}

}  // namespace

bool aggregate_takes(Aggregate aggregate, QType type) {
  switch (aggregate) {
    case Aggregate::kNone:
    case Aggregate::kCount:
    case Aggregate::kFirst:
    case Aggregate::kLast: return true;
    case Aggregate::kMin:
    case Aggregate::kMax: return is_number(type) || type == QType::kChar;
    case Aggregate::kSum:
    case Aggregate::kAvg:
    case Aggregate::kWavg:
    case Aggregate::kDev:
    case Aggregate::kMed: return is_number(type);
  }
  return false;
}

QType aggregate_type(Aggregate aggregate, QType type) {
  switch (aggregate) {
    case Aggregate::kCount: return QType::kLong;
    case Aggregate::kAvg:
    case Aggregate::kWavg:
    case Aggregate::kDev:
    case Aggregate::kMed: return QType::kFloat;
    case Aggregate::kSum: return type_width(type) <= 2 ? QType::kInt : type;
    case Aggregate::kNone:
    case Aggregate::kMin:
    case Aggregate::kMax:
    case Aggregate::kFirst:
    case Aggregate::kLast: break;
  }
  return type;
}

std::unique_ptr<Aggregator> make_aggregator(Aggregate aggregate, QType type, QType weights,
                                            std::pmr::memory_resource& resource) {
  HDB_CHECK(aggregate_takes(aggregate, type), "the binder lets only fitting types through");
  switch (aggregate) {
    case Aggregate::kMin: return make(Extreme{type, false}, resource);
    case Aggregate::kMax: return make(Extreme{type, true}, resource);
    case Aggregate::kSum:
      return is_floating(type) ? make(FloatSum{type}, resource) : make(IntegerSum{type}, resource);
    case Aggregate::kAvg:
      return is_floating(type) ? make(FloatAverage{type}, resource)
                               : make(IntegerAverage{type}, resource);
    case Aggregate::kDev: return make(Deviation{type}, resource);
    case Aggregate::kWavg: return make(WeightedAverage{type, weights}, resource);
    case Aggregate::kMed: return std::make_unique<Median>(type, resource);
    case Aggregate::kNone:
    case Aggregate::kCount:
    case Aggregate::kFirst:
    case Aggregate::kLast: break;
  }
  return nullptr;
}

}  // namespace hdbench
