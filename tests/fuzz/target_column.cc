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

// The value of every item that is shown.
void show_cell(const NestedCell& cell, const Domain* symbols, std::string& out) {
  const std::uint32_t width = cell_item_width(cell.kind);
  for (std::uint32_t item = 0; item < std::min<std::uint32_t>(cell.count, kRowsMax); ++item) {
    const std::byte* at = cell.data + std::size_t{item} * width;
    if (cell.kind != kSymbolCell) {
      append_value(out, static_cast<QType>(cell.kind), width, at, nullptr);
      continue;
    }
    const auto code = load_at<std::uint32_t>({at, width}, 0);
    if (symbols != nullptr && code < symbols->size()) out += symbols->text(code);
  }
}

void show_rows(const Column& column) {
  std::string out;
  for (std::uint64_t row = 0; row < std::min(column.rows, kRowsMax); ++row) {
    if (column.type == QType::kNested) {
      const auto cell = nested_cell(column, row);
      if (cell.ok()) show_cell(*cell, column.domain.get(), out);
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
