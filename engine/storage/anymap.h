// Nested columns: the cells of an anymap (docs/hdb-format.md, "Nested columns").
#pragma once

#include <cstdint>

#include "engine/base/result.h"
#include "engine/column/column.h"

namespace hdbench {

// The cell of a row: as it is where the column holds NestedCells (width 16), else its reference
// resolved within the heap. The items all lie within the heap; symbols' indices are not looked at.
// Requires: a nested column, row < column.rows. Errors: kData: a reference or a cell beyond the
// heap, a kind of cell that is not supported (lists of lists).
Result<NestedCell> nested_cell(const Column& column, std::uint64_t row);

}  // namespace hdbench
