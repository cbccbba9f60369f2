// The messages about a column's values that the executor and `verify` share.
#pragma once

#include <cstdint>

#include "engine/base/result.h"
#include "engine/column/column.h"

namespace hdbench {

// A row's code that its domain does not have: names the file, the byte offset, the code and the
// domain's size.
Error code_outside_domain(const Column& column, std::uint64_t row, std::int64_t code);

}  // namespace hdbench
