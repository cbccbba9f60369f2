#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

#include "engine/inspect/verify.h"
#include "engine/storage/column_file.h"
#include "engine/storage/database_layout.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

// In order, without what is hidden or ends in `$`.
std::set<fs::path> entries_of(const fs::path& directory) {
  std::set<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.front() != '.' && name.back() != '$') entries.insert(entry->path());
  }
  return entries;
}

// Names of tables that lie in partitions.
std::vector<std::string> partitioned_tables(const Database& database) {
  std::vector<std::string> names = database.table_names();
  const std::vector<std::string>& splayed = database.layout().splayed;
  std::erase_if(names, [&](const std::string& name) {
    return !database.saved_file(name).empty() ||
           std::binary_search(splayed.begin(), splayed.end(), name);
  });
  return names;
}

bool has_any(const PartitionDirectory& partition, const std::vector<std::string>& tables) {
  return !partition.unreadable.empty() ||
         std::any_of(partition.entries.begin(), partition.entries.end(),
                     [&](const std::string& name) {
                       return std::binary_search(tables.begin(), tables.end(), name) ||
                              has_columns(partition.path / name);
                     }) ||
         std::any_of(tables.begin(), tables.end(),
                     [&](const std::string& name) { return partition.broken.contains(name); });
}

void add_first(const std::vector<std::string>& lines, std::vector<std::string>& notes) {
  if (lines.empty()) return;
  notes.push_back(lines.size() == 1
                      ? lines.front()
                      : fmt::format("{} (and {} more)", lines.front(), lines.size() - 1));
}

void note_partitions(const Database& database, std::vector<std::string>& notes) {
  const std::vector<PartitionDirectory>& partitions = database.layout().partitions;
  const std::vector<std::string> tables = partitioned_tables(database);
  std::vector<std::string> empty;
  std::set<std::int64_t> filled;  // values of partitions that have a table
  for (const PartitionDirectory& partition : partitions) {
    const bool is_filled = has_any(partition, tables);
    if (is_filled) filled.insert(partition.value);
    if (!is_filled) empty.push_back(partition.path.string() + ": no table in this partition");
  }
  add_first(empty, notes);
  for (const std::string& table : tables) {
    const auto directories = database.table_directories(table);
    if (!directories.ok()) continue;
    std::map<std::int64_t, fs::path> lacking;  // by value, so that segments may share it
    for (std::size_t part = 0; part < partitions.size(); ++part) {
      if (filled.contains(partitions[part].value)) {
        lacking.try_emplace(partitions[part].value, partitions[part].path);
      }
    }
    for (const TableDirectory& directory : *directories) {
      const bool is_there = !directory.path.empty() || !directory.unreadable.empty();
      if (is_there) lacking.erase(directory.partition_value);
    }
    std::vector<std::string> lines;
    for (const auto& [value, path] : lacking) {
      lines.push_back(
          fmt::format("{}: no table {}, which counts as empty there (kdb+ wants "
                      ".Q.chk first)",
                      path.string(), table));
    }
    add_first(lines, notes);
  }
}

// Whether par.txt makes the directory a segment, or a partition of one.
bool is_read(const DatabaseLayout& layout, const fs::path& directory) {
  const auto is_it = [&](const fs::path& path) {
    std::error_code ignored;
    return fs::equivalent(path, directory, ignored);
  };
  return std::any_of(layout.partitions.begin(), layout.partitions.end(),
                     [&](const PartitionDirectory& partition) {
                       return is_it(partition.path) || is_it(partition.path.parent_path());
                     });
}

bool is_named_like_a_partition(const fs::path& path) {
  return path.filename().string().find_first_not_of("0123456789.") == std::string::npos;
}

void note_root(const Database& database, std::vector<std::string>& notes) {
  std::vector<std::string> unread;
  std::error_code ignored;
  const bool has_segments = fs::exists(database.root() / "par.txt", ignored);
  for (const fs::path& path : entries_of(database.root())) {
    if (!fs::is_directory(path, ignored) || has_columns(path)) continue;
    const std::set<fs::path> entries = entries_of(path);
    if (is_named_like_a_partition(path)) {
      const bool is_partition = std::any_of(entries.begin(), entries.end(), has_columns);
      if (!has_segments || !is_partition || is_read(database.layout(), path)) continue;
      unread.push_back(path.string() + ": a partition beside par.txt, which is not read");
    } else if (std::any_of(entries.begin(), entries.end(), [](const fs::path& entry) {
                 std::error_code error;
                 return fs::is_regular_file(entry, error) && read_column_summary(entry).ok();
               })) {
      notes.push_back(path.string() + ": column files without a .d, so no table");
    }
  }
  add_first(unread, notes);
}

}  // namespace

std::vector<std::string> directory_notes(const Database& database) {
  std::vector<std::string> notes;
  note_partitions(database, notes);
  note_root(database, notes);
  return notes;
}

}  // namespace hdbench
