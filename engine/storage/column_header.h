// The header of a column file: what kind of container it is and how many rows it holds
// (docs/hdb-format.md).
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/byte_reader.h"
#include "engine/base/result.h"
#include "engine/column/type.h"

namespace hdbench {

// Bytes before the data of a vector, and of an enumeration, whose header is a page with the
// domain's name; and that one's type.
constexpr std::uint64_t kVectorHeaderBytes = 16;
constexpr std::uint64_t kEnumerationHeaderBytes = 4096;
constexpr int kEnumerationType = 0x14;

struct ColumnHeader {
  QType type = QType::kLong;
  std::uint32_t width = 8;  // of an element in the file; nested: 8
  Attribute attribute = Attribute::kNone;
  std::uint64_t data_offset = 0;
  std::int64_t count = 0;  // as written, often stale: see row_count()
  std::string domain;      // enumerations
  bool anymap = false;     // data are references into `col#`
  // Mapped vectors (types 77 + t): the t whose end positions in `col#` the data are; else 0.
  std::uint8_t item_type = 0;
  // A list without items, which any type's column may be.
  bool is_untyped = false;
};

// What a serialised object of this type is: "a list of longs", "a long atom", "a dictionary".
std::string object_name(int type);

// `beginning`: the first page of the plain bytes, or all of them where they are fewer.
// Errors: kData: an unknown container, type or attribute, a serialised object that is no list, a
// truncated header, a negative count.
Result<ColumnHeader> parse_column_header(Bytes beginning, const std::string& source);

// The true row count of a column of `plain_bytes` bytes: from the length, but for p#, u# and g# as
// the header says. Errors: kData: a remainder, fewer bytes than the count needs.
Result<std::uint64_t> row_count(const ColumnHeader& header, std::uint64_t plain_bytes,
                                const std::string& source);

}  // namespace hdbench
