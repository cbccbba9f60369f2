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
  std::shared_ptr<Domains> domains;
  std::set<std::string, std::less<>> partitioned;
  std::set<std::string, std::less<>> saved;
  std::vector<std::string> notes;

  bool is_splayed(std::string_view name) const {
    return std::binary_search(layout.splayed.begin(), layout.splayed.end(), name);
  }
};

namespace {

bool has_columns(const fs::path& directory) {
  std::error_code ignored;
  return fs::is_regular_file(directory / ".d", ignored);
}

// A directory in a partition is a table where a partition's one holds a `.d`; most are settled by
// the newest partition.
std::set<std::string, std::less<>> find_partitioned(const DatabaseLayout& layout) {
  std::set<std::string, std::less<>> tables;
  for (auto part = layout.partitions.rbegin(); part != layout.partitions.rend(); ++part) {
    for (const std::string& name : part->entries) {
      if (!tables.contains(name) && has_columns(part->path / name)) tables.insert(name);
    }
  }
  return tables;
}

// The tables among the files at the root; a note for each other object.
std::set<std::string, std::less<>> find_saved(const fs::path& root,
                                              std::vector<std::string>& notes) {
  std::set<std::string, std::less<>> tables;
  for (const auto& [name, summary] : list_saved(root)) {
    if (is_table_kind(summary.kind)) tables.insert(name);
    if (summary.kind != SavedKind::kOther) continue;
    notes.push_back(fmt::format("{}: {}: skipped", (root / name).string(), summary.name));
  }
  return tables;
}

// A table at the root is loaded after the partitions' one.
template <typename Names>
void hide_partitioned(const fs::path& root, const Names& at_root,
                      std::set<std::string, std::less<>>& partitioned,
                      std::vector<std::string>& notes) {
  for (const std::string& name : at_root) {
    if (partitioned.erase(name) == 0) continue;
    notes.push_back(fmt::format("{}: hides the table {} of the partitions, as in kdb+",
                                (root / name).string(), name));
  }
}

}  // namespace

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() = default;

Result<std::shared_ptr<Database>> Database::open(const fs::path& root) {
  auto state = std::make_unique<State>();
  HDB_ASSIGN(state->layout, read_database_layout(root));
  state->domains = std::make_shared<Domains>(root);
  state->partitioned = find_partitioned(state->layout);
  state->saved = find_saved(root, state->notes);
  if (state->partitioned.empty() && state->layout.splayed.empty() && state->saved.empty()) {
    return data_error(
        fmt::format("{}: no table in it: neither partitions (2020.01.07/quote/.d) nor "
                    "a splayed table (quote/.d)",
                    root.string()));
  }
  hide_partitioned(root, state->layout.splayed, state->partitioned, state->notes);
  hide_partitioned(root, state->saved, state->partitioned, state->notes);
  std::error_code ignored;
  if (fs::is_regular_file(root / "sym", ignored))
    HDB_TRY(state->domains->get("sym", root.string()));
  return std::shared_ptr<Database>(new Database(std::move(state)));
}

const fs::path& Database::root() const { return state_->layout.root; }
const DatabaseLayout& Database::layout() const { return state_->layout; }
const std::shared_ptr<Domains>& Database::domains() const { return state_->domains; }
const std::vector<std::string>& Database::notes() const { return state_->notes; }
std::size_t Database::partition_count() const { return state_->layout.partitions.size(); }

std::vector<std::string> Database::table_names() const {
  std::vector<std::string> names(state_->partitioned.begin(), state_->partitioned.end());
  names.insert(names.end(), state_->layout.splayed.begin(), state_->layout.splayed.end());
  names.insert(names.end(), state_->saved.begin(), state_->saved.end());
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<Database::TableDirectory>> Database::table_directories(
    std::string_view name) const {
  std::vector<TableDirectory> directories;
  if (state_->partitioned.contains(name)) {
    for (const PartitionDirectory& partition : state_->layout.partitions) {
      const bool has_table =
          std::binary_search(partition.entries.begin(), partition.entries.end(), name);
      directories.push_back({partition.value, has_table ? partition.path / name : fs::path()});
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
                                       Codes codes) const {
  if (const fs::path file = saved_file(name); !file.empty()) {
    return read_saved_table(file, std::string(name), *store, codes);
  }
  HDB_ASSIGN(std::vector<TableDirectory> directories, table_directories(name));
  std::vector<DiskTable::Part> parts;
  parts.reserve(directories.size());
  for (TableDirectory& directory : directories) {
    parts.push_back({directory.partition_value, std::move(directory.path)});
  }
  const Field virtual_field{state_->layout.partition_field, state_->layout.partition_type,
                            Attribute::kNone, nullptr};
  const bool partitioned = state_->partitioned.contains(name);
  HDB_ASSIGN(std::shared_ptr<Table> table,
             DiskTable::open(std::string(name), partitioned ? &virtual_field : nullptr,
                             std::move(parts), store, state_->domains, codes));
  return SavedTable{std::move(table), 0};
}

Result<std::shared_ptr<Table>> Database::table(std::string_view name, std::shared_ptr<Store> store,
                                               Codes codes) const {
  HDB_ASSIGN(SavedTable own, own_table(name, store, codes));
  std::map<std::string, LinkTarget> targets;
  for (const Field& field : own.table->schema().fields) {
    if (field.link.empty() || targets.contains(field.link)) continue;
    HDB_ASSIGN(SavedTable target, own_table(field.link, store, codes));
    targets.emplace(field.link, LinkTarget{std::move(target.table), target.keys});
  }
  if (targets.empty()) return std::move(own.table);
  return std::shared_ptr<Table>(
      std::make_shared<LinkedTable>(std::move(own.table), std::move(targets), std::move(store)));
}

Result<std::vector<fs::path>> Database::column_files(std::string_view name) const {
  if (fs::path file = saved_file(name); !file.empty()) return std::vector{std::move(file)};
  HDB_ASSIGN(const std::vector<TableDirectory> directories, table_directories(name));
  const auto newest =
      std::find_if(directories.rbegin(), directories.rend(),
                   [](const TableDirectory& directory) { return !directory.path.empty(); });
  HDB_ASSIGN(const std::vector<std::string> columns, read_column_names(newest->path / ".d"));
  std::vector<fs::path> files;
  for (const TableDirectory& directory : directories) {
    if (directory.path.empty()) continue;
    for (const std::string& column : columns) {
      for (const char* mark : {"", "#", "##"}) {
        fs::path file = directory.path / (column + mark);
        std::error_code ignored;
        if (!fs::is_regular_file(file, ignored)) break;
        files.push_back(std::move(file));
      }
    }
  }
  return files;
}

}  // namespace hdbench
