#include "engine/shaping/row_order.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/shaping/row_keys.h"
#include "engine/shaping/row_lists.h"
#include "engine/testing/test_columns.h"

namespace hdbench {
namespace {

using testing::context;
using Numbers = std::vector<std::uint64_t>;

// Long 3 1 null 3 1, and symbols whose codes are not in the order of their texts.
ResultTable five_rows() {
  ResultTable table;
  table.rows = 5;
  table.columns.push_back(
      testing::result_column<std::int64_t>(QType::kLong, {3, 1, kNullLong, 3, 1}));
  table.columns.push_back(testing::result_column<std::uint8_t>(
      QType::kSymbol, {0, 1, 2, 1, 0}, make_domain("sym", {"z", "a", "m"})));
  return table;
}

Numbers ordered(std::vector<std::size_t> columns, bool is_descending, TakenRows taken = {0, 5}) {
  const RowNumbers rows =
      ordered_rows(five_rows(), {std::move(columns), is_descending}, taken, context());
  return {rows.begin(), rows.end()};
}

NestedCell cell_at(const ResultColumn& column, std::size_t row) {
  NestedCell cell;
  std::memcpy(&cell, column.buffer.data() + row * sizeof(cell), sizeof(cell));
  return cell;
}

}  // namespace

TEST_CASE("rows in an order keep theirs where they are equal, nulls being least") {
  CHECK(ordered({0}, false) == Numbers{2, 1, 4, 0, 3});
  CHECK(ordered({0}, true) == Numbers{0, 3, 1, 4, 2});
  CHECK(ordered({1}, false) == Numbers{1, 3, 2, 0, 4});
  CHECK(ordered({0, 1}, false) == Numbers{2, 1, 4, 3, 0});
}

TEST_CASE("only the places requested are given") {
  CHECK(ordered({0}, false, {0, 2}) == Numbers{2, 1});
  CHECK(ordered({0}, true, {3, 5}) == Numbers{4, 2});
  CHECK(ordered({1}, false, {2, 2}).empty());
}

TEST_CASE("the first of many rows are those of a whole sort, equal ones in their order") {
  std::mt19937_64 random(3);
  for (const std::uint64_t values :
       {std::uint64_t{7}, std::uint64_t{5000}, std::uint64_t{1} << 60}) {
    std::vector<std::int64_t> words(200000);
    for (std::int64_t& word : words) {
      word = random() % 50 == 0 ? INT64_MAX : static_cast<std::int64_t>(random() % values);
    }
    ResultTable table;
    table.rows = words.size();
    table.columns.push_back(testing::result_column(QType::kLong, words));
    for (const bool is_descending : {false, true}) {
      Numbers expected(words.size());
      std::iota(expected.begin(), expected.end(), 0U);
      std::stable_sort(expected.begin(), expected.end(), [&](std::uint64_t a, std::uint64_t b) {
        return is_descending ? words[b] < words[a] : words[a] < words[b];
      });
      for (const TakenRows taken : {TakenRows{0, 1}, TakenRows{0, 50}, TakenRows{20, 3000},
                                    TakenRows{0, 20000}, TakenRows{199000, 200000}}) {
        const RowNumbers found = ordered_rows(table, {{0}, is_descending}, taken, context());
        REQUIRE(std::equal(found.begin(), found.end(),
                           expected.begin() + static_cast<std::ptrdiff_t>(taken.begin),
                           expected.begin() + static_cast<std::ptrdiff_t>(taken.end)));
      }
    }
  }
}

TEST_CASE("the table of some rows has each column's elements") {
  const std::uint64_t written_before = context().accesses.written();
  const std::vector<std::uint64_t> rows = {4, 0, 4};
  const ResultTable taken = take_rows(five_rows(), rows, context());
  CHECK(taken.rows == 3);
  CHECK(testing::elements_of<std::int64_t>(taken.columns[0], 3) ==
        std::vector<std::int64_t>{1, 3, 1});
  CHECK(testing::elements_of<std::uint8_t>(taken.columns[1], 3) ==
        std::vector<std::uint8_t>{0, 0, 0});
  CHECK(context().accesses.written() - written_before == 3 * 8 + 3);
}

TEST_CASE("words rise as elements do, and are equal where these are") {
  const ResultTable table = five_rows();
  const std::vector<Words> ranks = order_words(table.columns[1], 5, context());
  const Words& by_text = ranks.front();
  CHECK(by_text[1] < by_text[2]);
  CHECK(by_text[2] < by_text[0]);
  const std::vector<Words> equal = equality_words(table.columns[1], 5, context());
  const Words& codes = equal.front();
  CHECK(codes[0] == codes[4]);
  CHECK(codes[0] != codes[1]);
  std::vector<std::uint8_t> guids(48, 0);
  guids[15] = 1;  // the first guid's last byte
  guids[16] = 1;  // the second one's first byte
  ResultColumn column = testing::result_column(QType::kGuid, guids);
  column.width = 16;
  const std::vector<Words> halves = order_words(column, 3, context());
  REQUIRE(halves.size() == 2);
  CHECK(halves[0][0] == halves[0][2]);
  CHECK(halves[1][0] > halves[1][2]);
  CHECK(halves[0][1] > halves[0][0]);
}

TEST_CASE("rows of one key become one row of lists, keys rising") {
  const auto domain = make_domain("sym", {"z", "a"});
  ResultTable table;
  table.rows = 4;
  table.columns.push_back(
      testing::result_column<std::uint8_t>(QType::kSymbol, {0, 1, 0, 1}, domain));
  table.columns.push_back(testing::result_column<std::int64_t>(QType::kLong, {1, 2, 3, 4}));
  table.columns.push_back(
      testing::result_column<std::uint8_t>(QType::kSymbol, {0, 0, 1, 1}, domain));
  table.columns.push_back(testing::result_column<std::int64_t>(QType::kLong, {7, 8, 7, 8}));
  const ResultTable lists =
      list_rows({1, {{false}, {true}, {true}, {false}}, false}, std::move(table), context());
  REQUIRE(lists.rows == 2);
  const NestedCell numbers = cell_at(lists.columns[1], 0);
  CHECK(numbers.count == 2);
  CHECK(numbers.kind == static_cast<std::uint8_t>(QType::kLong));
  std::int64_t second = 0;
  std::memcpy(&second, numbers.data + 8, sizeof(second));
  CHECK(second == 4);
  const NestedCell symbols = cell_at(lists.columns[2], 1);
  CHECK(symbols.kind == kSymbolsType);
  CHECK(std::string_view(reinterpret_cast<const char*>(symbols.data), symbols.count) ==
        std::string_view("z\0a\0", 4));
  std::int64_t atom = 0;
  std::memcpy(&atom, lists.columns[3].buffer.data(), sizeof(atom));
  CHECK(atom == 8);
}

}  // namespace hdbench
