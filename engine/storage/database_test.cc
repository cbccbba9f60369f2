#include "engine/storage/database.h"

#include <fmt/format.h>

#include "engine/base/catch.h"
#include "engine/storage/page_cache_store.h"
#include "engine/storage/saved_for_tests.h"
#include "engine/storage/test_database.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

std::string open_error(const fs::path& root) {
  const auto database = Database::open(root);
  return database.ok() ? "" : database.error().message;
}

std::shared_ptr<Table> table_in(const fs::path& root, std::string_view name = "quote") {
  const auto database = Database::open(root);
  REQUIRE(database.ok());
  const auto table = (*database)->table(name, make_page_cache_store());
  REQUIRE(table.ok());
  return *table;
}

TEST_CASE("what is no database is told in one line") {
  const ScratchDirectory scratch;
  const std::string root = scratch.path().string();
  CHECK(open_error(scratch / "none") == root + "/none: no such directory");
  write_bytes(scratch / "file", bytes_of("text"));
  CHECK(open_error(scratch / "file") == root + "/file: a file, but a database is a directory");
  fs::create_directories(scratch / "empty");
  CHECK(open_error(scratch / "empty") ==
        root +
            "/empty: no table in it: neither partitions (2020.01.07/quote/.d) nor a splayed "
            "table (quote/.d)");
}

TEST_CASE("a broken sym is told at the opening") {
  const ScratchDirectory scratch;
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_bytes(scratch / "sym", bytes_of("nonsense"));
  CHECK(open_error(scratch.path()) ==
        (scratch / "sym").string() + ": byte 0: 6e 6f 6e, but a symbol list starts with ff 01 0b");
}

TEST_CASE("a table by date has the virtual field first and its columns in the order of .d") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.08/quote", 100, 4);
  write_quote(scratch / "2020.01.07/quote", 0, 6);
  const auto table = table_in(scratch.path());
  const Schema& schema = table->schema();
  CHECK(schema.partitioned);
  REQUIRE(schema.fields.size() == 4);
  CHECK(schema.fields[0].name == "date");
  CHECK(schema.fields[0].type == QType::kDate);
  CHECK(schema.fields[1].name == "time");
  CHECK(schema.fields[2].name == "sym");
  CHECK(schema.fields[2].attribute == Attribute::kParted);
  CHECK(schema.fields[2].domain->size() == 2);
  CHECK(schema.fields[3].type == QType::kFloat);
  REQUIRE(table->part_count() == 2);
  CHECK(table->partition_value(0) == 7311);
  CHECK(table->rows(0).value() == 6);
  CHECK(table->rows(1).value() == 4);
  const Column* time = table->column(1, 1).value();
  CHECK(load_at<std::int64_t>({time->data, time->bytes()}, 8) == 101);
  CHECK(time->mapped);
  CHECK(table->column(1, 1).value() == time);
}

TEST_CASE("partitions by month, year and number are named by their directories") {
  const auto check = [](const char* first, const char* second, const char* field, QType type,
                        std::int64_t value) {
    INFO(field);
    const ScratchDirectory scratch;
    write_sym(scratch.path());
    write_quote(scratch / fs::path(first) / "quote", 0, 2);
    write_quote(scratch / fs::path(second) / "quote", 0, 2);
    const auto table = table_in(scratch.path());
    CHECK(table->schema().fields[0].name == field);
    CHECK(table->schema().fields[0].type == type);
    CHECK(table->partition_value(1) == value);
  };
  check("2019.12", "2020.01", "month", QType::kMonth, 240);
  check("2019", "2020", "year", QType::kInt, 2020);
  check("7", "10", "int", QType::kLong, 10);
  check("999", "1000", "int", QType::kLong, 1000);
}

TEST_CASE("partitions of two kinds are an error") {
  const ScratchDirectory scratch;
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_quote(scratch / "2020.01/quote", 0, 2);
  CHECK(open_error(scratch.path()) ==
        fmt::format("{0}/2020.01.07: a partition by date, but {0}/2020.01 is one by month",
                    scratch.path().string()));
}

TEST_CASE("segments of par.txt are read, absolute or relative, in partition order") {
  const ScratchDirectory scratch;
  write_sym(scratch / "db");
  write_quote(scratch / "one/2020.01.08/quote", 100, 4);
  write_quote(scratch / "db/two/2020.01.07/quote", 0, 6);
  write_bytes(scratch / "db/par.txt", bytes_of((scratch / "one").string() + "\r\n\ntwo\n"));
  const auto table = table_in(scratch / "db");
  REQUIRE(table->part_count() == 2);
  CHECK(table->rows(0).value() == 6);
  CHECK(table->rows(1).value() == 4);
}

TEST_CASE("a segment that is not there, or a partition in two segments, is an error") {
  const ScratchDirectory scratch;
  const std::string root = scratch.path().string();
  write_bytes(scratch / "par.txt", bytes_of("\nabsent\n"));
  CHECK(open_error(scratch.path()) ==
        fmt::format("{0}/par.txt: line 2: no directory {0}/absent", root));
  write_bytes(scratch / "par.txt", bytes_of("\n"));
  CHECK(open_error(scratch.path()) == root + "/par.txt: no segment in it");
  write_quote(scratch / "one/2020.01.07/quote", 0, 2);
  write_quote(scratch / "two/2020.01.07/quote", 0, 2);
  write_bytes(scratch / "par.txt", bytes_of("one\ntwo"));
  CHECK(open_error(scratch.path()) ==
        fmt::format("{0}/two/2020.01.07: the same partition as {0}/one/2020.01.07: not supported",
                    root));
}

TEST_CASE("a partition that lacks a table counts as empty") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 6);
  write_quote(scratch / "2020.01.08/trade", 0, 6);
  const auto table = table_in(scratch.path());
  REQUIRE(table->part_count() == 2);
  CHECK(table->rows(1).value() == 0);
  for (std::size_t field : {1, 2, 3}) {
    const Column* column = table->column(1, field).value();
    CHECK(column->rows == 0);
    CHECK(column->type == table->schema().fields[field].type);
  }
}

TEST_CASE("stray files and directories are ignored") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_quote(scratch / "2020.01.07/trade$", 0, 2);
  write_quote(scratch / "2020.02.30/quote", 0, 2);
  write_quote(scratch / "2020.01.09$/quote", 0, 2);
  write_bytes(scratch / "2020.01.07/.DS_Store", bytes_of("x"));
  write_bytes(scratch / "2020.01.07/quote/stray", bytes_of("x"));
  write_bytes(scratch / ".DS_Store", bytes_of("x"));
  fs::create_directories(scratch / "2020.01.07/lost+found");
  fs::create_directories(scratch / "scripts");
  const auto database = Database::open(scratch.path());
  REQUIRE(database.ok());
  CHECK((*database)->table_names() == std::vector<std::string>{"quote"});
  CHECK((*database)->partition_count() == 1);
}

TEST_CASE("a splayed table at the root is one part without a virtual field") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "quote", 0, 6);
  const auto table = table_in(scratch.path());
  CHECK_FALSE(table->schema().partitioned);
  CHECK(table->schema().fields.size() == 3);
  CHECK(table->part_count() == 1);
  CHECK(table->rows(0).value() == 6);
  CHECK(table->column(0, 2).value()->type == QType::kFloat);
}

TEST_CASE("saved tables are tables, other objects at the root are noted") {
  const ScratchDirectory scratch;
  const Object longs = vector_object<std::int64_t>(QType::kLong, {7, 8});
  save_object(scratch / "cal", table_object({"day"}, {longs}));
  save_object(scratch / "inst",
              dictionary_object(table_object({"k"}, {longs}), table_object({"v"}, {longs})));
  save_object(scratch / "conf", dictionary_object(symbols_object({"a"}), longs));
  write_sym(scratch.path());
  const auto database = Database::open(scratch.path());
  REQUIRE(database.ok());
  CHECK((*database)->table_names() == std::vector<std::string>{"cal", "inst"});
  CHECK((*database)->notes() ==
        std::vector<std::string>{(scratch / "conf").string() + ": a dictionary: skipped"});
  CHECK((*database)->saved_file("cal") == scratch / "cal");
  CHECK((*database)->column_files("cal").value() == std::vector<fs::path>{scratch / "cal"});
  const auto inst = (*database)->table("inst", make_page_cache_store());
  REQUIRE(inst.ok());
  CHECK((*inst)->schema().fields[1].name == "v");
  CHECK((*inst)->rows(0).value() == 2);
}

TEST_CASE("a table at the root hides the partitions' one, with a note") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_quote(scratch / "quote", 0, 6);
  write_quote(scratch / "2020.01.07/trade", 0, 2);
  save_object(scratch / "trade",
              table_object({"a"}, {vector_object<std::int64_t>(QType::kLong, {1})}));
  const auto database = Database::open(scratch.path());
  REQUIRE(database.ok());
  CHECK((*database)->table_names() == std::vector<std::string>{"quote", "trade"});
  const std::string root = scratch.path().string();
  CHECK((*database)->notes() ==
        std::vector<std::string>{
            root + "/quote: hides the table quote of the partitions, as in kdb+",
            root + "/trade: hides the table trade of the partitions, as in kdb+"});
  CHECK((*database)->table("quote", make_page_cache_store()).value()->rows(0).value() == 6);
  CHECK((*database)->table("trade", make_page_cache_store()).value()->rows(0).value() == 1);
}

TEST_CASE("links into tables at the root are followed") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "ref", 10, 2);
  const Object longs = vector_object<std::int64_t>(QType::kLong, {7, 8});
  save_object(scratch / "inst",
              dictionary_object(table_object({"k"}, {longs}), table_object({"v"}, {longs})));
  const std::vector<std::int64_t> codes{1, 0};
  for (const char* link : {"ref", "inst"}) {
    REQUIRE(write_column<std::int64_t>(scratch / "2020.01.07/t" / link,
                                       symbol_spec(Attribute::kNone, link), codes));
  }
  save_object(scratch / "2020.01.07/t/.d", symbols_object({"ref", "inst"}));
  const auto database = Database::open(scratch.path());
  REQUIRE(database.ok());
  const auto table = (*database)->table("t", make_page_cache_store());
  REQUIRE(table.ok());
  std::string names;
  for (const Field& field : (*table)->schema().fields) names += field.name + " ";
  CHECK(names == "date ref inst ref.time ref.sym ref.bid inst.k inst.v ");
  const auto first = [&](std::size_t field) {
    const Column& column = **(*table)->column(0, field);
    return load_at<std::int64_t>({column.data, column.bytes()}, 0);
  };
  CHECK(first(1) == 1);
  CHECK(first(2) == 8);
  CHECK(first(3) == 11);
  CHECK(first(7) == 8);
}

TEST_CASE("an unknown table is a usage error that lists the known ones") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_quote(scratch / "trade", 0, 2);
  const auto database = Database::open(scratch.path());
  REQUIRE(database.ok());
  const auto table = (*database)->table("qoute", make_page_cache_store());
  REQUIRE_FALSE(table.ok());
  CHECK(table.error().kind == ErrorKind::kUsage);
  CHECK(table.error().message ==
        scratch.path().string() + ": no table qoute; its tables are: quote, trade");
}

TEST_CASE("the files of a table are listed partition by partition") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_quote(scratch / "2020.01.08/quote", 0, 2);
  fs::remove(scratch / "2020.01.08/quote/sym");
  const auto database = Database::open(scratch.path());
  REQUIRE(database.ok());
  const auto files = (*database)->column_files("quote");
  REQUIRE(files.ok());
  CHECK(*files ==
        std::vector<fs::path>{scratch / "2020.01.07/quote/time", scratch / "2020.01.07/quote/sym",
                              scratch / "2020.01.07/quote/bid", scratch / "2020.01.08/quote/time",
                              scratch / "2020.01.08/quote/bid"});
  CHECK_FALSE((*database)->column_files("trade").ok());
}

}  // namespace
}  // namespace hdbench
