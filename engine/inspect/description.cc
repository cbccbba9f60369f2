#include "engine/inspect/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/column/format_value.h"
#include "engine/storage/column_file.h"
#include "engine/storage/disk_table.h"
#include "engine/storage/page_cache_store.h"
#include "engine/storage/plain_file.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

// Lines of which the first of a kind is told, with the number of the others.
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
  for (const char* mark : {"", "#", "##"}) {
    const fs::path file = directory / (column.name + mark);
    std::error_code ignored;
    const bool is_there = fs::status(file, ignored).type() != fs::file_type::not_found;
    if (!is_there && *mark == '\0') return absent_column(directory, column.name);
    if (!is_there) break;
    HDB_ASSIGN(const StoredForm form, read_stored_form(file));
    column.stored_bytes += form.stored_bytes;
    column.plain_bytes += form.plain_bytes;
    if (*mark != '\0') continue;
    ++column.files[form.compression];
    const Result<ColumnSummary> summary = read_column_summary(file);
    if (!summary.ok()) return summary.error();
  }
  return ok_status();
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
  return column;
}

// Adds a part of a table in directories.
void add_part(const Table& opened, std::size_t part, const fs::path& directory,
              TableDescription& table, Lines& unreadable) {
  const auto rows = opened.rows(part);
  if (rows.ok()) table.rows += *rows;
  if (!rows.ok()) unreadable.add("rows", rows.error().message);
  for (ColumnDescription& column : table.columns) {
    const Status added = add_files(directory, column);
    // What no partition can read is told with the column.
    const bool is_told = !column.unreadable.empty();
    if (!added.ok() && !is_told) unreadable.add(column.name, added.error().message);
  }
}

// The file of a saved table is all that is stored of it.
Status add_saved(const Table& opened, const fs::path& file, TableDescription& table) {
  table.kind = TableKind::kSaved;
  table.partitions = 1;
  HDB_ASSIGN(table.rows, opened.rows(0));
  HDB_ASSIGN(const StoredForm form, read_stored_form(file));
  table.stored_bytes = form.stored_bytes;
  table.plain_bytes = form.plain_bytes;
  return ok_status();
}

// Without a schema there are no columns to tell of.
Status describe_schema(const Database& database, TableDescription& table, Lines& unreadable) {
  HDB_ASSIGN(const std::shared_ptr<Table> opened,
             database.table(table.name, make_page_cache_store()));
  const Schema& schema = opened->schema();
  table.notes = opened->notes();
  for (std::size_t field = schema.partitioned ? 1 : 0; field < schema.own_fields(); ++field) {
    table.columns.push_back(describe_field(schema.fields[field]));
  }
  if (const fs::path file = database.saved_file(table.name); !file.empty()) {
    return add_saved(*opened, file, table);
  }
  table.kind = schema.partitioned ? TableKind::kPartitioned : TableKind::kSplayed;
  HDB_ASSIGN(std::vector<TableDirectory> directories, database.table_directories(table.name));
  HDB_TRY(read_newest_columns(directories));  // newer ones that are broken are marked
  for (std::size_t part = 0; part < directories.size(); ++part) {
    const TableDirectory& directory = directories[part];
    if (!directory.path.empty()) ++table.partitions;
    if (!directory.unreadable.empty()) {
      unreadable.add(directory.unreadable, directory.unreadable);
    } else if (!directory.path.empty()) {
      add_part(*opened, part, directory.path, table, unreadable);
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
  const Status described = describe_schema(database, table, unreadable);
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
