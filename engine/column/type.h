// kdb+'s types: numbers, widths, names and nulls, as docs/hdb-format.md lists them.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace hdbench {

// The numbers are kdb+'s own (positive: vector of the type). kNested stands for every list column
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

// Bytes of one element in memory. A symbol is a code of 1, 2, 4 or 8 bytes: a column says which
// (Column::width); 8 here. A nested cell is a NestedCell, 16.
constexpr std::uint32_t type_width(QType type) {
  switch (type) {
    case QType::kBoolean:
    case QType::kByte:
    case QType::kChar: return 1;
    case QType::kShort: return 2;
    case QType::kInt:
    case QType::kReal:
    case QType::kMonth:
    case QType::kDate:
    case QType::kMinute:
    case QType::kSecond:
    case QType::kTime: return 4;
    case QType::kLong:
    case QType::kFloat:
    case QType::kTimestamp:
    case QType::kDatetime:
    case QType::kTimespan:
    case QType::kSymbol: return 8;
    case QType::kGuid:
    case QType::kNested: return 16;
  }
  return 0;
}

// q's name of a type: "timestamp", "symbol", ... ; "list" for kNested.
std::string_view type_name(QType type);

// q's letter of a type as `meta` shows it: 'p', 's', ... ; ' ' for kNested.
char type_letter(QType type);

constexpr bool is_floating(QType type) {
  return type == QType::kReal || type == QType::kFloat || type == QType::kDatetime;
}

// Whether kdb+ has a vector type of this number that a column file can hold (no symbol, no list).
bool is_plain_type(int number);

}  // namespace hdbench
