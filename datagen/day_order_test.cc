#include "datagen/day_order.h"

#include "datagen/column_values.h"
#include "datagen/domain_list.h"
#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

constexpr DayCount kSmallest{.date = 7311, .selected = 64, .others = 8};
constexpr DayCount kLarger{.date = 7311, .selected = 40'000, .others = 300};

void check(const Spec& spec, std::size_t plan, const DayCount& day) {
  const ColumnPlan column = table_plans(spec).front().columns[plan];
  const auto symbols = domain_list(spec.profile);
  const DayOrder order = order_by_symbol(column, 1, day, symbols);
  const PartedIndex& index = order.index;
  REQUIRE(order.rows.size() == day.rows());
  REQUIRE(index.offsets.size() == index.keys.size() + 1);
  CHECK(index.offsets.front() == 0);
  CHECK(index.offsets.back() == static_cast<std::int64_t>(day.rows()));

  std::vector<std::int64_t> codes(day.rows());
  fill_column(column, 1, day, {.count = day.rows(), .order = order.rows.data()},
              std::as_writable_bytes(std::span(codes)));
  for (std::size_t k = 0; k < index.keys.size(); ++k) {
    if (k > 0) REQUIRE(symbols[index.keys[k - 1]] < symbols[index.keys[k]]);
    REQUIRE(index.offsets[k] < index.offsets[k + 1]);
    for (auto place = index.offsets[k]; place < index.offsets[k + 1]; ++place) {
      REQUIRE(codes[place] == index.keys[k]);
      if (place > index.offsets[k]) REQUIRE(order.rows[place - 1] < order.rows[place]);
    }
  }
}

}  // namespace

TEST_CASE("a parted day is in text order, time order among equals, as its index says") {
  for (const DayCount& day : {kSmallest, kLarger}) {
    for (const std::size_t plan : {1U, 2U, 3U}) check({}, plan, day);
    check({.profile = Profile::kTaq}, 0, day);
  }
}

}  // namespace hdbench::datagen
