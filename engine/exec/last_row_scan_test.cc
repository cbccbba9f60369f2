// Last rows of partitions whose symbols have codes of one byte and two.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"
#include "engine/testing/row_reference.h"

using namespace hdbench;

namespace {

constexpr std::size_t kScanDate = 0;
constexpr std::size_t kScanSym = 1;
constexpr std::size_t kScanSize = 2;
constexpr std::size_t kScanVenue = 3;
constexpr std::size_t kScanDesk = 4;
constexpr std::uint64_t kDayRows = 8 * 37440;  // whole morsels of one thread

// Two days of kDayRows rows, with symbols as narrow codes hold them: sym over three symbols and
// venue over five at one byte, desk over 300 at two, of which four are there.
std::shared_ptr<Table> two_narrow_days(const std::function<std::uint8_t(std::uint64_t)>& sym,
                                       const std::function<std::uint8_t(std::uint64_t)>& venue) {
  std::vector<std::string> names;
  for (int desk = 0; desk < 300; ++desk) names.push_back("desk" + std::to_string(desk));
  const auto desks = make_domain("desk", {names.begin(), names.end()});
  const auto domain = make_domain("sym", {"b", "a", "c"});
  const auto venues = make_domain("venue", {"z", "y", "x", "w", "v"});
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kNone, domain},
                   {"size", QType::kLong, Attribute::kNone, nullptr},
                   {"venue", QType::kSymbol, Attribute::kNone, venues},
                   {"desk", QType::kSymbol, Attribute::kNone, desks}};
  std::vector<MemoryTable::Part> parts;
  for (std::uint64_t day = 0; day < 2; ++day) {
    std::vector<std::uint8_t> syms(kDayRows);
    std::vector<std::uint8_t> at(kDayRows);
    std::vector<std::int64_t> sizes(kDayRows);
    std::vector<std::uint16_t> seats(kDayRows);
    for (std::uint64_t i = 0; i < kDayRows; ++i) {
      syms[i] = sym(day * kDayRows + i);
      at[i] = venue(day * kDayRows + i);
      sizes[i] = static_cast<std::int64_t>(i);
      seats[i] = static_cast<std::uint16_t>(290 + i / 100 % 4);
    }
    MemoryTable::Part part;
    part.partition_value = 7000 + static_cast<std::int64_t>(day);
    part.columns.push_back(make_column<std::uint8_t>(QType::kSymbol, syms, domain));
    part.columns.push_back(make_column<std::int64_t>(QType::kLong, sizes));
    part.columns.push_back(make_column<std::uint8_t>(QType::kSymbol, at, venues));
    part.columns.push_back(make_column<std::uint16_t>(QType::kSymbol, seats, desks));
    parts.push_back(std::move(part));
  }
  return std::make_shared<MemoryTable>("quote", schema, std::move(parts));
}

Plan last_by(std::vector<GroupKey> keys, std::int64_t least_size) {
  Plan plan;
  plan.last_rows = true;
  plan.by = std::move(keys);
  plan.outputs = {{"size", Aggregate::kNone, kScanSize, {}}};
  if (least_size > 0) plan.where = {{"size>=", kScanSize, RangeTest{least_size, INT64_MAX}, false}};
  return plan;
}

const std::vector<std::vector<GroupKey>>& narrow_keys() {
  static const std::vector<std::vector<GroupKey>> all = {{{"sym", kScanSym}},
                                                         {{"desk", kScanDesk}},
                                                         {{"venue", kScanVenue}},
                                                         {{"sym", kScanSym}, {"venue", kScanVenue}},
                                                         {{"date", kScanDate}, {"sym", kScanSym}}};
  return all;
}

}  // namespace

TEST_CASE("groups that come and go from morsel to morsel keep their last rows, codes of one byte") {
  Workspace workspace(0, *std::pmr::new_delete_resource());
  // Symbol 2 is in few rows of a day's second morsel only, symbol 1 is gone after the first day's.
  // From row 1000 on, the first words of a day's first morsel have no selected row.
  const auto table = two_narrow_days(
      [](std::uint64_t i) {
        if (i % kDayRows > 40000 && i % kDayRows < 40010) return std::uint8_t{2};
        return static_cast<std::uint8_t>(i < 50000 ? i % 2 : 0);
      },
      [](std::uint64_t i) { return static_cast<std::uint8_t>(i / 1000 % 5); });
  for (const auto& keys : narrow_keys()) {
    for (const std::int64_t least_size : {0, 1000, 40005, 299500}) {
      const Plan plan = last_by(keys, least_size);
      const PlainResult expected = run_by_rows(*table, plan);
      for (const std::size_t threads : {1, 2}) {
        ThreadPool pool(threads);
        const auto result = execute(*table, plan, {}, pool, workspace);
        INFO(keys.back().name << " of " << keys.size() << ", size>=" << least_size);
        REQUIRE(result.ok());
        REQUIRE(first_difference(to_plain(*result), expected) == kNoDifference);
      }
    }
  }
}

TEST_CASE("a code of one byte outside its domain is found out, and in an unselected row is not") {
  Workspace workspace(0, *std::pmr::new_delete_resource());
  ThreadPool pool(1);
  // 3 fits the bits of three symbols, 5 those of five venues; 4 and 8 do not, nor do they when the
  // other key's bits lie above.
  for (const bool is_sym : {true, false}) {
    for (const int code : {is_sym ? 3 : 5, is_sym ? 4 : 8, 255}) {
      for (const std::uint64_t bad : {std::uint64_t{7}, kDayRows - 1, kDayRows + 7}) {
        const auto table = two_narrow_days(
            [&](std::uint64_t i) {
              return static_cast<std::uint8_t>(is_sym && i == bad ? code : static_cast<int>(i % 3));
            },
            [&](std::uint64_t i) {
              return static_cast<std::uint8_t>(!is_sym && i == bad ? code
                                                                   : static_cast<int>(i % 5));
            });
        for (const auto& keys : narrow_keys()) {
          const bool reads_it = std::any_of(keys.begin(), keys.end(), [&](const GroupKey& key) {
            return key.field == (is_sym ? kScanSym : kScanVenue);
          });
          const auto size = static_cast<std::int64_t>(bad % kDayRows);
          INFO("code " << code << " in row " << bad << " by " << keys.back().name);
          for (const std::int64_t least_size : {std::int64_t{0}, size}) {
            const auto found = execute(*table, last_by(keys, least_size), {}, pool, workspace);
            REQUIRE(found.ok() != reads_it);
            if (!reads_it) continue;
            REQUIRE(found.error().kind == ErrorKind::kData);
            REQUIRE(found.error().message.find(std::to_string(code)) != std::string::npos);
          }
          for (const std::int64_t least_size : {size + 1, size + 1000}) {
            REQUIRE(execute(*table, last_by(keys, least_size), {}, pool, workspace).ok());
          }
        }
      }
    }
  }
}
