// Column files: from a path to a Column, whatever container and compression kdb+ chose
// (docs/hdb-format.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/column/column.h"
#include "engine/storage/column_header.h"
#include "engine/storage/symbol_list.h"

namespace hdbench {

// What a column's first page says, without bringing its data anywhere.
struct ColumnSummary {
  ColumnHeader header;
  std::uint64_t rows = 0;
};
Result<ColumnSummary> read_column_summary(const std::filesystem::path& path);

// The column's file and its companions (`col#`, `col##`), up to the first that is not there.
std::vector<std::filesystem::path> files_of_column(const std::filesystem::path& path);

// Whether it is a list without items, which stands for a column of any type.
bool is_untyped(const Column& column);

// The byte of its file where a column's row begins: rows of a table may be stored in fewer bytes
// than the column has.
std::uint64_t stored_offset(const Column& column, std::uint64_t row);

// The column, its bytes held by `store`, its domain taken from `domains`, its companions (`col#`,
// `col##`) read too. An enumeration over a table is a column of longs, the table's rows. The header
// is checked against the length; values, codes and the index are not looked at (verify.h does).
Result<Column> read_column(const std::filesystem::path& path, Store& store, Domains& domains);

}  // namespace hdbench
