// Null enumeration indices and indices beyond the domain: whole queries over files that have them,
// against the reference over a table in memory whose domain has the empty symbol.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory_resource>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"
#include "engine/storage/database.h"
#include "engine/storage/flat_table.h"
#include "engine/storage/parted_index.h"
#include "engine/testing/column_files.h"
#include "engine/testing/row_reference.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSymColumn = 1;
constexpr std::size_t kXColumn = 2;

// A table t of sym and x, a part a list of symbols' places in `texts`; -1 is the null.
struct Data {
  std::vector<std::string> texts;
  std::vector<std::vector<int>> parts;
  std::size_t places = 0;  // of the domain: texts, and made-up ones up to here

  std::vector<std::string> domain() const {
    std::vector<std::string> all = texts;
    while (all.size() < places) all.push_back(fmt::format("s{}", all.size()));
    return all;
  }
};

template <typename Code>
void write_sym_column(const fs::path& path, const std::vector<int>& places, bool is_parted) {
  std::vector<Code> codes;
  for (const int place : places)
    codes.push_back(place < 0 ? std::numeric_limits<Code>::min() : static_cast<Code>(place));
  const auto index = make_parted_index(make_column<Code>(QType::kSymbol, codes));
  const auto attribute = is_parted ? Attribute::kParted : Attribute::kNone;
  if constexpr (sizeof(Code) == 8) {
    REQUIRE(write_column<Code>(path, symbol_spec(attribute), codes, is_parted ? &*index : nullptr));
    return;
  }
  auto bytes = bytes_of(std::string_view("\xfesym\0\0\0\0\0\0\0\0\0\0\0\0", 16));
  bytes[11] = static_cast<std::byte>(attribute);
  append_bytes(bytes, static_cast<std::int64_t>(codes.size()));
  for (const Code code : codes) append_bytes(bytes, code);
  if (is_parted) {
    const auto tail = encode_parted_index(*index, 4, codes.size() * 4);
    bytes.insert(bytes.end(), tail.begin(), tail.end());
  }
  write_bytes(path, bytes);
}

void write_database(const fs::path& root, const Data& data, int width, bool is_parted) {
  fs::create_directories(root);
  REQUIRE(write_symbol_list(root / "sym", data.domain()).ok());
  std::int64_t x = 0;
  for (std::size_t part = 0; part < data.parts.size(); ++part) {
    const fs::path directory = root / fmt::format("2020.01.{:02}", 7 + part) / "t";
    std::vector<std::int64_t> values;
    for (std::size_t row = 0; row < data.parts[part].size(); ++row) values.push_back(++x);
    fs::create_directories(directory);
    REQUIRE(write_symbol_list(directory / ".d", std::vector<std::string>{"sym", "x"}).ok());
    REQUIRE(write_column<std::int64_t>(directory / "x", column_spec(QType::kLong), values));
    if (width == 8) {
      write_sym_column<std::int64_t>(directory / "sym", data.parts[part], is_parted);
    } else {
      write_sym_column<std::int32_t>(directory / "sym", data.parts[part], is_parted);
    }
  }
}

std::shared_ptr<Table> expected_table(const Data& data) {
  std::vector<std::string> texts = data.texts;
  texts.emplace_back();
  const auto domain = make_domain("sym", texts);
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kNone, domain},
                   {"x", QType::kLong, Attribute::kNone, nullptr}};
  std::vector<MemoryTable::Part> parts;
  std::int64_t x = 0;
  for (std::size_t part = 0; part < data.parts.size(); ++part) {
    std::vector<std::int64_t> codes;
    std::vector<std::int64_t> values;
    for (const int place : data.parts[part]) {
      const auto empty = std::find(texts.begin(), texts.end(), "") - texts.begin();
      codes.push_back(place < 0 ? empty : place);
      values.push_back(++x);
    }
    MemoryTable::Part made;
    made.partition_value = 7311 + static_cast<std::int64_t>(part);
    made.columns.push_back(make_column<std::int64_t>(QType::kSymbol, codes, domain));
    made.columns.push_back(make_column<std::int64_t>(QType::kLong, values));
    parts.push_back(std::move(made));
  }
  return std::make_shared<MemoryTable>("t", schema, std::move(parts));
}

CodeTest codes_of(const Table& table, const std::vector<std::string>& texts) {
  const Domain& domain = *table.schema().fields[kSymColumn].domain;
  CodeTest test;
  test.member.resize(domain.size(), 0);
  for (std::size_t code = 0; code < domain.size(); ++code) {
    if (std::find(texts.begin(), texts.end(), domain.text(code)) == texts.end()) continue;
    test.member[code] = 1;
    test.codes.push_back(code);
  }
  return test;
}

// Conditions and keys in every form that takes codes another way.
std::vector<Plan> plans_for(const Table& table) {
  std::vector<Plan> plans;
  const Output sum{"x", Aggregate::kSum, kXColumn, {}};
  const Output count{"n", Aggregate::kCount, {}, {}};
  const Output first{"f", Aggregate::kFirst, kSymColumn, {}};
  const Output last{"l", Aggregate::kLast, kSymColumn, {}};
  const std::vector<std::vector<std::string>> wanted{{}, {""}, {"a"}, {"a", ""}, {"none"}};
  for (std::size_t w = 0; w < wanted.size(); ++w) {
    for (const bool negated : {false, true}) {
      if (w == 0 && negated) continue;
      std::vector<Condition> where;
      if (w != 0) where.push_back({"c", kSymColumn, codes_of(table, wanted[w]), negated});
      const std::vector<Output> all{{"sym", Aggregate::kNone, kSymColumn, {}},
                                    {"x", Aggregate::kNone, kXColumn, {}}};
      plans.push_back({all, {}, where, {}, {}, false, false});
      plans.push_back(
          {{sum, count, first, last}, {{"sym", kSymColumn}}, where, {}, {}, false, false});
      plans.push_back(
          {{sum, last}, {{"date", 0}, {"sym", kSymColumn}}, where, {}, {}, false, false});
      plans.push_back({{sum}, {{"sym", kSymColumn}, {"x", kXColumn}}, where, {}, {}, false, false});
      plans.push_back({{{"x", Aggregate::kNone, kXColumn, {}}},
                       {{"sym", kSymColumn}},
                       where,
                       {},
                       {},
                       true,
                       false});
      plans.push_back({{count, first}, {}, where, {}, {}, false, false});
    }
  }
  return plans;
}

// All plans over a table, held against the reference's.
void check_plans(const Table& table, const Table& expected, ThreadPool& pool) {
  Workspace workspace(0, *std::pmr::new_delete_resource());
  for (std::size_t p = 0; p < plans_for(expected).size(); ++p) {
    const auto result = execute(table, plans_for(table)[p], {}, pool, workspace);
    REQUIRE(result.ok());
    REQUIRE(first_difference(to_plain(*result), run_by_rows(expected, plans_for(expected)[p])) ==
            kNoDifference);
  }
}

void check_queries(const fs::path& root, const Data& data) {
  const auto expected = expected_table(data);
  ThreadPool pool(2);
  Workspace workspace(0, *std::pmr::new_delete_resource());
  for (const Codes codes : {Codes::kStored, Codes::kNarrow}) {
    for (const bool is_flat : {false, true}) {
      for (const Mode mode : {Mode::k36, Mode::k40}) {
        for (const bool use_index : {false, true}) {
          const std::size_t plans = plans_for(*expected).size();
          // One table for all queries, and a new one for each: the first one mends.
          for (std::size_t p = 0; p < plans; ++p) {
            const auto database = Database::open(root).value();
            const auto store = make_page_cache_store();
            auto table = database->table("t", store, is_flat ? Codes::kStored : codes).value();
            if (is_flat) table = make_flat_table(*table, store, pool, codes).value();
            ExecuteSettings settings;
            settings.mode = mode;
            settings.use_index = use_index;
            for (const std::size_t again : {p, (p + 1) % plans}) {
              INFO("codes " << static_cast<int>(codes) << " flat " << is_flat << " mode "
                            << static_cast<int>(mode) << " index " << use_index << " plan "
                            << again);
              const auto result =
                  execute(*table, plans_for(*table)[again], settings, pool, workspace);
              if (!result.ok()) FAIL(result.error().message);
              REQUIRE(first_difference(to_plain(*result),
                                       run_by_rows(*expected, plans_for(*expected)[again])) ==
                      kNoDifference);
            }
          }
        }
      }
    }
  }
}

// With codes of four bytes and eight, without p# and with it.
void check_in_every_width(const Data& data) {
  for (const int width : {4, 8}) {
    for (const bool is_parted : {false, true}) {
      INFO(width << " bytes, parted " << is_parted);
      const ScratchDirectory scratch;
      write_database(scratch.path(), data, width, is_parted);
      check_queries(scratch.path(), data);
    }
  }
}

}  // namespace

TEST_CASE("null indices are the empty symbol in every query, layout, width and mode") {
  const std::vector<std::vector<int>> parts{{-1, -1, 1, 0, 0}, {1, 1, 0}, {-1}, {}, {0, 1, -1}};
  check_in_every_width({{"b", "a"}, parts, 0});
}

TEST_CASE("a domain that has the empty symbol gives nulls its code") {
  // Of the parts with p#, one has no null, one has both beside each other, and one has them apart.
  check_in_every_width({{"b", "", "a"}, {{-1, 2}, {1, 1, -1, 0}, {1, 0, -1, -1}}, 0});
}

TEST_CASE("nulls beside 256 symbols need wider codes, and an empty domain has them too") {
  const ScratchDirectory scratch;
  write_database(scratch / "many", {{"b", "a"}, {{0, 1, -1}}, 256}, 8, true);
  check_queries(scratch / "many", {{"b", "a"}, {{0, 1, -1}}, 256});
  write_database(scratch / "none", {{}, {{-1, -1}}, 0}, 4, false);
  check_queries(scratch / "none", {{}, {{-1, -1}}, 0});
}

TEST_CASE("many rows with a null in the last are mended whole") {
  const ScratchDirectory scratch;
  std::vector<int> places(40000, 1);
  places.back() = -1;
  const Data data{{"b", "a"}, {places}, 0};
  write_database(scratch.path(), data, 4, true);
  const auto table = Database::open(scratch.path()).value()->table("t", make_page_cache_store());
  REQUIRE(table.ok());
  ThreadPool pool(2);
  check_plans(**table, *expected_table(data), pool);
}

TEST_CASE("threads that meet nulls at once all get the mended columns") {
  const ScratchDirectory scratch;
  const Data data{{"b", "a"}, {{0, 1}, {-1, 1}, {1, 0, -1}}, 0};
  write_database(scratch.path(), data, 8, false);
  const auto expected = expected_table(data);
  const auto plain = run_by_rows(*expected, plans_for(*expected)[0]);
  for (int round = 0; round < 20; ++round) {
    const auto table = Database::open(scratch.path()).value()->table("t", make_page_cache_store());
    REQUIRE(table.ok());
    const Column* const whole = (*table)->column(0, kSymColumn).value();
    std::vector<std::string> differences(4);
    std::vector<std::thread> threads;
    for (std::string& difference : differences) {
      threads.emplace_back([&] {
        ThreadPool pool(1);
        Workspace workspace(0, *std::pmr::new_delete_resource());
        const auto result = execute(**table, plans_for(**table)[0], {}, pool, workspace);
        difference =
            result.ok() ? first_difference(to_plain(*result), plain) : result.error().message;
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& difference : differences) REQUIRE(difference == kNoDifference);
    CHECK((*table)->column(0, kSymColumn).value() == whole);
  }
}

TEST_CASE("an index that equals the domain's size stays an error, beside nulls too") {
  ThreadPool pool(1);
  Workspace workspace(0, *std::pmr::new_delete_resource());
  for (const std::vector<int>& other : std::vector<std::vector<int>>{{0}, {-1}}) {
    for (const bool is_flat : {false, true}) {
      for (const Codes codes : {Codes::kStored, Codes::kNarrow}) {
        const ScratchDirectory scratch;
        write_database(scratch.path(), {{"b", "a"}, {other, {0, 2}}, 0}, 8, false);
        const auto database = Database::open(scratch.path()).value();
        const auto store = make_page_cache_store();
        auto table = database->table("t", store, is_flat ? Codes::kStored : codes).value();
        const std::string message = (scratch / "2020.01.08/t/sym").string() +
                                    ": byte 4104 (row 1): index 2, but domain sym has 2 symbols";
        if (is_flat) {
          const auto flat = make_flat_table(*table, store, pool, codes);
          REQUIRE(flat.ok());
          CHECK((*flat)->schema().fields[kSymColumn].unreadable->message == message);
          continue;
        }
        for (const Plan& plan : plans_for(*table)) {
          // The first row's symbol alone is within the domain.
          if (plan.by.empty() && plan.where.empty() && plan.aggregates()) continue;
          const auto result = execute(*table, plan, {}, pool, workspace);
          REQUIRE_FALSE(result.ok());
          CHECK(result.error().message == message);
        }
      }
    }
  }
}

TEST_CASE("read leniently, indices beyond the domain are the empty symbol, counted and told") {
  ThreadPool pool(1);
  const Data data{{"b", "a"}, {{0, 2, -1}, {7, 1, 2}}, 0};
  const Data read_as{{"b", "a"}, {{0, -1, -1}, {-1, 1, -1}}, 0};
  const auto expected = expected_table(read_as);
  for (const int width : {4, 8}) {
    // Partitioned and flat, without p# and with it.
    for (const int form : {0, 1, 2, 3}) {
      const bool is_flat = form % 2 != 0;
      for (const Codes codes : {Codes::kStored, Codes::kNarrow}) {
        const ScratchDirectory scratch;
        write_database(scratch.path(), data, width, form >= 2);
        const auto database = Database::open(scratch.path()).value();
        database->domains()->read_leniently();
        OutsideCodes* const outside = database->domains()->outside_codes();
        CHECK(outside->line().empty());
        const auto store = make_page_cache_store();
        auto table = database->table("t", store, is_flat ? Codes::kStored : codes).value();
        if (is_flat) table = make_flat_table(*table, store, pool, codes, outside).value();
        check_plans(*table, *expected, pool);
        CHECK(outside->line() ==
              fmt::format("3 symbols beyond the domain read as the empty one, in 2 files; first: "
                          "{}: byte {} (row 1): index 2, but domain sym has 2 symbols",
                          (scratch / "2020.01.07/t/sym").string(), width == 8 ? 4096 + 8 : 24 + 4));
      }
    }
  }
}

}  // namespace hdbench
