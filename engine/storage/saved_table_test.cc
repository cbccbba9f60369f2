#include "engine/storage/saved_table.h"

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/storage/anymap.h"
#include "engine/testing/saved_objects.h"

namespace hdbench {
namespace {

Result<SavedTable> read_object(const Object& object, Codes codes = Codes::kStored) {
  const ScratchDirectory scratch;
  save_object(scratch / "ref", object);
  const auto store = make_page_cache_store();
  return read_saved_table(scratch / "ref", "ref", *store, codes);
}

// The message behind the path.
std::string read_error_of(const Object& object) {
  const auto read = read_object(object);
  REQUIRE_FALSE(read.ok());
  return read.error().message.substr(read.error().message.find("ref: ") + 5);
}

Object longs(std::initializer_list<std::int64_t> values) {
  return vector_object<std::int64_t>(QType::kLong, values);
}

std::string text_at(const Column& column, std::uint64_t row) {
  const auto code = load_at<std::uint32_t>({column.data, column.bytes()}, row * column.width);
  return std::string(column.domain->text(code));
}

TEST_CASE("a saved table has its columns, symbols over a domain of their own") {
  const auto saved_table = read_object(table_object(
      {"s", "n", "d"}, {symbols_object({"b", "a", "b"}),
                        vector_object<std::int64_t>(QType::kLong, {1, 2, 3}, Attribute::kSorted),
                        vector_object<std::int32_t>(QType::kDate, {0, 1, kNullInt})}));
  REQUIRE(saved_table.ok());
  const Table& table = *saved_table->table;
  CHECK(saved_table->keys == 0);
  CHECK(table.name() == "ref");
  CHECK(*table.rows(0) == 3);
  const auto& fields = table.schema().fields;
  REQUIRE(fields.size() == 3);
  CHECK((fields[0].name == "s" && fields[0].type == QType::kSymbol));
  CHECK((fields[1].type == QType::kLong && fields[1].attribute == Attribute::kSorted));
  CHECK(fields[2].type == QType::kDate);
  const Column& symbols = **table.column(0, 0);
  CHECK(symbols.domain == fields[0].domain);
  CHECK(symbols.domain->stored_size() == 2);
  CHECK(text_at(symbols, 0) + text_at(symbols, 1) + text_at(symbols, 2) == "bab");
  const Column& dates = **table.column(0, 2);
  CHECK(load_at<std::int32_t>({dates.data, dates.bytes()}, 8) == kNullInt);
}

TEST_CASE("narrow codes are narrow in a saved table too") {
  const auto saved_table =
      read_object(table_object({"s"}, {symbols_object({"b", "a"})}), Codes::kNarrow);
  REQUIRE(saved_table.ok());
  const Column& symbols = **saved_table->table->column(0, 0);
  CHECK(symbols.width == 1);
  CHECK(std::to_integer<int>(symbols.data[1]) == 1);
}

TEST_CASE("a keyed table has its key columns first") {
  const auto keyed =
      read_object(dictionary_object(table_object({"k"}, {longs({7, 8})}),
                                    table_object({"v", "w"}, {longs({1, 2}), longs({3, 4})})));
  REQUIRE(keyed.ok());
  CHECK(keyed->keys == 1);
  CHECK(keyed->table->schema().fields[0].name == "k");
  CHECK(keyed->table->schema().fields[2].name == "w");
}

TEST_CASE("lists in cells, strings and symbols among them") {
  const auto saved_table = read_object(table_object(
      {"c"}, {list_object({string_object("ab"), longs({5}), symbols_object({"x", "y"}),
                           symbol_object("y"), atom_object<double>(QType::kFloat, 1.5)})}));
  REQUIRE(saved_table.ok());
  const Column& column = **saved_table->table->column(0, 0);
  CHECK(column.type == QType::kNested);
  CHECK(column.rows == 5);
  const NestedCell text = *nested_cell(column, 0);
  CHECK((text.kind == 10 && as_text({text.data, text.count}) == "ab"));
  CHECK(load_at<std::int64_t>({nested_cell(column, 1)->data, 8}, 0) == 5);
  const NestedCell symbols = *nested_cell(column, 2);
  CHECK(symbols.kind == kSymbolsType);
  CHECK(as_text({symbols.data, symbols.count}) == std::string_view("x\0y\0", 4));
  const NestedCell atom = *nested_cell(column, 3);
  CHECK(atom.is_atom);
  CHECK(as_text({atom.data, atom.count}) == std::string_view("y\0", 2));
  CHECK(load_at<double>({nested_cell(column, 4)->data, 8}, 0) == 1.5);
}

TEST_CASE("a saved table without rows has its schema") {
  const auto saved_table = read_object(table_object({"a", "b"}, {longs({}), list_object({})}));
  REQUIRE(saved_table.ok());
  CHECK(*saved_table->table->rows(0) == 0);
  CHECK(saved_table->table->schema().fields[1].type == QType::kNested);
}

TEST_CASE("what is no table is named with its byte") {
  CHECK(read_error_of(longs({1})) == "byte 2: a list of longs, but a table is expected");
  CHECK(read_error_of(dictionary_object(symbols_object({"a"}), longs({1}))) ==
        "byte 3: a list of symbols, but a table is expected");
  CHECK(read_error_of(table_object({"a", "b"}, {longs({1})})) ==
        "byte 15: 1 columns, but 2 names of columns");
  CHECK(read_error_of(table_object({"a", "b"}, {longs({1}), longs({1, 2})})) ==
        "byte 35: column b has 2 rows, but a has 1");
  CHECK(read_error_of(table_object({"a", "a"}, {longs({1}), longs({1})})) ==
        "byte 35: a second column a");
  CHECK(read_error_of(table_object({"a"}, {atom_object<std::int64_t>(QType::kLong, 1)})) ==
        "byte 19: a long atom, but a list for column a is expected");
}

TEST_CASE("a cell that is no vector is shown by what it is") {
  const Object table = table_object({"a"}, {longs({1})});
  const Object function{std::byte{101}, std::byte{0}};
  const auto read = read_object(table_object(
      {"a", "b"}, {list_object({dictionary_object(longs({}), list_object({longs({})})), table,
                                list_object({longs({1}), longs({})}), function}),
                   longs({1, 2, 3, 4})}));
  REQUIRE(read.ok());
  const Column& column = **read->table->column(0, 0);
  std::string shown;
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    const NestedCell cell = *nested_cell(column, row);
    CHECK(cell.kind == kShownCell);
    shown += as_text({cell.data, cell.count});
  }
  CHECK(shown == "(dict)(table)(list)(function)");
  CHECK(read->table->column(0, 1).ok());
}

TEST_CASE("bytes behind a saved table are counted") {
  Object table = table_object({"a"}, {longs({1})});
  CHECK(read_object(table)->bytes_behind == 0);
  append_bytes<std::int32_t>(table, 0);
  CHECK(read_object(table)->bytes_behind == 4);
}

TEST_CASE("a saved table that is cut anywhere is an error") {
  const Object whole = table_object(
      {"s", "c"}, {symbols_object({"b", "a"}), list_object({string_object("ab"), longs({1})})});
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    CHECK_FALSE(read_object(Object(whole.begin(), whole.begin() + bytes)).ok());
  }
}

}  // namespace
}  // namespace hdbench
