#include "engine/storage/database.h"

#include <fmt/format.h>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/testing/column_files.h"
#include "engine/testing/saved_objects.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

std::string open_error(const fs::path& root) {
  const auto database = Database::open(root);
  return database.ok() ? "" : database.error().message;
}

std::shared_ptr<Table> table_in(const fs::path& root, std::string_view name = "quote") {
  return Database::open(root).value()->table(name, make_page_cache_store()).value();
}

TEST_CASE("what is no database is reported in one line") {
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

TEST_CASE("partitions whose tables have no .d are reported as such") {
  const ScratchDirectory scratch;
  write_bytes(scratch / "451353600000000000/t/x", bytes_of("x"));
  fs::create_directories(scratch / "451440000000000000/t");
  CHECK(open_error(scratch.path()) ==
        fmt::format("{0}: 2 partitions by int, but none of their tables has a .d (which names its "
                    "columns): there is no {0}/451440000000000000/t/.d",
                    scratch.path().string()));
  const ScratchDirectory bare;
  fs::create_directories(bare / "2020.01.07");
  CHECK(open_error(bare.path()) ==
        bare.path().string() + ": 1 partition by date, and no table in any of them");
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
  CHECK(schema.fields[2].domain->stored_size() == 2);
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

TEST_CASE("a table's own directory is no database, and the message names the one that holds it") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_quote(scratch / "splayed", 0, 2);
  const auto expect = [&](const fs::path& root, const std::string& name) {
    CHECK(open_error(root) ==
          fmt::format("{}: this is the splayed table {}: give the database that holds it, {}, and "
                      "the table's name in the query",
                      root.string(), name, scratch.path().string()));
  };
  expect(scratch / "2020.01.07/quote", "quote");
  expect(scratch / "splayed/", "splayed");
}

TEST_CASE("segments of par.txt are read, absolute or relative, in partition order") {
  const ScratchDirectory scratch;
  write_sym(scratch / "db");
  write_quote(scratch / "one/2020.01.08/quote", 100, 4);
  write_quote(scratch / "db/two/2020.01.07/quote", 0, 6);
  write_bytes(scratch / "db/par.txt",
              bytes_of("  " + (scratch / "one").string() + " \r\n\n two \n"));
  const auto table = table_in(scratch / "db");
  REQUIRE(table->part_count() == 2);
  CHECK(table->rows(0).value() == 6);
  CHECK(table->rows(1).value() == 4);
}

TEST_CASE("a segment that is not there, or is named twice, is an error") {
  const ScratchDirectory scratch;
  const std::string root = scratch.path().string();
  write_bytes(scratch / "par.txt", bytes_of("\nabsent\n"));
  CHECK(open_error(scratch.path()) ==
        fmt::format("{0}/par.txt: line 2: no directory {0}/absent", root));
  write_bytes(scratch / "par.txt", bytes_of("\n"));
  CHECK(open_error(scratch.path()) == root + "/par.txt: no segment in it");
  const auto line_error = [&](const std::string& line) {
    write_bytes(scratch / "par.txt", bytes_of("\n" + line + "\n"));
    const std::string error = open_error(scratch.path());
    const std::string begin = root + "/par.txt: line 2: ";
    CHECK(error.starts_with(begin));
    return error.substr(std::min(begin.size(), error.size()));
  };
  fs::create_directories(scratch / "there");
  CHECK(line_error(std::string("there\0ore", 9)) == "byte 0x00 within a path");
  CHECK(line_error("there\rthere") == "byte 0x0d within a path");
  CHECK(line_error("`:there") ==
        "`:there: a line is a path (/data/one) or a handle (:/data/one), without a backtick");
  for (const char* handle : {"s3://bucket/db", ":gs://bucket/db", "ms://bucket/db"}) {
    CHECK(
        line_error(handle).ends_with(": object storage is not read: give a directory that has it"));
  }
  write_quote(scratch / "one/2020.01.07/quote", 0, 2);
  write_quote(scratch / "two/2020.01.07/quote", 0, 2);
  write_bytes(scratch / "par.txt", bytes_of("one\ntwo"));
  write_bytes(scratch / "par.txt", bytes_of("one\ntwo\none/"));
  CHECK(open_error(scratch.path()) ==
        fmt::format("{0}/par.txt: line 3: the directory {0}/one/ again, which is line 1's", root));
  fs::remove(scratch / "par.txt");
  fs::create_symlink(scratch / "absent", scratch / "par.txt");
  CHECK(open_error(scratch.path()) == root + "/par.txt: cannot open: No such file or directory");
}

TEST_CASE("segments that share a partition make one table, in par.txt's order") {
  const ScratchDirectory scratch;
  write_sym(scratch / "db");
  write_quote(scratch / "one/2020.01.07/quote", 0, 6);
  write_quote(scratch / "two/2020.01.07/quote", 100, 4);
  write_quote(scratch / "two/2020.01.08/quote", 200, 2);
  write_quote(scratch / "one/2020.01.07/trade", 0, 2);
  const auto check = [&](const std::string& par, const std::vector<std::uint64_t>& rows) {
    write_bytes(scratch / "db/par.txt", bytes_of(par));
    const auto table = table_in(scratch / "db");
    REQUIRE(table->part_count() == rows.size());
    for (std::size_t part = 0; part < rows.size(); ++part) {
      CHECK(table->partition_value(part) == (part < 2 ? 7311 : 7312));
      CHECK(table->rows(part).value() == rows[part]);
    }
    CHECK(Database::open(scratch / "db").value()->partition_count() == 2);
  };
  const std::string root = scratch.path().string();
  check(":" + root + "/one\n:" + root + "/two\n", {6, 4, 2});
  check(root + "/two\n" + root + "/one\n", {4, 6, 2});
  const auto trade = table_in(scratch / "db", "trade");
  CHECK(trade->rows(0).value() == 0);
  CHECK(trade->rows(1).value() == 2);
}

TEST_CASE("what cannot be read in the place of a partition or a table refuses its part") {
  const auto check = [](const fs::path& name, const auto& replace, const std::string& why) {
    INFO(name);
    const ScratchDirectory scratch;
    write_sym(scratch.path());
    write_quote(scratch / "2020.01.07/quote", 0, 6);
    write_quote(scratch / "2020.01.08/quote", 0, 4);
    fs::remove_all(scratch / name);
    replace(scratch / name);
    const std::string message = (scratch / name).string() + why;
    const auto database = Database::open(scratch.path()).value();
    CHECK(database->unreadable() == std::vector<std::string>{message});
    const auto table = database->table("quote", make_page_cache_store()).value();
    REQUIRE(table->part_count() == 2);
    const std::size_t bad = name.string().starts_with("2020.01.07") ? 0 : 1;
    CHECK(table->rows(bad).error().message == message);
    CHECK(table->column(bad, 1).error().message == message);
    CHECK(table->rows(1 - bad).ok());
  };
  const auto dangles = [](const fs::path& path) { fs::create_symlink("/absent/cold", path); };
  const auto loops = [](const fs::path& path) { fs::create_symlink(path.filename(), path); };
  const auto file = [](const fs::path& path) { write_bytes(path, bytes_of("x")); };
  for (const char* name : {"2020.01.07", "2020.01.08", "2020.01.07/quote", "2020.01.08/quote"}) {
    check(name, dangles, ": a link to /absent/cold, which is not there");
    check(name, loops, ": Too many levels of symbolic links");
    check(name, file, ": a file in the place of a directory");
  }
}

TEST_CASE("a table that only links to nowhere stand for is refused, not unknown") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 6);
  fs::create_symlink("/absent/cold", scratch / "2020.01.07/trade");
  const auto database = Database::open(scratch.path()).value();
  const std::string message =
      (scratch / "2020.01.07/trade").string() + ": a link to /absent/cold, which is not there";
  CHECK(database->unreadable() == std::vector<std::string>{message});
  CHECK(database->table("trade", make_page_cache_store()).error().message == message);
  CHECK(database->table("quote", make_page_cache_store()).ok());
}

TEST_CASE("a link at the root that leads nowhere is a note, and an error of the table it hides") {
  const ScratchDirectory scratch;
  fs::create_symlink("absent", scratch / "quote");
  const std::string message =
      (scratch / "quote").string() + ": a link to absent, which is not there";
  CHECK(open_error(scratch.path()) == message);
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/trade", 0, 2);
  const auto database = Database::open(scratch.path()).value();
  CHECK(database->notes() == std::vector<std::string>{message});
  CHECK(database->unreadable().empty());
  CHECK(database->table_names() == std::vector<std::string>{"trade"});
  CHECK(database->table_directories("quote").error().message == message);
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  const auto hidden = Database::open(scratch.path()).value();
  CHECK(hidden->notes().empty());
  CHECK(hidden->unreadable() == std::vector<std::string>{message});
  CHECK(hidden->table_directories("quote").error().message == message);
}

TEST_CASE("stray files and directories are ignored") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_quote(scratch / "2020.01.07/trade$", 0, 2);
  write_quote(scratch / "2020.02.30/quote", 0, 2);
  write_quote(scratch / "2020.1.8/quote", 0, 2);
  write_quote(scratch / "2020.01.09$/quote", 0, 2);
  write_bytes(scratch / "2020.01.07/.DS_Store", bytes_of("x"));
  write_bytes(scratch / "2020.01.07/quote/stray", bytes_of("x"));
  write_bytes(scratch / ".DS_Store", bytes_of("x"));
  fs::create_directories(scratch / "2020.01.07/lost+found");
  fs::create_directories(scratch / "scripts");
  const auto database = Database::open(scratch.path()).value();
  CHECK(database->table_names() == std::vector<std::string>{"quote"});
  CHECK(database->partition_count() == 1);
  CHECK(database->notes() ==
        std::vector<std::string>{
            (scratch / "2020.02.30").string() + ": not a date of the calendar, so no partition",
            (scratch / "2020.1.8").string() +
                ": months and days have two digits (2020.01.08), so no partition"});
  CHECK(database->unreadable().empty());
}

TEST_CASE("saved tables are tables, other objects at the root are noted") {
  const ScratchDirectory scratch;
  const Object longs = vector_object<std::int64_t>(QType::kLong, {7, 8});
  save_object(scratch / "cal", table_object({"day"}, {longs}));
  save_object(scratch / "inst",
              dictionary_object(table_object({"k"}, {longs}), table_object({"v"}, {longs})));
  write_bytes(scratch / "hidden", bytes_of("kxzippEd and more"));
  save_object(scratch / "conf", dictionary_object(symbols_object({"a"}), longs));
  write_sym(scratch.path());
  const auto database = Database::open(scratch.path()).value();
  CHECK(database->table_names() == std::vector<std::string>{"cal", "inst"});
  CHECK(database->notes().empty());
  CHECK(database->skipped() ==
        std::vector<std::string>{
            (scratch / "conf").string() + ": a dictionary: skipped",
            (scratch / "hidden").string() + ": encrypted (kxzippEd): not supported"});
  CHECK(database->saved_file("cal") == scratch / "cal");
  CHECK(database->column_files("cal").value() == std::vector<fs::path>{scratch / "cal"});
  const auto inst = database->table("inst", make_page_cache_store());
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
  const auto database = Database::open(scratch.path()).value();
  CHECK(database->table_names() == std::vector<std::string>{"quote", "trade"});
  const std::string root = scratch.path().string();
  CHECK(database->notes() ==
        std::vector<std::string>{
            root + "/quote: hides the table quote of the partitions, as in kdb+",
            root + "/trade: hides the table trade of the partitions, as in kdb+"});
  CHECK(database->table("quote", make_page_cache_store()).value()->rows(0).value() == 6);
  CHECK(database->table("trade", make_page_cache_store()).value()->rows(0).value() == 1);
}

TEST_CASE("the files of a table are listed partition by partition") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_quote(scratch / "2020.01.08/quote", 0, 2);
  fs::remove(scratch / "2020.01.08/quote/sym");
  const auto database = Database::open(scratch.path()).value();
  const auto files = database->column_files("quote");
  REQUIRE(files.ok());
  CHECK(*files ==
        std::vector<fs::path>{scratch / "2020.01.07/quote/time", scratch / "2020.01.07/quote/sym",
                              scratch / "2020.01.07/quote/bid", scratch / "2020.01.08/quote/time",
                              scratch / "2020.01.08/quote/bid"});
  CHECK_FALSE(database->column_files("trade").ok());
}

}  // namespace
}  // namespace hdbench
