#include "engine/column/column_error.h"

#include <fmt/format.h>

namespace hdbench {
namespace {

const char* file_of(const Column& column) {
  return column.source.empty() ? "a column in memory" : column.source.c_str();
}

std::uint64_t offset_of(const Column& column, std::uint64_t row) {
  return column.data_offset + row * column.width;
}

}  // namespace

Error code_outside_domain(const Column& column, std::uint64_t row, std::int64_t code) {
  const Domain* domain = column.domain.get();
  Error error = data_error(
      fmt::format("{}: byte {} (row {}): index {}, but domain {} has {} symbols", file_of(column),
                  offset_of(column, row), row, code, domain != nullptr ? domain->name() : "(none)",
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
  return data_error(fmt::format("{}: byte {} (row {}): value {}, which its p# index does not have",
                                file_of(column), offset_of(column, row), row, key));
}

}  // namespace hdbench
