// Nested columns: the cells of an anymap and of mapped vectors (docs/hdb-format.md, "Nested
// columns").
#pragma once

#include <cstdint>

#include "engine/base/result.h"
#include "engine/column/column.h"

namespace hdbench {

// The cell of a row: as it is where the column holds NestedCells (width 16), else its reference or
// its end position resolved within the heap. The items all lie within the heap; symbols' indices
// are not looked at. A general list is shown as q shows it, in about 1 KiB at most; a dictionary, a
// table or a function as (dict), (table) or (function). Requires: a nested column, row <
// column.rows. Errors: kData: a reference, an end position or a cell beyond the heap, a kind of
// cell that q does not have.
Result<NestedCell> nested_cell(const Column& column, std::uint64_t row);

}  // namespace hdbench
