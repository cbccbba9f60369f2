#include "engine/storage/disk_table.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/column/column.h"
#include "engine/storage/database.h"
#include "engine/storage/flat_table.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

struct TwoDays {
  TwoDays() {
    write_sym(scratch.path());
    write_quote(scratch / "2020.01.07/quote", 0, 6);
    write_quote(scratch / "2020.01.08/quote", 100, 4);
  }
  fs::path file(const char* name) const { return scratch / "2020.01.07/quote" / name; }
  Result<std::shared_ptr<Table>> open(const DatabaseOptions& options = {}) const {
    const auto database = Database::open(scratch.path(), options);
    REQUIRE(database.ok());
    return (*database)->table("quote", make_page_cache_store());
  }
  // The error of column `field` of the first day, after `file` was replaced.
  std::string column_error(std::size_t field) const {
    const auto column = open().value()->column(0, field);
    return column.ok() ? "" : column.error().message;
  }
  ScratchDirectory scratch;
};

TEST_CASE("a type that differs between partitions is named with both") {
  const TwoDays days;
  fs::remove(days.file("bid"));
  const std::vector<std::int32_t> bids(6);
  REQUIRE(write_column<std::int32_t>(days.file("bid"), column_spec(QType::kInt), bids));
  CHECK(days.column_error(3) == fmt::format("{}: type int, but {}/2020.01.08/quote/bid has float",
                                            days.file("bid").string(),
                                            days.scratch.path().string()));
}

TEST_CASE("a domain that differs between partitions is named with both") {
  const TwoDays days;
  const std::vector<std::string> symbols{"x"};
  REQUIRE(write_symbol_list(days.scratch / "other", symbols).ok());
  fs::remove(days.file("sym"));
  const std::vector<std::int64_t> codes(6);
  REQUIRE(
      write_column<std::int64_t>(days.file("sym"), symbol_spec(Attribute::kNone, "other"), codes));
  CHECK(days.column_error(2) == fmt::format("{}: domain other, but {}/2020.01.08/quote/sym has sym",
                                            days.file("sym").string(),
                                            days.scratch.path().string()));
}

TEST_CASE("a column without any file is unreadable, one without the newest is not") {
  const TwoDays days;
  fs::remove(days.scratch / "2020.01.08/quote/bid");
  const auto table = days.open();
  REQUIRE(table.ok());
  CHECK((*table)->column(0, 3).ok());
  CHECK((*table)->column(1, 3).error().message == (days.scratch / "2020.01.08/quote/bid").string() +
                                                      ": named by .d, but there is no such file");
  fs::remove(days.file("bid"));
  const auto without = days.open().value();
  const Field& bid = without->schema().fields[3];
  REQUIRE(bid.unreadable);
  CHECK(bid.unreadable->kind == ErrorKind::kData);
  CHECK(bid.unreadable->message == (days.scratch / "2020.01.08/quote/bid").string() +
                                       ": named by .d, but there is no such file");
  CHECK(without->column(0, 3).error().message == bid.unreadable->message);
  CHECK(without->column(0, 1).ok());
  CHECK(without->rows(0).value() == 6);
}

TEST_CASE("the first header that can be read says a field's type") {
  const TwoDays days;
  write_bytes(days.scratch / "2020.01.08/quote/bid", bytes_of("what is this"));
  const auto table = days.open().value();
  CHECK_FALSE(table->schema().fields[3].unreadable);
  CHECK(table->schema().fields[3].type == QType::kFloat);
  CHECK(table->column(0, 3).ok());
  CHECK(table->column(1, 3).error().message ==
        (days.scratch / "2020.01.08/quote/bid").string() +
            ": byte 0: 77 68, which no known column starts with");
}

TEST_CASE("a field over a domain that is broken or missing is unreadable, the others are not") {
  const TwoDays days;
  fs::remove(days.scratch / "sym");
  const auto without = days.open().value();
  REQUIRE(without->schema().fields[2].unreadable);
  CHECK(without->schema().fields[2].unreadable->message ==
        fmt::format("{0}/2020.01.08/quote/sym: enumerated over domain sym, but there is no file "
                    "{0}/sym",
                    days.scratch.path().string()));
  CHECK(without->schema().fields[2].type == QType::kSymbol);
  CHECK(without->column(0, 3).ok());
  write_bytes(days.scratch / "sym", bytes_of("nonsense"));
  CHECK(days.open().value()->schema().fields[2].unreadable->message ==
        (days.scratch / "sym").string() +
            ": byte 0: 6e 6f 6e, but a symbol list starts with ff 01 0b");
}

TEST_CASE("most columns say a part's rows, whichever one is broken") {
  for (const char* name : {"time", "bid"}) {
    INFO(name);
    const TwoDays days;
    fs::resize_file(days.file(name), 16 + 5 * 8);
    const auto table = days.open().value();
    CHECK(table->rows(0).value() == 6);
    CHECK(table->column(0, 2).ok());
    const std::size_t field = *table->schema().find(name);
    CHECK(table->column(0, field).error().message ==
          days.file(name).string() + ": 5 rows, but " + (field == 1 ? "sym" : "time") + " has 6");
  }
  const TwoDays days;
  write_bytes(days.file("time"), bytes_of("no"));
  fs::resize_file(days.file("bid"), 16 + 5 * 8);
  CHECK(days.open().value()->rows(0).error().message ==
        days.file("time").parent_path().string() + ": as many columns have 6 rows as have 5");
  for (const char* name : {"sym", "bid"}) write_bytes(days.file(name), bytes_of("no"));
  CHECK(days.open().value()->rows(0).error().message ==
        days.file("time").string() + ": byte 0: 6e 6f, which no known column starts with");
}

// Takes a column out of the first day's `.d`, and its file away.
void drop_column(const TwoDays& days, const char* name) {
  std::vector<std::string> names{"time", "sym", "bid"};
  std::erase(names, name);
  fs::remove(days.file(".d"));
  fs::remove(days.file(name));
  REQUIRE(write_symbol_list(days.file(".d"), names).ok());
}

TEST_CASE("a column that an older part lacks is an error there, or nulls") {
  const TwoDays days;
  drop_column(days, "bid");
  CHECK(days.column_error(3) ==
        days.file(".d").string() +
            ": names no column bid, which newer partitions have (--missing null reads nulls)");
  CHECK(days.open().value()->column(1, 3).ok());
  const auto table = days.open({.missing_as_null = true}).value();
  const Column* bids = table->column(0, 3).value();
  REQUIRE(bids->rows == 6);
  CHECK(std::isnan(load_element<double>(bids->data + 5 * 8)));
  fs::remove(days.scratch / "2020.01.08/quote/bid");
  CHECK(days.open({.missing_as_null = true}).value()->column(1, 3).error().message ==
        (days.scratch / "2020.01.08/quote/bid").string() +
            ": named by .d, but there is no such file");
}

TEST_CASE("a newest part without a .d that can be read is refused where it is needed") {
  const TwoDays days;
  fs::remove(days.scratch / "2020.01.08/quote/.d");
  const auto table = days.open().value();
  CHECK(table->rows(0).value() == 6);
  const std::string expected = (days.scratch / "2020.01.08/quote").string() +
                               ": no .d in it (the file that names a table's columns)";
  CHECK(table->rows(1).error().message == expected);
  CHECK(table->column(1, 3).error().message == expected);
}

TEST_CASE("a stored column with the partition field's name is hidden, with a note") {
  const TwoDays days;
  for (const char* day : {"2020.01.07", "2020.01.08"}) {
    const std::vector<std::string> names{"date", "time", "sym", "bid"};
    fs::remove(days.scratch / day / "quote/.d");
    REQUIRE(write_symbol_list(days.scratch / day / "quote/.d", names).ok());
  }
  const auto table = days.open().value();
  CHECK(table->schema().fields.size() == 4);
  CHECK(table->notes() == std::vector<std::string>{
                              "quote: the stored column date is not read: the partitions' own has "
                              "its name"});
  CHECK(table->column(0, 3).ok());
}

TEST_CASE("many threads asking for the same columns get the same columns") {
  const TwoDays days;
  const auto table = days.open().value();
  std::vector<std::vector<const Column*>> seen(8);
  std::vector<std::thread> threads;
  for (auto& mine : seen) {
    threads.emplace_back([&table, &mine] {
      for (std::size_t part : {0, 1}) {
        for (std::size_t field : {1, 2, 3}) mine.push_back(table->column(part, field).value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : seen) CHECK(mine == seen.front());
}

// A tree as wide and long as the paper's three years: its files are hard links of two.
void write_three_years(const fs::path& root, std::size_t partitions, std::size_t columns) {
  write_sym(root);
  const std::vector<std::int64_t> values{1};
  REQUIRE(write_column<std::int64_t>(root / "spare/c", column_spec(QType::kLong), values));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns; ++i) names.push_back(fmt::format("col{}", i));
  REQUIRE(write_symbol_list(root / "spare/.d", names).ok());
  for (std::size_t part = 0; part < partitions; ++part) {
    const fs::path directory = root / "db" / fmt::format("{}", 10000 + part) / "quote";
    fs::create_directories(directory);
    fs::create_hard_link(root / "spare/.d", directory / ".d");
    for (const std::string& name : names) {
      fs::create_hard_link(root / "spare/c", directory / name);
    }
  }
}

std::uint64_t maps_of_this_process() {
  std::ifstream maps("/proc/self/maps");
  std::uint64_t count = 0;
  for (std::string line; std::getline(maps, line);) ++count;
  return count;
}

// The database in a folder, whose columns may take so many maps.
std::shared_ptr<Database> open_with_maps(const fs::path& folder, std::uint64_t maps) {
  DatabaseOptions options;
  options.map_count_max = (maps_of_this_process() + maps) * 4 / 3;
  return Database::open(folder / "db", options).value();
}

TEST_CASE("columns beyond the limit on maps are refused until others are let go") {
  const ScratchDirectory scratch;
  write_three_years(scratch.path(), 200, 3);
  const auto database = open_with_maps(scratch.path(), 500);
  const auto table = database->table("quote", make_page_cache_store()).value();
  CHECK_FALSE(table->release_columns());
  for (std::size_t part = 0; part < 200; ++part) {
    for (const std::size_t field : {1, 2}) REQUIRE(table->column(part, field).ok());
  }
  std::string refused;
  for (std::size_t part = 0; part < 200 && refused.empty(); ++part) {
    const auto column = table->column(part, 3);
    if (!column.ok()) refused = column.error().message;
  }
  INFO(refused);
  CHECK(refused.find("quote: ") == 0);
  CHECK(refused.find(fmt::format("for all of its 600; vm.max_map_count is {}: as root: sysctl -w "
                                 "vm.max_map_count=65536",
                                 *database->options().map_count_max)) != std::string::npos);
  CHECK(table->column(0, 1).ok());
  CHECK(table->release_columns());
  CHECK_FALSE(table->release_columns());
  for (std::size_t part = 0; part < 200; ++part) REQUIRE(table->column(part, 3).ok());
}

TEST_CASE("a table that is refused maps has the other tables' columns let go") {
  const ScratchDirectory scratch;
  write_three_years(scratch.path(), 200, 3);
  const auto database = open_with_maps(scratch.path(), 500);
  const auto one = database->table("quote", make_page_cache_store()).value();
  const auto other = database->table("quote", make_page_cache_store()).value();
  const auto map_field = [](const Table& table, std::size_t field) {
    Status status = ok_status();
    for (std::size_t part = 0; part < 200 && status.ok(); ++part) {
      const auto column = table.column(part, field);
      if (!column.ok()) status = column.error();
    }
    return status;
  };
  REQUIRE(map_field(*one, 1).ok());
  REQUIRE(map_field(*one, 2).ok());
  REQUIRE(map_field(*other, 1).error().kind == ErrorKind::kLimit);
  CHECK(other->release_columns());
  CHECK(map_field(*other, 1).ok());
  CHECK(map_field(*other, 2).ok());
}

TEST_CASE("the flat layout joins fewer columns at once where maps run out") {
  const ScratchDirectory scratch;
  write_three_years(scratch.path(), 200, 3);
  ThreadPool pool(2);
  auto database = open_with_maps(scratch.path(), 260);
  const auto flat = make_flat_table(*database->table("quote", make_page_cache_store()).value(),
                                    make_page_cache_store(), pool);
  REQUIRE(flat.ok());
  for (std::size_t field = 0; field < 4; ++field)
    CHECK((*flat)->column(0, field).value()->rows == 200);
  database = open_with_maps(scratch.path(), 100);
  const auto refused = make_flat_table(*database->table("quote", make_page_cache_store()).value(),
                                       make_page_cache_store(), pool);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kLimit);
}

}  // namespace
}  // namespace hdbench
