// Column files: from a path to a header and to a Column, whatever container and compression kdb+
// chose (docs/hdb-format.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/column/column.h"
#include "engine/storage/plain_file.h"
#include "engine/storage/symbol_list.h"

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

// What a column's first page says, without bringing its data anywhere.
struct ColumnSummary {
  ColumnHeader header;
  std::uint64_t rows = 0;
};
Result<ColumnSummary> read_column_summary(const std::filesystem::path& path);

// The column's file and its companions (`col#`, `col##`), up to the first that is not there.
std::vector<std::filesystem::path> files_of_column(const std::filesystem::path& path);

// Whether it is a list without items, which represents a column of any type.
bool is_untyped(const Column& column);

// The byte of its file where a column's row begins: rows of a table may be stored in fewer bytes
// than the column has.
std::uint64_t stored_offset(const Column& column, std::uint64_t row);

// The column, its bytes held by `store`, its domain taken from `domains`, its companions (`col#`,
// `col##`) read too. An enumeration over a table is a column of longs, the table's rows. The header
// is checked against the length; values, codes and the index are not looked at (verify.h does).
// Compressed files may stay as stored, but for rows of a table in 4 bytes, which are copied.
Result<Column> read_column(const std::filesystem::path& path, Store& store, Domains& domains,
                           Compressed compressed = Compressed::kUnpacked);

}  // namespace hdbench
