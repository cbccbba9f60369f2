// The three output formats against their exact text.
#include "bench/query_output/print_result.h"

#include <cstring>
#include <limits>
#include <memory_resource>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

namespace hdbench::bench {
namespace {

template <typename T>
void add_column(ResultTable& table, std::string name, QType type, const std::vector<T>& values,
                std::shared_ptr<const Domain> domain = nullptr) {
  ResultColumn column;
  column.name = std::move(name);
  column.type = type;
  column.width = sizeof(T);
  column.buffer = Buffer(*std::pmr::new_delete_resource(), values.size() * sizeof(T));
  if (!values.empty()) {
    std::memcpy(column.buffer.data(), values.data(), values.size() * sizeof(T));
  }
  column.domain = std::move(domain);
  table.rows = values.size();
  table.columns.push_back(std::move(column));
}

ResultTable keyed_quotes() {
  ResultTable table;
  table.key_count = 2;
  const auto sym = make_domain("sym", {"a", "long,er", "say \"x\""});
  add_column<std::int32_t>(table, "date", QType::kDate, {7311, 7311, 7312});
  add_column<std::int32_t>(table, "sym", QType::kSymbol, {0, 1, 2}, sym);
  add_column<double>(table, "bid", QType::kFloat,
                     {19.85, std::numeric_limits<double>::quiet_NaN(), 100});
  add_column<std::int64_t>(table, "size", QType::kLong, {1, kNullLong, -300});
  return table;
}

ResultTable no_rows() {
  ResultTable table;
  add_column<std::int64_t>(table, "size", QType::kLong, {});
  return table;
}

std::string printed_by(const std::function<void(TextSink&)>& print) {
  std::string all;
  TextSink sink([&](std::string_view piece) -> Result<bool> {
    all += piece;
    return true;
  });
  print(sink);
  REQUIRE(sink.finish().ok());
  return all;
}

TEST_CASE("csv quotes only what a reader would split, and leaves nulls empty") {
  CHECK(printed_by([](TextSink& sink) { print_csv(keyed_quotes(), sink); }) ==
        "date,sym,bid,size\n"
        "2020-01-07,a,19.85,1\n"
        "2020-01-07,\"long,er\",,\n"
        "2020-01-08,\"say \"\"x\"\"\",100,-300\n");
}

TEST_CASE("csv quotes a null that is alone in its line, of every type") {
  ResultTable table;
  add_column<std::int64_t>(table, "size", QType::kLong, {1, kNullLong});
  CHECK(printed_by([&](TextSink& sink) { print_csv(table, sink); }) == "size\n1\n\"\"\n");
  ResultTable symbols;
  add_column<std::int32_t>(symbols, "sym", QType::kSymbol, {0, 1}, make_domain("sym", {"", "a"}));
  CHECK(printed_by([&](TextSink& sink) { print_csv(symbols, sink); }) == "sym\n\"\"\na\n");
}

TEST_CASE("json has numbers, nulls and strings, one array a column") {
  CHECK(printed_by([](TextSink& sink) { print_json(keyed_quotes(), "\"id\": 7, ", sink); }) ==
        "{\"id\": 7, \"columns\": [\"date\",\"sym\",\"bid\",\"size\"], "
        "\"types\": [\"date\",\"symbol\",\"float\",\"long\"], \"keys\": 2, \"rows\": 3, "
        "\"data\": [[\"2020-01-07\",\"2020-01-07\",\"2020-01-08\"],"
        "[\"a\",\"long,er\",\"say \\\"x\\\"\"],[19.85,null,100],[1,null,-300]]}\n");
}

TEST_CASE("json keeps what is UTF-8 and takes other bytes as Latin-1") {
  std::string out;
  append_json_string(out, "caf\xC3\xA9 caf\xE9\n\\");
  CHECK(out == "\"caf\xC3\xA9 caf\\u00e9\\u000a\\\\\"");
}

TEST_CASE("json writes infinities as strings and booleans as words") {
  ResultTable table;
  add_column<double>(table, "x", QType::kFloat, {std::numeric_limits<double>::infinity()});
  add_column<std::uint8_t>(table, "b", QType::kBoolean, {1});
  const std::string text = printed_by([&](TextSink& sink) { print_json(table, "", sink); });
  CHECK(text.find("inf") == std::string::npos);
  CHECK(text.substr(text.find("\"data\"")).find("[true]") != std::string::npos);
}

TEST_CASE("a table has aligned columns with a bar behind its keys") {
  CHECK(printed_by([](TextSink& sink) { print_table(keyed_quotes(), 20, 0, sink); }) ==
        "date       sym    | bid   size\n"
        "------------------| ----------\n"
        "2020.01.07 a      | 19.85 1\n"
        "2020.01.07 long,er|\n"
        "2020.01.08 say \"x\"| 100   -300\n");
}

TEST_CASE("infinities keep their signs in every format") {
  ResultTable table;
  add_column<std::int64_t>(table, "ts", QType::kTimestamp, {-INT64_MAX, INT64_MAX});
  add_column<std::int32_t>(table, "d", QType::kDate, {-INT32_MAX, INT32_MAX});
  add_column<std::int16_t>(table, "h", QType::kShort, {-INT16_MAX, INT16_MAX});
  add_column<double>(
      table, "f", QType::kFloat,
      {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()});
  CHECK(printed_by([&](TextSink& sink) { print_table(table, 20, 0, sink); }) ==
        "ts  d   h   f\n---------------\n-0W -0W -0W -0w\n0W  0W  0W  0w\n");
  CHECK(printed_by([&](TextSink& sink) { print_csv(table, sink); }) ==
        "ts,d,h,f\n-0W,-0W,-0W,-0w\n0W,0W,0W,0w\n");
  const std::string json = printed_by([&](TextSink& sink) { print_json(table, "", sink); });
  CHECK(
      json.ends_with("[[\"-0W\",\"0W\"],[\"-0W\",\"0W\"],[\"-0W\",\"0W\"],"
                     "[\"-0w\",\"0w\"]]}\n"));
}

TEST_CASE("a table's dates have dots, whatever the year") {
  ResultTable table;
  add_column<std::int32_t>(table, "d", QType::kDate, {0, 2147483646, -2147483646});
  CHECK(printed_by([&](TextSink& sink) { print_table(table, 20, 0, sink); }) ==
        "d\n--------------\n2000.01.01\n5881610.07.10\n-5877611.06.24\n");
}

TEST_CASE("a table's columns align by what a terminal shows") {
  ResultTable table;
  add_column<std::int32_t>(table, "sym", QType::kSymbol, {0, 1},
                           make_domain("sym", {"caf\xC3\xA9", "\xE6\x97\xA5\xE6\x9C\xAC"}));
  add_column<std::int64_t>(table, "size", QType::kLong, {1, 2});
  CHECK(printed_by([&](TextSink& sink) { print_table(table, 20, 0, sink); }) ==
        "sym  size\n---------\ncaf\xC3\xA9 1\n\xE6\x97\xA5\xE6\x9C\xAC 2\n");
}

ResultTable lists() {
  static const std::int64_t longs[] = {1, kNullLong, 3};
  static const double floats[] = {0.1, 20.150000000000002};
  static const std::int32_t days[] = {7311, kNullInt};
  const auto cell = [](std::uint8_t kind, const void* data, std::uint32_t count,
                       bool is_atom = false) {
    return NestedCell{static_cast<const std::byte*>(data), count, kind, is_atom, 0};
  };
  ResultTable table;
  add_column<NestedCell>(
      table, "c", QType::kNested,
      {cell(7, longs, 3), cell(7, longs, 1), cell(9, floats, 0), cell(9, floats, 2),
       cell(14, days, 2), cell(10, "a\"b", 3), cell(kSymbolsType, "a\0b\0", 4),
       cell(kSymbolsType, "a\0", 2, true), cell(kShownCell, "(1;`a)", 6)});
  return table;
}

TEST_CASE("a table shows lists as q does, and strings bare") {
  CHECK(printed_by([](TextSink& sink) { print_table(lists(), 20, 0, sink); }) ==
        "c\n-------------\n1 0N 3\n,1\n`float$()\n0.1 20.15\n2020.01.07 0N\na\"b\n`a`b\n`a\n"
        "(1;`a)\n");
}

TEST_CASE("csv has the items of a list with blanks between") {
  CHECK(printed_by([](TextSink& sink) { print_csv(lists(), sink); }) ==
        "c\n1  3\n1\n\"\"\n0.1 20.150000000000002\n2020-01-07 \n\"a\"\"b\"\na b\na\n(1;`a)\n");
}

TEST_CASE("json has lists as arrays and strings as strings") {
  const std::string text = printed_by([](TextSink& sink) { print_json(lists(), "", sink); });
  CHECK(text.substr(text.find("\"data\": ")) ==
        "\"data\": [[[1,null,3],[1],[],[0.1,20.150000000000002],[\"2020-01-07\",null],"
        "\"a\\\"b\",[\"a\",\"b\"],\"a\",\"(1;`a)\"]]}\n");
}

TEST_CASE("a table shows seven digits of a float, csv all of them") {
  ResultTable table;
  add_column<double>(table, "x", QType::kFloat, {20.150000000000002});
  CHECK(printed_by([&](TextSink& sink) { print_table(table, 20, 0, sink); }) ==
        "x\n-----\n20.15\n");
  CHECK(printed_by([&](TextSink& sink) { print_csv(table, sink); }) == "x\n20.150000000000002\n");
}

TEST_CASE("a table without keys has no bar, and none of the rows beyond the most requested") {
  ResultTable table;
  add_column<std::int64_t>(table, "size", QType::kLong, {1, 22, 333});
  CHECK(printed_by([&](TextSink& sink) { print_table(table, 2, 0, sink); }) ==
        "size\n----\n1\n22\n..\n");
  CHECK(printed_by([](TextSink& sink) { print_table(no_rows(), 20, 0, sink); }) == "size\n----\n");
}

}  // namespace
TEST_CASE("lines are cut where the terminal ends, between characters") {
  ResultTable table;
  add_column<std::int64_t>(table, "größe", QType::kLong, {1234567});
  add_column<std::int64_t>(table, "b", QType::kLong, {7654321});
  CHECK(printed_by([&](TextSink& sink) { print_table(table, 20, 10, sink); }) ==
        "größe   b\n--------..\n1234567 ..\n");
  CHECK(printed_by([&](TextSink& sink) { print_table(table, 20, 15, sink); }) ==
        "größe   b\n---------------\n1234567 7654321\n");
  CHECK(printed_by([&](TextSink& sink) { print_table(table, 20, 5, sink); }) ==
        "grö..\n---..\n123..\n");
}

}  // namespace hdbench::bench
