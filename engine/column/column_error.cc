#include "engine/column/column_error.h"

#include <fmt/format.h>

namespace hdbench {

Error code_outside_domain(const Column& column, std::uint64_t row, std::int64_t code) {
  const char* file = column.source.empty() ? "a column in memory" : column.source.c_str();
  const std::uint64_t offset = column.data_offset + row * column.width;
  const Domain* domain = column.domain.get();
  return data_error(fmt::format(
      "{}: byte {} (row {}): index {}, but domain {} has {} symbols", file, offset, row, code,
      domain != nullptr ? domain->name() : "(none)", domain != nullptr ? domain->size() : 0));
}

}  // namespace hdbench
