// A whole object in a file at the root: told by its first bytes, and read as a table.
#include "engine/column/format_value.h"
#include "engine/storage/anymap.h"
#include "engine/storage/saved_object.h"
#include "engine/storage/saved_table.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
namespace {

constexpr std::size_t kShownBytesMax = 4096;

void read_cells(const Column& column) {
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    const auto cell = nested_cell(column, row);
    require(cell.ok(), "a saved cell is whole");
    std::string text;
    append_literal(text, *cell, Digits::kAll, kShownBytesMax);
  }
}

}  // namespace

void run_saved(Bytes input) {
  const std::filesystem::path path = scratch() / "saved";
  write_file(path, input);
  const auto summary = summarize_saved(path);
  const auto store = make_exact_store();
  const auto stored = read_saved_table(path, "t", *store, Codes::kStored);
  const auto narrow = read_saved_table(path, "t", *store, Codes::kNarrow);
  require(stored.ok() == narrow.ok(), "narrow codes are read where stored ones are");
  if (!stored.ok()) {
    require(!stored.error().message.empty(), "an error has a message");
    return;
  }
  require(summary && is_table_kind(summary->kind), "a table is reported by its first bytes");
  const Table& table = *stored->table;
  for (std::size_t field = 0; field < table.schema().fields.size(); ++field) {
    if (table.schema().fields[field].unreadable) continue;
    const Column& column = **table.column(0, field);
    require(column.rows == *table.rows(0), "columns of equal rows");
    if (column.type == QType::kNested) read_cells(column);
  }
}

}  // namespace hdbench::fuzz
