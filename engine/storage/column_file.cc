#include "engine/storage/column_file.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/storage/plain_file.h"

namespace hdbench {
namespace {

std::filesystem::path companion(const std::filesystem::path& path, std::string_view marks) {
  std::filesystem::path result = path;
  result += marks;
  return result;
}

// The heap of a nested column, and the list that an anymap's symbols point into where there is one.
Status read_companions(const std::filesystem::path& path, Store& store, Column& column) {
  const std::filesystem::path heap_path = companion(path, "#");
  HDB_ASSIGN(PlainFile heap, read_plain_file(heap_path, store));
  column.heap = heap.bytes;
  column.mapped = column.mapped && heap.mapped;
  column.keep_alive.push_back(std::move(heap.keep_alive));
  if (column.item_type != 0) return ok_status();  // items alone

  HDB_ASSIGN(const ColumnHeader header, parse_column_header(column.heap, heap_path.string()));
  column.heap = column.heap.subspan(header.data_offset);
  column.texts = std::make_shared<CellTexts>();
  column.keep_alive.push_back(column.texts);

  const std::filesystem::path symbols_path = companion(path, "##");
  std::error_code ignored;
  if (!std::filesystem::exists(symbols_path, ignored)) return ok_status();
  HDB_ASSIGN(column.domain, read_domain(symbols_path, symbols_path.filename().string()));
  return ok_status();
}

// Codes that are rows of a table become longs, null where they are null. An index of a parted
// enumeration does not fit longs.
Status take_rows_of_table(Column& column, Store& store) {
  column.type = QType::kLong;
  column.index_bytes = {};
  if (column.attribute != Attribute::kSorted) column.attribute = Attribute::kNone;
  if (column.width == sizeof(std::int64_t)) return ok_status();
  std::vector<std::int64_t> rows(column.rows);
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    const auto code = load_at<std::int32_t>({column.data, column.bytes()}, row * column.width);
    rows[row] = code == kNullInt ? kNullLong : code;
  }
  column.width = sizeof(std::int64_t);
  HDB_ASSIGN(Region region, store.allocate_for(column.source, column.bytes()));
  store.copy_in(region.bytes.data(), std::as_bytes(std::span(rows)));
  column.data = region.bytes.data();
  column.mapped = false;
  column.keep_alive.push_back(std::move(region.keep_alive));
  return ok_status();
}

}  // namespace

Result<ColumnSummary> read_column_summary(const std::filesystem::path& path) {
  const std::string source = path.string();
  HDB_ASSIGN(const PlainBeginning beginning, read_plain_beginning(path));
  ColumnSummary summary;
  HDB_ASSIGN(summary.header, parse_column_header(beginning.bytes, source));
  HDB_ASSIGN(summary.rows, row_count(summary.header, beginning.plain_bytes, source));
  return summary;
}

std::vector<std::filesystem::path> files_of_column(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  for (const std::string_view marks : {"", "#", "##"}) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(companion(path, marks), ignored)) break;
    files.push_back(companion(path, marks));
  }
  return files;
}

std::uint64_t stored_offset(const Column& column, std::uint64_t row) {
  std::uint64_t width = column.width;
  if (!column.mapped) {
    const Result<ColumnSummary> stored = read_column_summary(column.source);
    if (stored.ok()) width = stored->header.width;
  }
  return column.data_offset + row * width;
}

bool is_untyped(const Column& column) {
  return column.type == QType::kNested && column.rows == 0 && column.item_type == 0 &&
         column.texts == nullptr;
}

Result<Column> read_column(const std::filesystem::path& path, Store& store, Domains& domains) {
  Column column;
  column.source = path.string();
  HDB_ASSIGN(PlainFile file, read_plain_file(path, store));
  HDB_ASSIGN(const ColumnHeader header, parse_column_header(file.bytes, column.source));
  HDB_ASSIGN(column.rows, row_count(header, file.bytes.size(), column.source));
  column.type = header.type;
  column.width = header.width;
  column.attribute = header.attribute;
  column.data_offset = header.data_offset;
  column.data = file.bytes.data() + header.data_offset;
  column.mapped = file.mapped;
  column.index_bytes = file.bytes.subspan(header.data_offset + column.bytes());
  column.keep_alive.push_back(std::move(file.keep_alive));
  column.item_type = header.item_type;
  if (header.anymap || header.item_type != 0) HDB_TRY(read_companions(path, store, column));
  if (header.type == QType::kSymbol && domains.is_table(header.domain)) {
    column.link = header.domain;
    HDB_TRY(take_rows_of_table(column, store));
  } else if (header.type == QType::kSymbol) {
    HDB_ASSIGN(column.domain, domains.get(header.domain, column.source));
  }
  return column;
}

}  // namespace hdbench
