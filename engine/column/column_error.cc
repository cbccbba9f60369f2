#include "engine/column/column_error.h"

#include <fmt/format.h>

namespace hdbench {
namespace {

const char* file_of(const Column& column) {
  return column.source.empty() ? "a column in memory" : column.source.c_str();
}

}  // namespace

Error row_error(const Column& column, std::uint64_t row, std::string_view what) {
  return data_error(fmt::format("{}: byte {} (row {}): {}", file_of(column),
                                column.data_offset + row * column.width, row, what));
}

Error code_outside_domain(const Column& column, std::uint64_t row, std::int64_t code) {
  const Domain* domain = column.domain.get();
  Error error = row_error(column, row,
                          fmt::format("index {}, but domain {} has {} symbols", code,
                                      domain != nullptr ? domain->name() : "(none)",
                                      domain != nullptr ? domain->stored_size() : 0));
  error.subject = &column;
  return error;
}

Error changed_while_read(const Column& column, std::uint64_t first, std::uint64_t count) {
  return data_error(
      fmt::format("{}: rows {} to {}: a value changed while it was read: nothing may write into a "
                  "database that is queried",
                  file_of(column), first, first + count - 1));
}

Error value_outside_index(const Column& column, std::uint64_t row, std::int64_t key) {
  return row_error(column, row, fmt::format("value {}, which its p# index does not have", key));
}

}  // namespace hdbench
