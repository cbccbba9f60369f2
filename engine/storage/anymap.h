// Nested columns: the cells of an anymap (hdb-format.md, "String columns").
#pragma once

#include <cstdint>

#include "engine/base/result.h"
#include "engine/column/column.h"

namespace hdbench {

// The number of kdb+'s symbol vectors; a NestedCell of this kind holds u32 indices into the
// column's domain.
constexpr std::uint8_t kSymbolCell = 11;

// Bytes of one item of a cell.
std::uint32_t cell_item_width(std::uint8_t kind);

// The cell of a row: as it is where the column holds NestedCells (width 16), else its reference
// resolved within the heap. The items all lie within the heap; symbols' indices are not looked at.
// Requires: a nested column, row < column.rows. Errors: kData: a reference or a cell beyond the
// heap, a kind of cell that is not supported (lists of lists).
Result<NestedCell> nested_cell(const Column& column, std::uint64_t row);

}  // namespace hdbench
