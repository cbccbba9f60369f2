// Every column that real kdb+ wrote, against figures of a reader that shares nothing with this one.
#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/column/column.h"
#include "engine/column/format_value.h"
#include "engine/column/memory_table.h"
#include "engine/storage/anymap.h"
#include "engine/storage/column_file.h"
#include "engine/storage/database.h"
#include "engine/storage/parted_index.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

struct ExpectedColumn {
  std::string file, kind, attribute, rows, crc, first, last, symbols;
};

std::vector<ExpectedColumn> expected_columns() {
  std::ifstream file(samples() / "expected.tsv");
  std::vector<ExpectedColumn> columns;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '\t');) cells.push_back(cell);
    cells.resize(8);
    columns.push_back(
        {cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]});
  }
  return columns;
}

// <database>/<partition>/<table>/<column>, or <database>/<table>/<column> for splayed tables.
fs::path database_of(const fs::path& file) {
  const fs::path above = file.parent_path().parent_path();
  return above.filename().string().starts_with("20") ? above.parent_path() : above;
}

std::string kind_of(const Column& column, const ColumnHeader& header) {
  if (header.anymap) return "anymap";
  if (column.type == QType::kNested) return "mixed";
  if (column.type == QType::kSymbol) return column.width == 4 ? "enum4" : "enum8";
  return std::string(type_name(column.type));
}

std::string attribute_of(const Column& column) {
  constexpr const char* kLetters[] = {"", "s", "u", "p", "g"};
  return kLetters[static_cast<int>(column.attribute)];
}

std::string crc_of(const Column& column) {
  uLong crc = ::crc32(0, nullptr, 0);
  if (column.bytes() > 0) {
    crc = ::crc32(crc, reinterpret_cast<const Bytef*>(column.data),
                  static_cast<uInt>(column.bytes()));
  }
  return fmt::format("{:08x}", crc);
}

// Whether an element is the value that `text` writes: symbols as text, floats as floats, the rest
// as integers.
bool is_value(const Column& column, std::uint64_t row, const std::string& text) {
  const std::byte* element = column.data + row * column.width;
  if (column.type == QType::kSymbol) {
    std::string symbol;
    append_value(symbol, column.type, column.width, element, column.domain.get());
    return symbol == text;
  }
  if (is_floating(column.type))
    return load_element<double>(element) == std::strtod(text.c_str(), nullptr);
  return element_order_key(column.type, column.width, element) ==
         std::strtoll(text.c_str(), nullptr, 10);
}

std::string first_symbols(const Column& column) {
  if (column.type != QType::kSymbol) return "";
  std::vector<std::string> distinct;
  for (std::uint64_t row = 0; row < column.rows && distinct.size() < 3; ++row) {
    std::string symbol;
    append_value(symbol, column.type, column.width, column.data + row * column.width,
                 column.domain.get());
    if (std::find(distinct.begin(), distinct.end(), symbol) == distinct.end()) {
      distinct.push_back(symbol);
    }
  }
  return fmt::format("{}", fmt::join(distinct, ","));
}

void check_column(const ExpectedColumn& expected) {
  const fs::path path = samples() / expected.file;
  const auto store = make_page_cache_store();
  Domains domains(database_of(path));
  const auto read = read_column(path, *store, domains);
  const auto summary = read_column_summary(path);
  REQUIRE(read.ok());
  REQUIRE(summary.ok());
  CHECK(kind_of(*read, summary->header) == expected.kind);
  CHECK(attribute_of(*read) == expected.attribute);
  CHECK(std::to_string(read->rows) == expected.rows);
  CHECK(summary->rows == read->rows);
  if (read->type == QType::kNested) return;
  CHECK(crc_of(*read) == expected.crc);
  CHECK(first_symbols(*read) == expected.symbols);
  if (read->rows == 0) return;
  CHECK(is_value(*read, 0, expected.first));
  CHECK(is_value(*read, read->rows - 1, expected.last));
}

TEST_CASE("every column of the samples is what expected.tsv says") {
  if (!have_samples()) return;
  std::size_t checked = 0;
  for (const ExpectedColumn& expected : expected_columns()) {
    if (expected.kind == "MISSING") continue;
    INFO(expected.file);
    check_column(expected);
    ++checked;
  }
  CHECK(checked == 148);
}

TEST_CASE("indices beyond the domain as published are named by the index and by the value") {
  if (!have_samples()) return;
  const fs::path root = samples() / "v36-anymap/hdb";
  const auto database = Database::open(root);
  REQUIRE(database.ok());
  const auto table = (*database)->table("flights", make_page_cache_store());
  REQUIRE(table.ok());
  const Column* sym = (*table)->column(0, *(*table)->schema().find("sym")).value();
  CHECK(parted_index(*sym).error().message ==
        (root / "2020.11.14/flights/sym: byte 17872 (p# index): index 208, but domain sym has 129 "
                "symbols")
            .string());
}

TEST_CASE("the strings of an anymap are read through its references") {
  if (!have_samples()) return;
  const auto database = Database::open(samples() / "v36-anymap/hdb");
  REQUIRE(database.ok());
  const auto table = (*database)->table("flights", make_page_cache_store());
  REQUIRE(table.ok());
  const Column* column = (*table)->column(0, *(*table)->schema().find("registration")).value();
  std::vector<std::string> texts;
  for (std::uint64_t row = 0; row < column->rows; ++row) {
    const auto cell = nested_cell(*column, row);
    REQUIRE(cell.ok());
    CHECK(cell->kind == 10);
    std::string text;
    append_value(text, QType::kNested, sizeof(NestedCell),
                 reinterpret_cast<const std::byte*>(&*cell), nullptr);
    texts.push_back(text);
  }
  CHECK(texts.size() == 1718);
  CHECK(std::vector<std::string>(texts.begin(), texts.begin() + 5) ==
        std::vector<std::string>{"", "SXDVO", "SXNEO", "", "SXDVO"});
}

}  // namespace
}  // namespace hdbench
