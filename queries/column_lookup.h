// Finding the column that a name in the text means.
#pragma once

#include <cstddef>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "queries/syntax.h"

namespace hdbench {

// The field's index. Errors: no such column, naming those that there are; the caret at the name.
Result<std::size_t> find_column(const Table& table, const Name& name);

}  // namespace hdbench
