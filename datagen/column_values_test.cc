#include "datagen/column_values.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

constexpr DayCount kDay{.date = 7311, .selected = 5000, .others = 40};

template <class Element>
std::vector<Element> values(const ColumnPlan& column, const RowSlice& slice, const DayCount& day) {
  std::vector<Element> out(slice.count);
  fill_column(column, 1, day, slice, std::as_writable_bytes(std::span(out)));
  return out;
}

template <class Element>
std::vector<Element> whole(const std::string& name, const Spec& spec = {.columns = 12},
                           const DayCount& day = kDay) {
  const TablePlan table = table_plans(spec).front();
  for (const ColumnPlan& column : table.columns) {
    if (column.name == name) return values<Element>(column, {.count = day.rows()}, day);
  }
  FAIL("no column " << name);
  return {};
}

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

TEST_CASE("no rows are no values") {
  const TablePlan table = table_plans({}).front();
  for (const ColumnPlan& column : table.columns) {
    CHECK(values<std::int64_t>(column, {}, kDay).empty());
  }
}

TEST_CASE("single rows of every column, and rows in another order, are those of the whole") {
  std::vector<TablePlan> tables = table_plans({.columns = 12});
  for (TablePlan& table : table_plans({.profile = Profile::kTaq})) tables.push_back(table);
  for (const TablePlan& table : tables) {
    for (const ColumnPlan& column : table.columns) {
      const std::size_t width = type_width(column.type);
      std::vector<std::byte> all(kDay.rows() * width), piece(8);
      std::vector<std::uint32_t> falling(kDay.rows());
      std::iota(falling.rbegin(), falling.rend(), 0U);
      fill_column(column, 1, kDay, {.count = kDay.rows()}, all);
      for (std::uint64_t row = 0; row < kDay.rows(); row += 37) {
        fill_column(column, 1, kDay, {.first = row, .count = 1}, piece);
        REQUIRE(std::memcmp(piece.data(), all.data() + row * width, width) == 0);
      }
      std::vector<std::byte> backwards(all.size());
      fill_column(column, 1, kDay, {.count = kDay.rows(), .order = falling.data()}, backwards);
      for (std::uint64_t row = 0; row < kDay.rows(); ++row) {
        const std::byte* const there = backwards.data() + (kDay.rows() - 1 - row) * width;
        REQUIRE(std::memcmp(there, all.data() + row * width, width) == 0);
      }
    }
  }
}

TEST_CASE("time rises within the session, on the smallest day too") {
  for (const DayCount& day : {kDay, DayCount{.date = 7311, .selected = 64, .others = 8}}) {
    const auto time = whole<std::int64_t>("time", {}, day);
    CHECK(time.front() >= 34'200'000'000'000);
    CHECK(time.back() < 57'600'000'000'000);
    CHECK(time.back() > 57'600'000'000'000 - 2 * 23'400'000'000'000 / 72);
    for (std::size_t i = 1; i < time.size(); ++i) REQUIRE(time[i] > time[i - 1]);
  }
}

TEST_CASE("bid is below ask and both are whole cents") {
  const auto bid = whole<double>("bid");
  const auto ask = whole<double>("ask");
  for (std::size_t i = 0; i < bid.size(); ++i) {
    REQUIRE(bid[i] > 0.0);
    REQUIRE(bid[i] < ask[i]);
    REQUIRE(bid[i] == std::round(bid[i] * 100.0) / 100.0);
    REQUIRE(ask[i] == std::round(ask[i] * 100.0) / 100.0);
    REQUIRE(ask[i] - bid[i] < 0.045);
  }
}

TEST_CASE("a parted day is in text order, time order among equals, as its index says") {
  for (const DayCount& day : {kSmallest, kLarger}) {
    for (const std::size_t plan : {1U, 2U, 3U}) check({}, plan, day);
    check({.profile = Profile::kTaq}, 0, day);
  }
}

}  // namespace hdbench::datagen
