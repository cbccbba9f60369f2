// Last rows of a flat table: dates in runs that end anywhere in a piece, and symbols held at eight
// bytes a code, compared as they lie or cut to ids as a core's habit has it.
#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"
#include "engine/exec/row_reference.h"
#include "engine/kernel/core_habit.h"

using namespace hdbench;

namespace {

constexpr std::size_t kDate = 0;
constexpr std::size_t kSym = 1;
constexpr std::size_t kVenue = 2;
constexpr std::size_t kSize = 3;
constexpr std::uint64_t kRows = 5 * 65536 + 77;

struct Run {
  std::int32_t date = 0;
  std::uint64_t rows = 0;  // 0: all that are left
};

struct Codes {
  std::vector<std::int64_t> sym;    // of the domain b a c
  std::vector<std::int64_t> venue;  // of five
};

// Symbols that come in both halves; `b` alone from row 200,000 on but for a few rows, and a venue
// that one row has.
Codes usual_codes() {
  Codes codes;
  for (std::uint64_t i = 0; i < kRows; ++i) {
    const bool is_rare = i >= 260000 && i < 260003;
    codes.sym.push_back(is_rare ? 2 : i < 200000 ? static_cast<std::int64_t>(i * 7 / 3 % 2) : 0);
    codes.venue.push_back(i == 150001 ? 4 : static_cast<std::int64_t>(i / 5 % 2));
  }
  return codes;
}

std::shared_ptr<Table> flat_table(const std::vector<Run>& runs, const Codes& codes) {
  const auto domain = make_domain("sym", {"b", "a", "c"});
  const auto venues = make_domain("venue", {"z", "y", "x", "w", "v"});
  Schema schema;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kNone, domain},
                   {"venue", QType::kSymbol, Attribute::kNone, venues},
                   {"size", QType::kLong, Attribute::kNone, nullptr}};
  std::vector<std::int32_t> dates;
  for (const Run& run : runs)
    dates.resize(run.rows == 0 ? kRows : dates.size() + run.rows, run.date);
  std::vector<std::int64_t> sizes;
  for (std::uint64_t i = 0; i < kRows; ++i) sizes.push_back(static_cast<std::int64_t>(i));
  MemoryTable::Part part;
  part.columns.push_back(make_column<std::int32_t>(QType::kDate, dates));
  part.columns.push_back(make_column<std::int64_t>(QType::kSymbol, codes.sym, domain));
  part.columns.push_back(make_column<std::int64_t>(QType::kSymbol, codes.venue, venues));
  part.columns.push_back(make_column<std::int64_t>(QType::kLong, sizes));
  std::vector<MemoryTable::Part> parts;
  parts.push_back(std::move(part));
  return std::make_shared<MemoryTable>("quote", schema, std::move(parts));
}

Plan last_by(std::vector<GroupKey> keys, std::int64_t least_size) {
  Plan plan;
  plan.last_rows = true;
  plan.by = std::move(keys);
  plan.outputs = {{"size", Aggregate::kNone, kSize, {}}};
  if (least_size > 0) plan.where = {{"size>=", kSize, RangeTest{least_size, INT64_MAX}, false}};
  return plan;
}

const std::vector<std::vector<GroupKey>> kKeys = {
    {{"date", kDate}},
    {{"sym", kSym}},
    {{"date", kDate}, {"sym", kSym}},
    {{"date", kDate}, {"sym", kSym}, {"venue", kVenue}},
    {{"sym", kSym}, {"venue", kVenue}}};

template <typename Check>
void under_every_habit(const Check& check) {
  for (const CoreHabit* const habit : kCoreHabits) {
    testing::set_core_habit(habit);
    INFO("as " << habit->name << " likes it");
    check();
  }
  testing::set_core_habit(nullptr);
}

Workspace unlimited() { return Workspace(0, *std::pmr::new_delete_resource()); }

}  // namespace

TEST_CASE(
    "dates whose runs end within pieces, at their ends, and not in order keep their last rows") {
  Workspace workspace = unlimited();
  const std::vector<std::vector<Run>> all_runs = {
      {{7000, 0}},
      {{7000, 1}, {7001, 65535}, {7002, 65536}, {7003, 0}},
      {{7000, 60000}, {7001, 70000}, {7002, 63}, {7003, 64}, {7004, 1}, {7005, 100000}, {7006, 0}},
      // Rows that no bisection expects: a date that comes again, in one piece and later.
      {{7003, 65536}, {7001, 20000}, {7002, 30000}, {7001, 40000}, {7000, 90000}, {7003, 0}}};
  for (const auto& runs : all_runs) {
    const auto table = flat_table(runs, usual_codes());
    for (const auto& keys : kKeys) {
      for (const std::int64_t least_size : {0, 1, 65000, 260002, 327700}) {
        const Plan plan = last_by(keys, least_size);
        const PlainResult expected = run_by_rows(*table, plan);
        under_every_habit([&] {
          for (const std::size_t threads : {1, 2}) {
            ThreadPool pool(threads);
            const auto result = execute(*table, plan, {}, pool, workspace);
            INFO(runs.size() << " runs, by " << keys.size() << ", size>=" << least_size);
            REQUIRE(result.ok());
            REQUIRE(first_difference(to_plain(*result), expected) == "");
          }
        });
      }
    }
  }
}

TEST_CASE(
    "a code of eight bytes outside its domain is found out, and in an unselected row is not") {
  Workspace workspace = unlimited();
  ThreadPool pool(1);
  for (const bool is_sym : {true, false}) {
    // Good when cut to a byte, or to four.
    for (const std::int64_t code : {std::int64_t{256}, std::int64_t{1} << 40, std::int64_t{-1}}) {
      for (const std::uint64_t bad : {std::uint64_t{7}, std::uint64_t{140000}, kRows - 1}) {
        Codes codes = usual_codes();
        (is_sym ? codes.sym : codes.venue)[bad] = code;
        const auto table = flat_table({{7000, 60001}, {7001, 0}}, codes);
        const auto size = static_cast<std::int64_t>(bad);
        const std::vector<GroupKey>& keys = kKeys[3];
        under_every_habit([&] {
          INFO("code " << code << " in row " << bad);
          for (const std::int64_t least_size : {std::int64_t{0}, size}) {
            const auto found = execute(*table, last_by(keys, least_size), {}, pool, workspace);
            REQUIRE_FALSE(found.ok());
            REQUIRE(found.error().kind == ErrorKind::kData);
            REQUIRE(found.error().message.find(std::to_string(code)) != std::string::npos);
          }
          REQUIRE(execute(*table, last_by(keys, size + 1), {}, pool, workspace).ok());
        });
      }
    }
  }
}
