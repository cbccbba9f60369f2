// Two small tables, of which tests know every row: trades and quotes of two days.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/column/memory_table.h"

namespace hdbench::queries {

inline std::shared_ptr<const Domain> syms() {
  static const auto domain = make_domain("sym", {"b", "a", "c"});
  return domain;
}

inline constexpr std::uint8_t kB = 0, kA = 1, kC = 2;

inline MemoryTable::Part part_of(std::int64_t day, const std::vector<std::uint8_t>& sym,
                                 const std::vector<std::int32_t>& time,
                                 const std::vector<std::int64_t>& size,
                                 const std::vector<double>& price) {
  return {
      day,
      {make_column<std::uint8_t>(QType::kSymbol, sym, syms()),
       make_column<std::int32_t>(QType::kTime, time), make_column<std::int64_t>(QType::kLong, size),
       make_column<double>(QType::kFloat, price)}};
}

inline MemoryTable table_of(std::string name, std::string third, std::string fourth,
                            std::vector<MemoryTable::Part> parts) {
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kNone, syms()},
                   {"time", QType::kTime, Attribute::kNone, nullptr},
                   {std::move(third), QType::kLong, Attribute::kNone, nullptr},
                   {std::move(fourth), QType::kFloat, Attribute::kNone, nullptr}};
  return MemoryTable(std::move(name), std::move(schema), std::move(parts));
}

// Dates 2020.01.01 and 2020.01.02; a null size in the second row.
inline const MemoryTable& trade() {
  static const MemoryTable table =
      table_of("trade", "size", "price",
               {part_of(7305, {kA, kA, kB, kA}, {1000, 2000, 2000, 3000}, {5, kNullLong, 7, 5},
                        {1, 2, 4, 3}),
                part_of(7306, {kB, kA, kC}, {1000, 1500, 4000}, {2, 9, 2}, {8, 6, 1})});
  return table;
}

inline const MemoryTable& quote() {
  static const MemoryTable table = table_of(
      "quote", "size", "bid",
      {part_of(7305, {kA, kA, kA, kB}, {1500, 2000, 2000, 2500}, {1, 2, 3, 4}, {10, 20, 30, 40}),
       part_of(7306, {kA, kB}, {1500, 900}, {5, 6}, {50, 60})});
  return table;
}

}  // namespace hdbench::queries
