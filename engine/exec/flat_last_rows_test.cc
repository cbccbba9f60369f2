// Last rows of a flat table: dates in runs that end anywhere in a piece, and symbols held at eight
// bytes a code.
#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"
#include "engine/testing/row_reference.h"

using namespace hdbench;

namespace {

constexpr std::size_t kFlatDate = 0;
constexpr std::size_t kFlatSym = 1;
constexpr std::size_t kVenue = 2;
constexpr std::size_t kFlatSize = 3;
// One thread and two take them in pieces of kPiece rows (morsel_rows()), and some more.
constexpr std::uint64_t kPiece = 8192;
constexpr std::uint64_t kFlatRows = 16 * kPiece + 77;

struct Run {
  std::int32_t date = 0;
  std::uint64_t rows = 0;  // 0: all that are left
};

struct Codes {
  std::vector<std::int64_t> sym;    // of the domain b a c
  std::vector<std::int64_t> venue;  // of five
};

// Two symbols in turn, from row 80,000 on only `b` but for a few rows; and a venue of one row.
Codes usual_codes() {
  Codes codes;
  for (std::uint64_t i = 0; i < kFlatRows; ++i) {
    const bool is_rare = i >= 100000 && i < 100003;
    codes.sym.push_back(is_rare ? 2 : i < 80000 ? static_cast<std::int64_t>(i * 7 / 3 % 2) : 0);
    codes.venue.push_back(i == 60001 ? 4 : static_cast<std::int64_t>(i / 5 % 2));
  }
  return codes;
}

// The least and the greatest date, as a flat table's index tells them: without, groups are hashed
// and not scanned for. Queries are reported not to use it.
std::shared_ptr<const PartedIndex> index_of(const std::vector<std::int32_t>& dates) {
  const auto [low, high] = std::minmax_element(dates.begin(), dates.end());
  return std::make_shared<const PartedIndex>(
      PartedIndex{{*low, *high}, {0, 1, static_cast<std::int64_t>(dates.size())}});
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
    dates.resize(run.rows == 0 ? kFlatRows : dates.size() + run.rows, run.date);
  std::vector<std::int64_t> sizes;
  for (std::uint64_t i = 0; i < kFlatRows; ++i) sizes.push_back(static_cast<std::int64_t>(i));
  MemoryTable::Part part;
  part.columns.push_back(make_column<std::int32_t>(QType::kDate, dates));
  part.columns.back().index = index_of(dates);
  part.columns.push_back(make_column<std::int64_t>(QType::kSymbol, codes.sym, domain));
  part.columns.push_back(make_column<std::int64_t>(QType::kSymbol, codes.venue, venues));
  part.columns.push_back(make_column<std::int64_t>(QType::kLong, sizes));
  std::vector<MemoryTable::Part> parts;
  parts.push_back(std::move(part));
  return std::make_shared<MemoryTable>("quote", schema, std::move(parts));
}

// Of the rows from `least_size` on, with a condition that reads the dates, or none.
Plan last_by(std::vector<GroupKey> keys, std::int64_t least_size, bool reads_dates) {
  Plan plan;
  plan.last_rows = true;
  plan.by = std::move(keys);
  plan.outputs = {{"size", Aggregate::kNone, kFlatSize, {}}};
  if (reads_dates) plan.where.push_back({"date>=", kFlatDate, RangeTest{7000, INT64_MAX}, false});
  if (least_size > 0)
    plan.where.push_back({"size>=", kFlatSize, RangeTest{least_size, INT64_MAX}, false});
  return plan;
}

const std::vector<std::vector<GroupKey>> kKeys = {
    {{"date", kFlatDate}},
    {{"sym", kFlatSym}},
    {{"date", kFlatDate}, {"sym", kFlatSym}},
    {{"date", kFlatDate}, {"sym", kFlatSym}, {"venue", kVenue}},
    {{"sym", kFlatSym}, {"venue", kVenue}}};

ExecuteSettings without_index() {
  ExecuteSettings settings;
  settings.use_index = false;
  return settings;
}

// On every axis that a scan of last rows has, against the plain reference.
void check_last_rows(const Table& table, const std::vector<GroupKey>& keys,
                     std::int64_t least_size) {
  Workspace workspace(0, *std::pmr::new_delete_resource());
  // The condition that reads the dates leaves no row out.
  const PlainResult expected = run_by_rows(table, last_by(keys, least_size, false));
  for (const bool reads_dates : {true, false}) {
    const Plan plan = last_by(keys, least_size, reads_dates);
    for (const std::size_t threads : {1, 2}) {
      ThreadPool pool(threads);
      const auto result = execute(table, plan, without_index(), pool, workspace);
      INFO(threads << " threads, dates " << (reads_dates ? "read" : "not read"));
      REQUIRE(result.ok());
      REQUIRE(first_difference(to_plain(*result), expected) == kNoDifference);
    }
  }
}

}  // namespace

TEST_CASE("dates whose runs end in pieces, at their ends, and out of order keep their last rows") {
  const std::vector<std::vector<Run>> all_runs = {
      {{7000, 0}},
      {{7000, 2 * kPiece}, {7001, kPiece}, {7002, 1}, {7003, kPiece - 1}, {7004, 0}},
      {{7000, 20000}, {7001, 5000}, {7002, 9000}, {7003, 63}, {7004, 64}, {7005, 60000}, {7006, 0}},
      // Many short runs after a long one.
      {{7000, 30000}, {7001, 20}, {7002, 20}, {7003, 20}, {7004, 6000}, {7005, 10}, {7006, 0}},
      // What no bisection expects: dates that come again, in one piece and later.
      {{7003, 2 * kPiece}, {7001, 3000}, {7002, 1000}, {7001, 3000}, {7000, 50000}, {7003, 0}}};
  for (const auto& runs : all_runs) {
    const auto table = flat_table(runs, usual_codes());
    for (const auto& keys : kKeys) {
      for (const std::int64_t least_size : {0, 1, 25000, 100002, 131140}) {
        INFO(runs.size() << " runs, by " << keys.size() << ", size>=" << least_size);
        check_last_rows(*table, keys, least_size);
      }
    }
  }
}

TEST_CASE("a code of eight bytes outside its domain is found, and in an unselected row is not") {
  Workspace workspace(0, *std::pmr::new_delete_resource());
  ThreadPool pool(1);
  for (const bool is_sym : {true, false}) {
    // Good when cut to a byte, or to four.
    for (const std::int64_t code : {std::int64_t{256}, std::int64_t{1} << 40, std::int64_t{-1}}) {
      for (const std::uint64_t bad : {std::uint64_t{7}, std::uint64_t{70000}, kFlatRows - 1}) {
        Codes codes = usual_codes();
        (is_sym ? codes.sym : codes.venue)[bad] = code;
        const auto table = flat_table({{7000, 20001}, {7001, 0}}, codes);
        const auto size = static_cast<std::int64_t>(bad);
        INFO("code " << code << " in row " << bad);
        for (const std::int64_t least_size : {std::int64_t{0}, size}) {
          const Plan plan = last_by(kKeys[3], least_size, true);
          const auto found = execute(*table, plan, without_index(), pool, workspace);
          REQUIRE_FALSE(found.ok());
          REQUIRE(found.error().kind == ErrorKind::kData);
          REQUIRE(found.error().message.find(std::to_string(code)) != std::string::npos);
        }
        const Plan later = last_by(kKeys[3], size + 1, true);
        REQUIRE(execute(*table, later, without_index(), pool, workspace).ok());
      }
    }
  }
}
