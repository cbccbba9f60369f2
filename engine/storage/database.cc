#include "engine/storage/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/storage/column_file.h"
#include "engine/storage/disk_table.h"
#include "engine/storage/linked_table.h"
#include "engine/storage/saved_object.h"

namespace hdbench {

namespace fs = std::filesystem;

struct Database::State {
  DatabaseLayout layout;
  DatabaseOptions options;
  std::shared_ptr<MapBudget> maps;
  std::shared_ptr<Domains> domains;
  std::set<std::string, std::less<>> partitioned;
  std::set<std::string, std::less<>> saved;
  std::vector<std::string> skipped;

  bool is_splayed(std::string_view name) const {
    return std::binary_search(layout.splayed.begin(), layout.splayed.end(), name);
  }

  // The tables among the files at the root, and a line for each other object.
  Status find_saved() {
    using Summaries = std::map<std::string, SavedSummary>;
    HDB_ASSIGN(const Summaries summaries, list_saved(layout.root));
    for (const auto& [name, summary] : summaries) {
      if (is_table_kind(summary.kind)) saved.insert(name);
      if (summary.kind == SavedKind::kUnreadable) skipped.push_back(summary.name);
      if (summary.kind != SavedKind::kOther) continue;
      skipped.push_back(
          fmt::format("{}: {}: skipped", (layout.root / name).string(), summary.name));
    }
    return ok_status();
  }

  // What may have been a table, and is none that the partitions have.
  void note_broken() {
    for (const auto& [name, why] : layout.broken) {
      if (!partitioned.contains(name)) layout.notes.push_back(why);
    }
  }

  // A table at the root is loaded after the partitions' one.
  template <typename Names>
  void hide_partitioned(const Names& at_root) {
    for (const std::string& name : at_root) {
      if (partitioned.erase(name) == 0) continue;
      layout.notes.push_back(fmt::format("{}: hides the table {} of the partitions, as in kdb+",
                                         (layout.root / name).string(), name));
    }
  }
};

namespace {

// A directory in a partition is a table where a partition's one holds a `.d`; most are settled by
// the newest partition. A link that leads nowhere may be one: it is never left out.
std::set<std::string, std::less<>> find_partitioned(const DatabaseLayout& layout) {
  std::set<std::string, std::less<>> tables;
  for (auto part = layout.partitions.rbegin(); part != layout.partitions.rend(); ++part) {
    for (const std::string& name : part->entries) {
      if (!tables.contains(name) && has_columns(part->path / name)) tables.insert(name);
    }
    for (const auto& [name, why] : part->broken) {
      std::error_code ignored;
      if (fs::is_symlink(part->path / name, ignored)) tables.insert(name);
    }
  }
  return tables;
}

// The root is a table's own directory: where its database is.
Error is_table_directory(const fs::path& root) {
  std::error_code ignored;
  fs::path table = fs::absolute(root, ignored).lexically_normal();
  if (!table.has_filename()) table = table.parent_path();
  fs::path database = table.parent_path();
  if (is_partition_name(database.filename().string())) database = database.parent_path();
  return data_error(fmt::format(
      "{}: this is the splayed table {}: give the database that holds it, {}, and the table's name "
      "in the query",
      root.string(), table.filename().string(), database.string()));
}

Error no_table(const DatabaseLayout& layout) {
  const std::string root = layout.root.string();
  const auto& partitions = layout.partitions;
  if (has_columns(layout.root)) return is_table_directory(layout.root);
  if (!layout.problems.empty()) return data_error(layout.problems.front());
  if (!layout.broken.empty()) return data_error(layout.broken.begin()->second);
  if (partitions.empty()) {
    return data_error(root +
                      ": no table in it: neither partitions (2020.01.07/quote/.d) nor a splayed "
                      "table (quote/.d)");
  }
  for (const PartitionDirectory& partition : partitions) {
    if (!partition.unreadable.empty()) return data_error(partition.unreadable);
  }
  const std::string by = fmt::format("{}: {} partition{} by {}", root, partitions.size(),
                                     partitions.size() == 1 ? "" : "s", layout.partition_field);
  const auto filled =
      std::find_if(partitions.rbegin(), partitions.rend(),
                   [](const PartitionDirectory& partition) { return !partition.entries.empty(); });
  if (filled == partitions.rend()) return data_error(by + ", and no table in any of them");
  return data_error(
      fmt::format("{}, but none of their tables has a .d (which names its columns): "
                  "there is no {}",
                  by, (filled->path / filled->entries.front() / ".d").string()));
}

}  // namespace

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() = default;

Result<std::shared_ptr<Database>> Database::open(const fs::path& root,
                                                 const DatabaseOptions& options) {
  auto state = std::make_unique<State>();
  HDB_ASSIGN(state->layout, read_database_layout(root, options.tolerates_problems));
  state->options = options;
  state->maps = std::make_shared<MapBudget>(options.map_count_max);
  state->domains = std::make_shared<Domains>(root);
  state->partitioned = find_partitioned(state->layout);
  HDB_TRY(state->find_saved());
  if (state->partitioned.empty() && state->layout.splayed.empty() && state->saved.empty()) {
    return no_table(state->layout);
  }
  state->note_broken();
  state->hide_partitioned(state->layout.splayed);
  state->hide_partitioned(state->saved);
  return std::shared_ptr<Database>(new Database(std::move(state)));
}

const fs::path& Database::root() const { return state_->layout.root; }
const DatabaseOptions& Database::options() const { return state_->options; }
const DatabaseLayout& Database::layout() const { return state_->layout; }
const std::shared_ptr<Domains>& Database::domains() const { return state_->domains; }
const std::vector<std::string>& Database::notes() const { return state_->layout.notes; }
const std::vector<std::string>& Database::skipped() const { return state_->skipped; }

std::size_t Database::partition_count() const {
  std::set<std::int64_t> values;
  for (const PartitionDirectory& partition : state_->layout.partitions) {
    values.insert(partition.value);
  }
  return values.size();
}

std::vector<std::string> Database::unreadable() const {
  std::vector<std::string> lines = state_->layout.problems;
  for (const auto& [name, why] : state_->layout.broken) {
    if (state_->partitioned.contains(name)) lines.push_back(why);
  }
  for (const PartitionDirectory& partition : state_->layout.partitions) {
    if (!partition.unreadable.empty()) lines.push_back(partition.unreadable);
    for (const auto& [name, why] : partition.broken) {
      if (state_->partitioned.contains(name)) lines.push_back(why);
    }
  }
  return lines;
}

std::vector<std::string> Database::table_names() const {
  std::vector<std::string> names(state_->partitioned.begin(), state_->partitioned.end());
  names.insert(names.end(), state_->layout.splayed.begin(), state_->layout.splayed.end());
  names.insert(names.end(), state_->saved.begin(), state_->saved.end());
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<TableDirectory>> Database::table_directories(std::string_view name) const {
  std::vector<TableDirectory> directories;
  // Also where the partitions have one: what the link led to would hide it.
  const auto at_root = state_->layout.broken.find(name);
  if (at_root != state_->layout.broken.end()) return data_error(at_root->second);
  if (state_->partitioned.contains(name)) {
    for (const PartitionDirectory& partition : state_->layout.partitions) {
      const bool has_table =
          std::binary_search(partition.entries.begin(), partition.entries.end(), name);
      const auto broken = partition.broken.find(name);
      directories.push_back(
          {partition.value, has_table ? partition.path / name : fs::path(),
           broken == partition.broken.end() ? partition.unreadable : broken->second});
    }
    return directories;
  }
  if (state_->is_splayed(name)) {
    directories.push_back({0, root() / name});
    return directories;
  }
  return usage_error(fmt::format("{}: no table {}; its tables are: {}", root().string(), name,
                                 fmt::join(table_names(), ", ")));
}

fs::path Database::saved_file(std::string_view name) const {
  return state_->saved.contains(name) ? root() / name : fs::path();
}

// The table without what its links point to.
Result<SavedTable> Database::own_table(std::string_view name, const std::shared_ptr<Store>& store,
                                       Codes codes, Compressed compressed) const {
  if (const fs::path file = saved_file(name); !file.empty()) {
    return read_saved_table(file, std::string(name), *store, codes);
  }
  HDB_ASSIGN(std::vector<TableDirectory> directories, table_directories(name));
  const Field virtual_field{state_->layout.partition_field, state_->layout.partition_type,
                            Attribute::kNone, nullptr};
  const bool partitioned = state_->partitioned.contains(name);
  HDB_ASSIGN(std::shared_ptr<Table> table,
             DiskTable::open(std::string(name), partitioned ? &virtual_field : nullptr,
                             std::move(directories), store, state_->domains,
                             {codes, state_->options.missing_as_null, compressed, state_->maps}));
  return SavedTable{std::move(table)};
}

Result<std::shared_ptr<Table>> Database::table(std::string_view name, std::shared_ptr<Store> store,
                                               Codes codes, Compressed compressed) const {
  HDB_ASSIGN(SavedTable own, own_table(name, store, codes, compressed));
  std::map<std::string, LinkTarget> targets;
  for (const Field& field : own.table->schema().fields) {
    if (field.link.empty() || targets.contains(field.link)) continue;
    const Result<SavedTable> target = own_table(field.link, store, codes, compressed);
    targets.emplace(field.link, target.ok() ? LinkTarget{target->table, target->keys, {}}
                                            : LinkTarget{nullptr, 0, target.error()});
  }
  if (targets.empty()) return std::move(own.table);
  // Links are followed before a query runs, so that nothing is left to unpack in it.
  if (compressed == Compressed::kAsStored)
    return table(name, std::move(store), codes, Compressed::kUnpacked);
  return std::shared_ptr<Table>(
      std::make_shared<LinkedTable>(std::move(own.table), std::move(targets), std::move(store)));
}

Result<std::vector<fs::path>> Database::column_files(std::string_view name) const {
  if (fs::path file = saved_file(name); !file.empty()) return std::vector{std::move(file)};
  HDB_ASSIGN(std::vector<TableDirectory> directories, table_directories(name));
  HDB_ASSIGN(const std::vector<std::string> columns, read_newest_columns(directories));
  std::vector<fs::path> files;
  for (const TableDirectory& directory : directories) {
    if (directory.path.empty()) continue;
    for (const std::string& column : columns) {
      for (fs::path& file : files_of_column(directory.path / column)) {
        files.push_back(std::move(file));
      }
    }
  }
  return files;
}

}  // namespace hdbench
