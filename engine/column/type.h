// kdb+'s types: numbers, widths, names and nulls, as docs/hdb-format.md lists them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>

namespace hdbench {

// The numbers are kdb+'s own (positive: vector of the type). kNested represents every list column
// (anymap and `ff 01` general lists): one list a row, mostly strings.
enum class QType : std::uint8_t {
  kNested = 0,
  kBoolean = 1,
  kGuid = 2,
  kByte = 4,
  kShort = 5,
  kInt = 6,
  kLong = 7,
  kReal = 8,
  kFloat = 9,
  kChar = 10,
  kTimestamp = 12,  // i64 ns since 2000.01.01
  kMonth = 13,      // i32 months since 2000.01
  kDate = 14,       // i32 days since 2000.01.01
  kDatetime = 15,   // f64 days since 2000.01.01
  kTimespan = 16,   // i64 ns
  kMinute = 17,     // i32
  kSecond = 18,     // i32
  kTime = 19,       // i32 ms
  kSymbol = 20,     // enumeration over a domain
};

// kdb+'s number of symbols that are not enumerated: no column of a query has them, cells may.
constexpr int kSymbolsType = 11;

enum class Attribute : std::uint8_t {
  kNone = 0,
  kSorted = 1,
  kUnique = 2,
  kParted = 3,
  kGrouped = 4
};

constexpr std::int16_t kNullShort = std::numeric_limits<std::int16_t>::min();
constexpr std::int32_t kNullInt = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kNullLong = std::numeric_limits<std::int64_t>::min();

// What is known of a type. width: bytes of one element in memory; a symbol is a code of 1, 2, 4 or
// 8 bytes: a column says which (Column::width); 8 here. A nested cell is a NestedCell, 16.
struct TypeFacts {
  std::string_view name;   // q's: "timestamp", "symbol"; "list" for kNested
  char letter;             // as `meta` shows it: 'p', 's'; ' ' for kNested
  std::uint8_t width = 0;  // 0: no type
};

inline constexpr TypeFacts kTypeFacts[] = {
    {"list", ' ', 16},     {"boolean", 'b', 1}, {"guid", 'g', 16},  {"unknown", '?'},
    {"byte", 'x', 1},      {"short", 'h', 2},   {"int", 'i', 4},    {"long", 'j', 8},
    {"real", 'e', 4},      {"float", 'f', 8},   {"char", 'c', 1},   {"unknown", '?'},
    {"timestamp", 'p', 8}, {"month", 'm', 4},   {"date", 'd', 4},   {"datetime", 'z', 8},
    {"timespan", 'n', 8},  {"minute", 'u', 4},  {"second", 'v', 4}, {"time", 't', 4},
    {"symbol", 's', 8}};

constexpr const TypeFacts& type_facts(QType type) {
  constexpr std::size_t kUnknown = 3;
  const auto number = static_cast<std::size_t>(type);
  return kTypeFacts[number < std::size(kTypeFacts) ? number : kUnknown];
}

constexpr std::uint32_t type_width(QType type) { return type_facts(type).width; }
constexpr std::string_view type_name(QType type) { return type_facts(type).name; }
constexpr char type_letter(QType type) { return type_facts(type).letter; }

constexpr bool is_floating(QType type) {
  return type == QType::kReal || type == QType::kFloat || type == QType::kDatetime;
}

// Dates, times and durations; instants among them, which lie on the calendar.
constexpr bool is_temporal(QType type) { return type >= QType::kTimestamp && type <= QType::kTime; }
constexpr bool is_instant(QType type) {
  return type >= QType::kTimestamp && type <= QType::kDatetime;
}

// Whether kdb+ has a vector type of this number that a column file can hold (no symbol, no list).
constexpr bool is_plain_type(int number) {
  return number >= static_cast<int>(QType::kBoolean) && number <= static_cast<int>(QType::kTime) &&
         type_width(static_cast<QType>(number)) != 0;
}

}  // namespace hdbench
