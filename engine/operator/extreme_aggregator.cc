// min and max.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "engine/column/column.h"
#include "engine/kernel/order_keys.h"
#include "engine/kernel/reduce.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/group_copies.h"

namespace hdbench {
namespace {

// States are values; integers for min are biased (below), so that a null is the greatest.
template <typename T, bool kMax>
class Extreme final : public Aggregator {
 public:
  Extreme(QType type, std::pmr::memory_resource& resource)
      : type_(type), states_(empty(), resource) {}

  void resize(std::size_t groups) override { states_.resize(groups, join); }

  void update(const AggregateBatch& batch) override {
    // By value: states that are stored could otherwise be the pointer.
    states_.each(batch.groups, batch.count, [values = batch.values](State& state, std::size_t i) {
      join(state, state_of(load_element<T>(values + i * sizeof(T))));
    });
  }

  void update_run(const AggregateRun& run) override {
    const ValueBlock block{run.values, run.rows, run.bits, run.ahead};
    join(states_.first(run.group),
         of_key(kMax ? highest_key(type_, block) : lowest_key(type_, block)));
  }

  void merge(Aggregator& other, std::span<const std::uint32_t> mapping) override {
    auto& theirs = static_cast<Extreme&>(other);
    for (std::size_t g = 0; g < mapping.size(); ++g)
      join(states_.first(mapping[g]), theirs.states_.joined(g, join));
  }

  void save(std::span<const std::uint32_t> order, ByteSink& out) override {
    for (const std::uint32_t g : order) out.put(states_.joined(g, join));
  }

  void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) override {
    for (const std::uint32_t g : mapping) {
      const State state = in.take<State>();
      if (!in.has_failed()) join(states_.first(g), state);
    }
  }

  std::size_t groups_a_part() const override { return kGroupsAPart; }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t>,
              std::byte* results) override {
    for (std::size_t i = 0; i < order.size(); ++i) {
      from_order_key(type_, key_of(states_.joined(order[i], join)),
                     results + i * type_width(type_));
    }
  }

 private:
  static constexpr bool kFloating = std::is_floating_point_v<T>;
  static constexpr bool kBiased = !kMax && !kFloating && std::is_signed_v<T>;
  using Unsigned = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  using State = std::conditional_t<kBiased, Unsigned, T>;

  static State empty() {
    using Limits = std::numeric_limits<T>;
    if constexpr (kFloating) return kMax ? -Limits::infinity() : Limits::infinity();
    if constexpr (kBiased) return state_of(Limits::max());
    if constexpr (std::is_signed_v<T>) return -Limits::max();
    return kMax ? 0 : Limits::max();
  }
  // Biased: the least value becomes 0, the one before it, the null, the greatest number.
  static State state_of(T value) {
    if constexpr (kBiased) {
      using Same = std::make_unsigned_t<T>;
      return static_cast<Same>(static_cast<Same>(value) +
                               static_cast<Same>(std::numeric_limits<T>::max()));
    } else {
      return value;
    }
  }
  static State of_key(std::int64_t key) {
    if constexpr (kFloating) return static_cast<T>(float_from_order_key(key));
    return state_of(static_cast<T>(key));
  }
  static std::int64_t key_of(State state) {
    if constexpr (kFloating) return float_order_key(static_cast<double>(state));
    if constexpr (kBiased) {
      using Same = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Same>(static_cast<Same>(state) -
                                              static_cast<Same>(std::numeric_limits<T>::max())));
    }
    return static_cast<std::int64_t>(state);
  }
  // A NaN is never better.
  static void join(State& state, State other) {
    if constexpr (kMax) {
      state = other > state ? other : state;
    } else {
      state = other < state ? other : state;
    }
  }

  QType type_;
  GroupCopies<State> states_;
};

template <typename T>
std::unique_ptr<Aggregator> make_of_elements(QType type, bool is_max,
                                             std::pmr::memory_resource& resource) {
  if (is_max) return std::make_unique<Extreme<T, true>>(type, resource);
  return std::make_unique<Extreme<T, false>>(type, resource);
}

}  // namespace

std::unique_ptr<Aggregator> make_extreme(QType type, bool is_max,
                                         std::pmr::memory_resource& resource) {
  switch (type_width(type)) {
    case 1: return make_of_elements<std::uint8_t>(type, is_max, resource);
    case 2: return make_of_elements<std::int16_t>(type, is_max, resource);
    case 4:
      return type == QType::kReal ? make_of_elements<float>(type, is_max, resource)
                                  : make_of_elements<std::int32_t>(type, is_max, resource);
    default:
      return is_floating(type) ? make_of_elements<double>(type, is_max, resource)
                               : make_of_elements<std::int64_t>(type, is_max, resource);
  }
}

}  // namespace hdbench
