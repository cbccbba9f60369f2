#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "engine/operator/aggregator.h"
#include "engine/testing/aggregator_checks.h"

using namespace hdbench;

namespace {

MakeAggregator maker(QType type, bool is_max) {
  return aggregate_of(is_max ? Aggregate::kMax : Aggregate::kMin, type);
}

// Of no value: the type's infinity, or the end of those that have none.
template <typename T>
T extreme_of_none(bool is_max) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return is_max ? -Limits::infinity() : Limits::infinity();
  if constexpr (std::is_unsigned_v<T>) return is_max ? T{0} : Limits::max();
  return static_cast<T>(is_max ? -Limits::max() : Limits::max());
}

template <typename T>
void check_type(QType type, std::size_t group_count) {
  std::mt19937_64 random(group_count + static_cast<std::size_t>(type));
  const GroupedRows rows = adversarial_rows(type, group_count, random);
  for (const bool is_max : {false, true}) {
    check_groups<T>(rows, maker(type, is_max), random, [&](const auto& members) {
      T best = extreme_of_none<T>(is_max);
      for (const std::size_t row : members) {
        if (rows.values.is_null(row)) continue;
        const T value = load_element<T>(rows.values.at(row));
        if (is_max ? value > best : value < best) best = value;
      }
      return best;
    });
  }
}

void check_any(QType type, std::size_t group_count) {
  switch (type_width(type)) {
    case 1: return check_type<std::uint8_t>(type, group_count);
    case 2: return check_type<std::int16_t>(type, group_count);
    case 4:
      return type == QType::kReal ? check_type<float>(type, group_count)
                                  : check_type<std::int32_t>(type, group_count);
    default:
      return is_floating(type) ? check_type<double>(type, group_count)
                               : check_type<std::int64_t>(type, group_count);
  }
}

}  // namespace

TEST_CASE("min and max of nothing and of nulls are infinities") {
  for (const std::size_t null_rows : {0, 5}) {
    const GroupedRows rows = one_group(std::vector<double>(null_rows, std::nan("")));
    REQUIRE(result_of(rows, Aggregate::kMax) == extreme_of_none<double>(true));
    REQUIRE(result_of(rows, Aggregate::kMin) == extreme_of_none<double>(false));
  }
}

TEST_CASE("min and max are those of the values, for every type and number of groups") {
  for (const std::size_t groups : kGroupCounts) {
    check_any(QType::kChar, groups);
    for (const QType type : kNumberTypes) check_any(type, groups);
  }
}

TEST_CASE("of zeros min and max give the one without a sign") {
  PackedValues values{QType::kFloat, {}};
  for (const double zero : {-0.0, 0.0, -0.0}) values.push_back(zero);
  const GroupedRows rows{values, {}, {0, 0, 1}, 2};
  for (const bool is_max : {false, true}) {
    FedAggregator fed(rows, maker(QType::kFloat, is_max));
    fed.take_runs(0, 3);
    const std::vector<std::byte> found = fed.results(8);
    REQUIRE_FALSE(std::signbit(load_element<double>(found.data())));
    REQUIRE_FALSE(std::signbit(load_element<double>(found.data() + 8)));
  }
}
