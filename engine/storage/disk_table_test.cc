#include "engine/storage/disk_table.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "engine/base/catch.h"
#include "engine/storage/database.h"
#include "engine/storage/page_cache_store.h"
#include "engine/storage/test_database.h"

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
  Result<std::shared_ptr<Table>> open() const {
    const auto database = Database::open(scratch.path());
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

TEST_CASE("columns of different length are named with both figures") {
  const TwoDays days;
  fs::remove(days.file("bid"));
  const std::vector<double> bids(5);
  REQUIRE(write_column<double>(days.file("bid"), column_spec(QType::kFloat), bids));
  CHECK(days.column_error(3) == days.file("bid").string() + ": 5 rows, but time has 6");
  CHECK(days.column_error(1).empty());
}

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

TEST_CASE("a missing, truncated or unknown file is named") {
  const TwoDays days;
  fs::resize_file(days.file("bid"), 60);
  CHECK(days.column_error(3) == days.file("bid").string() +
                                    ": 44 bytes of data from byte 16 on, which 8 bytes an element "
                                    "do not divide");
  write_bytes(days.file("bid"), bytes_of("what is this"));
  CHECK(days.column_error(3) ==
        days.file("bid").string() + ": byte 0: 77 68, which no known column starts with");
  fs::remove(days.file("bid"));
  CHECK(days.column_error(3) ==
        days.file("bid").string() + ": named by .d, but there is no such file");
}

TEST_CASE("a p# count that disagrees with the file is an error") {
  const TwoDays days;
  fs::resize_file(days.file("sym"), 4096 + 5 * 8);
  CHECK(days.column_error(2) == days.file("sym").string() +
                                    ": 6 rows of 8 bytes by its header, but 40 bytes of data from "
                                    "byte 4096 on");
}

TEST_CASE("a column without any file is an error of the table, one without the newest is not") {
  const TwoDays days;
  fs::remove(days.scratch / "2020.01.08/quote/bid");
  const auto table = days.open();
  REQUIRE(table.ok());
  CHECK((*table)->column(0, 3).ok());
  CHECK((*table)->column(1, 3).error().message == (days.scratch / "2020.01.08/quote/bid").string() +
                                                      ": named by .d, but there is no such file");
  fs::remove(days.file("bid"));
  CHECK(days.open().error().message == (days.scratch / "2020.01.08/quote/bid").string() +
                                           ": named by .d, but there is no such file");
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

double elapsed_ms(std::chrono::steady_clock::time_point start) {
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return std::chrono::duration<double, std::milli>(elapsed).count();
}

TEST_CASE("784 partitions of 60 columns open quickly") {
  const ScratchDirectory scratch;
  write_three_years(scratch.path(), 784, 60);
  double open_ms = 1e9;
  double count_ms = 1e9;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    const auto database = Database::open(scratch / "db");
    REQUIRE(database.ok());
    const auto table = (*database)->table("quote", make_page_cache_store());
    REQUIRE(table.ok());
    open_ms = std::min(open_ms, elapsed_ms(start));
    REQUIRE((*table)->part_count() == 784);
    const auto count_start = std::chrono::steady_clock::now();
    for (std::size_t part = 0; part < 784; ++part) REQUIRE((*table)->rows(part).value() == 1);
    count_ms = std::min(count_ms, elapsed_ms(count_start));
  }
  std::printf("784 partitions x 60 columns: opened in %.1f ms, rows counted in %.1f ms\n", open_ms,
              count_ms);
  CHECK(open_ms < 300);
}

}  // namespace
}  // namespace hdbench
