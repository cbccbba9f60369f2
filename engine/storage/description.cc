#include "engine/storage/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include "engine/column/format_value.h"
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
    if (!is_there && *mark == '\0') return data_error(file.string() + ": no such file");
    if (!is_there) break;
    HDB_ASSIGN(const StoredForm form, read_stored_form(file));
    column.stored_bytes += form.stored_bytes;
    column.plain_bytes += form.plain_bytes;
    if (*mark == '\0') ++column.files[form.compression];
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

// Without a schema there are no columns to tell of.
Status describe_schema(const Database& database, TableDescription& table, Lines& unreadable) {
  HDB_ASSIGN(std::vector<TableDirectory> directories, database.table_directories(table.name));
  HDB_ASSIGN(const std::shared_ptr<Table> opened,
             database.table(table.name, make_page_cache_store()));
  const Schema& schema = opened->schema();
  table.partitioned = schema.partitioned;
  table.notes = opened->notes();
  table.partitions = static_cast<std::uint64_t>(
      std::count_if(directories.begin(), directories.end(),
                    [](const TableDirectory& part) { return !part.path.empty(); }));
  HDB_ASSIGN(const std::vector<std::string> names, read_newest_columns(directories));
  for (const std::string& name : names) {
    const auto field = schema.find(name);
    if (!field || (schema.partitioned && *field == 0)) continue;  // hidden by the virtual one
    table.columns.push_back(describe_field(schema.fields[*field]));
  }
  for (std::size_t part = 0; part < directories.size(); ++part) {
    const TableDirectory& directory = directories[part];
    if (!directory.unreadable.empty()) {
      unreadable.add(directory.unreadable, directory.unreadable);
      continue;
    }
    if (directory.path.empty()) continue;
    const auto rows = opened->rows(part);
    if (rows.ok()) table.rows += *rows;
    if (!rows.ok()) unreadable.add("rows", rows.error().message);
    for (ColumnDescription& column : table.columns) {
      const Status added = add_files(directory.path, column);
      if (!added.ok()) unreadable.add(column.name, added.error().message);
    }
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

std::uint64_t sum(const std::vector<ColumnDescription>& columns,
                  std::uint64_t ColumnDescription::* bytes) {
  return std::accumulate(
      columns.begin(), columns.end(), std::uint64_t{0},
      [bytes](std::uint64_t so_far, const auto& column) { return so_far + column.*bytes; });
}

}  // namespace

std::uint64_t TableDescription::stored_bytes() const {
  return sum(columns, &ColumnDescription::stored_bytes);
}

std::uint64_t TableDescription::plain_bytes() const {
  return sum(columns, &ColumnDescription::plain_bytes);
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
  found.unreadable = database.unreadable();
  if (!table.empty()) {
    HDB_TRY(database.table_directories(table));
    found.tables.push_back(describe_table(database, std::string(table)));
    return found;
  }
  for (const std::string& name : database.table_names()) {
    found.tables.push_back(describe_table(database, name));
  }
  return found;
}

}  // namespace hdbench
