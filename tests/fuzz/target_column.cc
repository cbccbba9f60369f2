// A column's file in any container, with its companions and its domain.
#include <algorithm>

#include "engine/column/format_value.h"
#include "engine/storage/anymap.h"
#include "engine/storage/column_file.h"
#include "engine/storage/narrow_codes.h"
#include "engine/storage/parted_index.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
namespace {

constexpr std::uint64_t kRowsMax = 4096;
constexpr std::size_t kShownBytesMax = 4096;

void show_rows(const Column& column) {
  std::string out;
  CellChecker cells(column);
  for (std::uint64_t row = 0; row < std::min(column.rows, kRowsMax); ++row) {
    if (column.type == QType::kNested) {
      const auto cell = nested_cell(column, row);
      const bool is_whole = cells.check(row).ok();
      require(cell.ok() || !is_whole, "a cell that is whole is read");
      if (cell.ok()) append_literal(out, *cell, Digits::kAll, kShownBytesMax);
    } else if (column.type != QType::kSymbol) {
      append_value(out, column.type, column.width, column.data + row * column.width, nullptr);
    }
    out.clear();
  }
}

}  // namespace

void run_column(Bytes input) {
  const std::filesystem::path root = scratch() / "column";
  write_tree(root, input);
  const std::vector<Piece> pieces = pieces_of(input);
  if (!pieces.empty() && pieces.front().name.empty()) {
    write_file(root / "x", pieces.front().bytes);
  }
  const auto summary = read_column_summary(root / "x");
  const auto store = make_exact_store();
  Domains domains(root);
  const auto column = read_column(root / "x", *store, domains);
  if (!column.ok()) return;
  require(summary.ok() && summary->rows == column->rows, "the summary has the column's rows");
  show_rows(*column);
  static_cast<void>(parted_index(*column).ok());
  if (column->type != QType::kSymbol || column->domain == nullptr) return;
  static_cast<void>(mended_column(*column, *store).ok());
  if (narrow_width(column->domain->stored_size(), column->width) >= column->width) return;
  static_cast<void>(narrow_column(*column, *store).ok());
}

}  // namespace hdbench::fuzz
