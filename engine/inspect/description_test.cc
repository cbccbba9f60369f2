#include "engine/inspect/description.h"

#include "engine/base/catch.h"
#include "engine/testing/column_files.h"
#include "engine/testing/saved_objects.h"
#include "engine/testing/zip_files.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

DatabaseDescription described(const fs::path& root, std::string_view table = {}) {
  const auto database = Database::open(root);
  REQUIRE(database.ok());
  auto found = describe_database(**database, table);
  REQUIRE(found.ok());
  return std::move(*found);
}

struct TwoDays {
  TwoDays() {
    write_sym(scratch.path());
    write_quote(old_day, 0, 6);
    write_quote(new_day, 6, 4);
  }
  ScratchDirectory scratch;
  fs::path old_day = scratch / "2020.01.07/quote";
  fs::path new_day = scratch / "2020.01.08/quote";
};

TEST_CASE("a database is described by its tables, partitions, rows and columns") {
  const TwoDays days;
  const DatabaseDescription found = described(days.scratch.path());
  CHECK(found.root == days.scratch.path().string());
  CHECK(found.partition_field == "date");
  CHECK(found.partitions == 2);
  CHECK(found.first == "2020.01.07");
  CHECK(found.last == "2020.01.08");
  CHECK(found.unreadable.empty());
  REQUIRE(found.tables.size() == 1);
  const TableDescription& table = found.tables[0];
  CHECK(table.name == "quote");
  CHECK(table.kind == TableKind::kPartitioned);
  CHECK(table.partitions == 2);
  CHECK(table.rows == 10);
  CHECK(table.unreadable.empty());
  REQUIRE(table.columns.size() == 3);
  CHECK(table.columns[0].type == "timespan");
  CHECK(table.columns[1].attribute == Attribute::kParted);
  CHECK(table.columns[1].domain == "sym");
  CHECK(table.columns[2].files == std::map<std::string, std::uint64_t>{{"none", 2}});
  CHECK(table.columns[2].stored_bytes == 2 * 16 + 10 * 8);
  CHECK(table.columns[2].plain_bytes == 2 * 16 + 10 * 8);
  CHECK(table.stored_bytes == table.plain_bytes);
}

TEST_CASE("compressed columns have stored and plain bytes, and what compressed them") {
  const TwoDays days;
  const fs::path file = days.old_day / "bid";
  const std::vector<std::byte> plain = file_bytes(file);
  const std::vector<std::byte> zipped = zip_file(2, plain, 1 << 16);
  write_bytes(file, zipped);
  const TableDescription table = described(days.scratch.path()).tables[0];
  const ColumnDescription& bid = table.columns[2];
  CHECK(bid.plain_bytes == 2 * 16 + 10 * 8);
  CHECK(bid.stored_bytes == 16 + 4 * 8 + zipped.size());
  REQUIRE(bid.files.size() == 2);
  CHECK(bid.files.at("none") == 1);
  CHECK(bid.files.begin()->first.starts_with("gzip"));
}

TEST_CASE("what cannot be read is reported with its reason, and the rest is described") {
  const TwoDays days;
  for (const fs::path& day : {days.old_day, days.new_day}) {
    auto bytes = file_bytes(day / "bid");
    bytes[2] = std::byte{98};
    write_bytes(day / "bid", bytes);
  }
  fs::remove(days.old_day / "time");
  const TableDescription table = described(days.scratch.path()).tables[0];
  CHECK(table.rows == 10);
  REQUIRE(table.columns.size() == 3);
  CHECK(table.columns[2].type.empty());
  CHECK(table.columns[2].unreadable ==
        (days.new_day / "bid").string() + ": byte 2: type 98, which no supported column has");
  CHECK(table.columns[0].unreadable.empty());
  CHECK(table.unreadable == std::vector<std::string>{(days.old_day / "time").string() +
                                                     ": named by .d, but there is no such file"});
}

TEST_CASE("a table that is one file is described as saved, with that file's bytes") {
  const TwoDays days;
  const fs::path file = days.scratch / "ref";
  save_object(file, table_object({"k"}, {symbols_object({"a", "b"})}));
  const DatabaseDescription found = described(days.scratch.path(), "ref");
  REQUIRE(found.tables.size() == 1);
  CHECK(found.tables[0].kind == TableKind::kSaved);
  CHECK(found.tables[0].rows == 2);
  CHECK(found.tables[0].stored_bytes == fs::file_size(file));
  REQUIRE(found.tables[0].columns.size() == 1);
  CHECK(found.tables[0].columns[0].type == "symbol");
}

TEST_CASE("a saved table that is cut is reported as such, with the reason") {
  const TwoDays days;
  const Object whole = saved(table_object({"k"}, {symbols_object({"a", "b"})}));
  write_bytes(days.scratch / "ref", Bytes(whole).first(whole.size() - 3));
  const TableDescription table = described(days.scratch.path(), "ref").tables[0];
  CHECK(table.kind == TableKind::kSaved);
  CHECK(table.columns.empty());
  CHECK(table.stored_bytes == whole.size() - 3);
  REQUIRE(table.unreadable.size() == 1);
  CHECK(table.unreadable[0].find("/ref: byte ") != std::string::npos);
}

TEST_CASE("nested columns say what their cells are") {
  const ScratchDirectory scratch;
  const Object floats = vector_object<double>(QType::kFloat, {1});
  const Object text = string_object("ab");
  save_object(scratch / "t",
              table_object({"f", "s", "y", "m", "a", "e", "g"},
                           {list_object({floats, floats}), list_object({text, text}),
                            list_object({symbols_object({"x"}), symbols_object({})}),
                            list_object({floats, text}),
                            list_object({atom_object<double>(QType::kFloat, 1), text}),
                            vector_object<double>(QType::kFloat, {1, 2}),
                            list_object({list_object({floats, text}), floats})}));
  std::vector<std::string> types;
  const auto found = described(scratch.path());
  for (const auto& column : found.tables[0].columns) types.push_back(column.type);
  CHECK(types == std::vector<std::string>{"float list", "string", "symbol list", "mixed list",
                                          "mixed list", "float", "mixed list"});
}

TEST_CASE("a partition that segments share is counted once") {
  const TwoDays days;
  fs::create_directories(days.scratch / "a");
  fs::create_directories(days.scratch / "b");
  fs::rename(days.scratch / "2020.01.07", days.scratch / "a/2020.01.07");
  fs::rename(days.scratch / "2020.01.08", days.scratch / "b/2020.01.07");
  write_bytes(days.scratch / "par.txt", bytes_of("a\nb\n"));
  const DatabaseDescription found = described(days.scratch.path());
  CHECK((found.partitions == 1 && found.tables[0].partitions == 1));
  CHECK(found.tables[0].rows == 10);
}

TEST_CASE("one table alone, and a name that no table has") {
  const TwoDays days;
  fs::create_directories(days.scratch / "ref");
  write_quote(days.scratch / "ref", 0, 2);
  const DatabaseDescription both = described(days.scratch.path());
  REQUIRE(both.tables.size() == 2);
  CHECK(both.tables[1].kind == TableKind::kSplayed);
  CHECK(both.tables[1].partitions == 1);
  const DatabaseDescription one = described(days.scratch.path(), "ref");
  REQUIRE(one.tables.size() == 1);
  CHECK(one.tables[0].rows == 2);
  const auto database = Database::open(days.scratch.path());
  const auto none = describe_database(**database, "trade");
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == ErrorKind::kUsage);
}

}  // namespace
}  // namespace hdbench
