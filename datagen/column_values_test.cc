#include "datagen/column_values.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "datagen/paper_symbols.h"
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

}  // namespace

TEST_CASE("no rows are no values") {
  const TablePlan table = table_plans({}).front();
  for (const ColumnPlan& column : table.columns) {
    CHECK(values<std::int64_t>(column, {}, kDay).empty());
  }
}

TEST_CASE("pieces and single rows of every column give what the whole gives") {
  std::vector<TablePlan> tables = table_plans({.columns = 12});
  for (TablePlan& table : table_plans({.profile = Profile::kTaq})) tables.push_back(table);
  for (const TablePlan& table : tables) {
    for (const ColumnPlan& column : table.columns) {
      const std::size_t width = type_width(column.type);
      std::vector<std::byte> all(kDay.rows() * width), piece(8);
      fill_column(column, 1, kDay, {.count = kDay.rows()}, all);
      for (std::uint64_t row = 0; row < kDay.rows(); row += 37) {
        const auto in_order = static_cast<std::uint32_t>(row);
        fill_column(column, 1, kDay, {.first = row, .count = 1}, piece);
        REQUIRE(std::memcmp(piece.data(), all.data() + row * width, width) == 0);
        fill_column(column, 1, kDay, {.count = 1, .order = &in_order}, piece);
        REQUIRE(std::memcmp(piece.data(), all.data() + row * width, width) == 0);
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

TEST_CASE("sizes are round lots") {
  for (const auto* name : {"bsize", "asize"}) {
    std::set<std::int64_t> distinct;
    for (const std::int64_t size : whole<std::int64_t>(name)) {
      REQUIRE(size % 100 == 0);
      distinct.insert(size);
    }
    CHECK(*distinct.begin() == 100);
    CHECK(*distinct.rbegin() <= 3200);
    CHECK(distinct.size() > 20);
  }
  CHECK(whole<std::int64_t>("bsize") != whole<std::int64_t>("asize"));
}

TEST_CASE("symbols are codes of the domain and the filler columns differ from each other") {
  for (const auto* name : {"col1", "col2", "col3"}) {
    for (const std::int64_t code : whole<std::int64_t>(name)) {
      REQUIRE(code >= 0);
      REQUIRE(code < static_cast<std::int64_t>(paper_symbols().size()));
    }
  }
  CHECK(whole<double>("f1") != whole<double>("f2"));
  CHECK(whole<std::int64_t>("l1").front() >= 0);
}

}  // namespace hdbench::datagen
