// Nested columns: the cells of an anymap and of mapped vectors (docs/hdb-format.md, "Nested
// columns").
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "engine/base/result.h"
#include "engine/column/column.h"

namespace hdbench {

// The cell of a row: as it is where the column holds NestedCells (width 16), else its reference or
// its end position resolved within the heap. The items all lie within the heap, or, of symbols,
// among the column's texts. A general list is shown as q shows it, in about 1 KiB at most; what is
// not looked into as opaque_text(). Requires: a nested column, row < column.rows; texts where it
// has references. Errors: kData: a reference, an end position or a cell beyond the heap, a symbol
// beyond the column's list, a kind of cell that q does not have.
Result<NestedCell> nested_cell(const Column& column, std::uint64_t row);

// What a cell of this kind is shown as where it is not looked into: (list), (table), (dict),
// (function); "" for what has items, or q does not have.
std::string_view opaque_text(int kind);

// Looks at all that the cells of a nested column lead to, each list once.
class CellChecker {
 public:
  // `column` must outlive it.
  explicit CellChecker(const Column& column) : column_(column) {}
  // Errors: as nested_cell(), however deep; a list that holds itself.
  Status check(std::uint64_t row);

 private:
  const Column& column_;
  // References of lists that were looked at, and whether that goes on.
  std::unordered_map<std::uint64_t, bool> lists_;
};

}  // namespace hdbench
