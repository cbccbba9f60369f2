// For tests of the last-row scan: a table of symbols with codes of one byte, whose columns are
// scanned as stored.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "engine/column/memory_table.h"
#include "engine/exec/workspace.h"
#include "engine/operator/plan.h"

namespace hdbench {

inline constexpr std::size_t kDate = 0;
inline constexpr std::size_t kSym = 1;
inline constexpr std::size_t kSize = 2;
inline constexpr std::size_t kVenue = 3;
inline constexpr std::size_t kDesk = 4;
inline constexpr std::uint64_t kDayRows = 8 * 37440;  // whole morsels of one thread

// Two days of kDayRows rows, with symbols as narrow codes hold them: sym over three symbols and
// venue over five at one byte, desk over 300 at two, of which four are there.
inline std::shared_ptr<Table> two_narrow_days(
    const std::function<std::uint8_t(std::uint64_t)>& sym,
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

inline Plan last_by(std::vector<GroupKey> keys, std::int64_t least_size) {
  Plan plan;
  plan.last_rows = true;
  plan.by = std::move(keys);
  plan.outputs = {{"size", Aggregate::kNone, kSize, {}}};
  if (least_size > 0) plan.where = {{"size>=", kSize, RangeTest{least_size, INT64_MAX}, false}};
  return plan;
}

inline const std::vector<std::vector<GroupKey>>& narrow_keys() {
  static const std::vector<std::vector<GroupKey>> all = {{{"sym", kSym}},
                                                         {{"desk", kDesk}},
                                                         {{"venue", kVenue}},
                                                         {{"sym", kSym}, {"venue", kVenue}},
                                                         {{"date", kDate}, {"sym", kSym}}};
  return all;
}

inline Workspace unlimited() { return Workspace(0, *std::pmr::new_delete_resource()); }

}  // namespace hdbench
