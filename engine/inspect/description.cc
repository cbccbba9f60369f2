#include "engine/inspect/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/store.h"
#include "engine/column/format_value.h"
#include "engine/storage/anymap.h"
#include "engine/storage/column_file.h"
#include "engine/storage/disk_table.h"
#include "engine/storage/plain_file.h"
#include "engine/storage/saved_table.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kCellsLookedAt = 1000;

// Lines of which the first of a kind is kept, with the number of the others.
class Lines {
 public:
  void add(const std::string& kind, const std::string& line) {
    const auto [entry, is_new] = places_.try_emplace(kind, lines_.size());
    if (is_new) {
      lines_.emplace_back(line, 1);
    } else {
      ++lines_[entry->second].second;
    }
  }
  std::vector<std::string> take() const {
    std::vector<std::string> all;
    for (const auto& [line, count] : lines_) {
      all.push_back(count == 1 ? line : fmt::format("{} (and {} more)", line, count - 1));
    }
    return all;
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::pair<std::string, std::uint64_t>> lines_;
};

// Adds the column's files in one directory.
Status add_files(const fs::path& directory, ColumnDescription& column) {
  std::error_code ignored;
  const fs::path path = directory / column.name;
  if (fs::status(path, ignored).type() == fs::file_type::not_found) {
    return absent_column(directory, column.name);
  }
  for (const fs::path& file : files_of_column(path)) {
    HDB_ASSIGN(const StoredForm form, read_stored_form(file));
    column.stored_bytes += form.stored_bytes;
    column.plain_bytes += form.plain_bytes;
    if (file == path) ++column.files[form.compression];
  }
  HDB_TRY(read_column_summary(path));
  return ok_status();
}

std::string list_name(int kind, bool is_atom) {
  if (is_atom || kind == kShownCell) return "mixed list";
  if (kind == static_cast<int>(QType::kChar)) return "string";
  if (kind == kSymbolsType) return "symbol list";
  return std::string(type_name(static_cast<QType>(kind))) + " list";
}

// What all of the first cells are; "" where none says.
std::string nested_type(const Column& column) {
  if (column.item_type != 0) return list_name(column.item_type, false);
  std::string found;
  for (std::uint64_t row = 0; row < std::min(column.rows, kCellsLookedAt); ++row) {
    const auto cell = nested_cell(column, row);
    const bool is_untyped_list = cell.ok() && cell->kind == kShownCell && cell->shown_type == 0 &&
                                 as_text({cell->data, cell->count}) == "()";
    if (!cell.ok() || is_untyped_list) continue;
    const std::string name = list_name(cell->kind, cell->is_atom);
    if (!found.empty() && name != found) return "mixed list";
    found = name;
  }
  return found;
}

// By the newest part whose cells say it; columns and fields are in one order.
void name_nested_types(const Table& opened, std::size_t first_field,
                       std::vector<ColumnDescription>& columns) {
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const Field& field = opened.schema().fields[first_field + at];
    if (field.unreadable || field.type != QType::kNested) continue;
    std::string name;
    for (std::size_t part = opened.part_count(); part-- > 0 && name.empty();) {
      const auto column = opened.column(part, first_field + at);
      if (!column.ok()) continue;
      name = nested_type(**column);
      if ((*column)->rows >= kCellsLookedAt) break;
    }
    if (!name.empty()) columns[at].type = name;
  }
}

ColumnDescription describe_field(const Field& field) {
  ColumnDescription column;
  column.name = field.name;
  if (field.unreadable) {
    column.unreadable = field.unreadable->message;
    return column;
  }
  column.type = type_name(field.type);
  column.attribute = field.attribute;
  if (field.domain != nullptr) column.domain = field.domain->name();
  column.link = field.link;
  return column;
}

// Adds a part of a table in directories.
void describe_part(const Table& opened, std::size_t part, const fs::path& directory,
                   TableDescription& table, Lines& unreadable) {
  const auto rows = opened.rows(part);
  if (rows.ok()) table.rows += *rows;
  if (!rows.ok()) unreadable.add("rows", rows.error().message);
  for (ColumnDescription& column : table.columns) {
    const Status added = add_files(directory, column);
    // What no partition can read is reported with the column.
    const bool is_reported = !column.unreadable.empty();
    if (!added.ok() && !is_reported) unreadable.add(column.name, added.error().message);
  }
}

void describe_fields(const Table& opened, TableDescription& table) {
  const Schema& schema = opened.schema();
  const std::size_t first = schema.partitioned ? 1 : 0;
  table.notes = opened.notes();
  for (std::size_t field = first; field < schema.own_fields(); ++field) {
    table.columns.push_back(describe_field(schema.fields[field]));
  }
  name_nested_types(opened, first, table.columns);
}

// The file of a saved table is all that is stored of it.
Status describe_saved(const fs::path& file, TableDescription& table) {
  table.kind = TableKind::kSaved;
  table.partitions = 1;
  HDB_ASSIGN(const StoredForm form, read_stored_form(file));
  table.stored_bytes = form.stored_bytes;
  table.plain_bytes = form.plain_bytes;
  const std::shared_ptr<Store> store = make_page_cache_store();
  HDB_ASSIGN(const SavedTable saved, read_saved_table(file, table.name, *store, Codes::kStored));
  describe_fields(*saved.table, table);
  for (std::size_t key = 0; key < saved.keys; ++key) table.columns[key].is_key = true;
  HDB_ASSIGN(table.rows, saved.table->rows(0));
  return ok_status();
}

// Without a schema there are no columns to describe.
Status describe_directories(const Database& database, TableDescription& table, Lines& unreadable) {
  HDB_ASSIGN(std::vector<TableDirectory> directories, database.table_directories(table.name));
  std::set<std::int64_t> partitions;
  for (const TableDirectory& directory : directories) {
    if (!directory.path.empty()) partitions.insert(directory.partition_value);
  }
  table.partitions = partitions.size();
  const auto& splayed = database.layout().splayed;
  const bool is_splayed = std::binary_search(splayed.begin(), splayed.end(), table.name);
  table.kind = is_splayed ? TableKind::kSplayed : TableKind::kPartitioned;
  HDB_ASSIGN(const std::shared_ptr<Table> opened,
             database.table(table.name, make_page_cache_store()));
  describe_fields(*opened, table);
  HDB_TRY(read_newest_columns(directories));  // newer ones that are broken are marked
  for (std::size_t part = 0; part < directories.size(); ++part) {
    const TableDirectory& directory = directories[part];
    if (!directory.unreadable.empty()) {
      unreadable.add(directory.unreadable, directory.unreadable);
    } else if (!directory.path.empty()) {
      describe_part(*opened, part, directory.path, table, unreadable);
    }
  }
  for (const ColumnDescription& column : table.columns) {
    table.stored_bytes += column.stored_bytes;
    table.plain_bytes += column.plain_bytes;
  }
  return ok_status();
}

TableDescription describe_table(const Database& database, const std::string& name) {
  TableDescription table;
  table.name = name;
  Lines unreadable;
  const fs::path file = database.saved_file(name);
  const Status described = file.empty() ? describe_directories(database, table, unreadable)
                                        : describe_saved(file, table);
  if (!described.ok()) unreadable.add("schema", described.error().message);
  table.unreadable = unreadable.take();
  return table;
}

}  // namespace

const char* word(TableKind kind) {
  switch (kind) {
    case TableKind::kPartitioned: return "partitioned";
    case TableKind::kSplayed: return "splayed";
    case TableKind::kSaved: break;
  }
  return "saved";
}

Result<DatabaseDescription> describe_database(const Database& database, std::string_view table) {
  const DatabaseLayout& layout = database.layout();
  DatabaseDescription found;
  found.root = database.root().string();
  found.partition_field = layout.partition_field;
  found.partitions = database.partition_count();
  if (!layout.partitions.empty()) {
    found.first = partition_name(layout.partition_type, layout.partitions.front().value);
    found.last = partition_name(layout.partition_type, layout.partitions.back().value);
  }
  found.notes = database.notes();
  found.notes.insert(found.notes.end(), database.skipped().begin(), database.skipped().end());
  found.unreadable = database.unreadable();
  if (!table.empty()) {
    if (database.saved_file(table).empty()) HDB_TRY(database.table_directories(table));
    found.tables.push_back(describe_table(database, std::string(table)));
    return found;
  }
  for (const std::string& name : database.table_names()) {
    found.tables.push_back(describe_table(database, name));
  }
  return found;
}

}  // namespace hdbench
