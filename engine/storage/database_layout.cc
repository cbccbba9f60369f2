#include "engine/storage/database_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "engine/base/file_handle.h"
#include "engine/column/calendar.h"
#include "engine/storage/symbol_list.h"

namespace hdbench {
namespace {

constexpr std::size_t kParBytesMax = std::size_t{16} << 20;

namespace fs = std::filesystem;

// The kinds of partitions, told apart by how their directories are named.
struct PartitionKind {
  const char* field;
  QType type;
};
constexpr PartitionKind kDates{"date", QType::kDate};
constexpr PartitionKind kMonths{"month", QType::kMonth};
constexpr PartitionKind kYears{"year", QType::kInt};
constexpr PartitionKind kInts{"int", QType::kLong};

struct PartitionName {
  const PartitionKind* kind = nullptr;
  std::int64_t value = 0;
};

std::optional<std::int64_t> digits(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || text.front() == '-') return std::nullopt;
  return value;
}

// yyyy.mm.dd, yyyy.mm, yyyy or another number; nothing for every other name.
std::optional<PartitionName> parse_partition_name(std::string_view name) {
  if (name.empty()) return std::nullopt;
  const bool dated = name.size() >= 7 && name[4] == '.';
  if (!dated) {
    const auto value = digits(name);
    if (!value.has_value()) return std::nullopt;
    return PartitionName{name.size() == 4 ? &kYears : &kInts, *value};
  }
  const auto year = digits(name.substr(0, 4));
  const auto month = digits(name.substr(5, 2));
  if (!year.has_value() || !month.has_value() || *month < 1 || *month > 12) return std::nullopt;
  if (name.size() == 7) return PartitionName{&kMonths, (*year - 2000) * 12 + *month - 1};
  if (name.size() != 10 || name[7] != '.') return std::nullopt;
  const auto day = digits(name.substr(8));
  if (!day.has_value()) return std::nullopt;
  const CivilDate date{*year, static_cast<int>(*month), static_cast<int>(*day)};
  if (!is_civil_date(date)) return std::nullopt;
  return PartitionName{&kDates, days_from_civil(date)};
}

bool is_ignored(std::string_view name) { return !is_plain_name(name) || name.back() == '$'; }

// The names of a directory's directories, sorted, without those that kdb+ ignores.
Result<std::vector<std::string>> list_directories(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(path, error);
  if (error) return data_error(fmt::format("{}: {}", path.string(), error.message()));
  while (entry != fs::directory_iterator()) {
    std::error_code ignored;
    std::string name = entry->path().filename().string();
    if (!is_ignored(name) && entry->is_directory(ignored)) names.push_back(std::move(name));
    entry.increment(error);
    if (error) return data_error(fmt::format("{}: {}", path.string(), error.message()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The directories that par.txt names, one a line, as they stand or relative to the root.
Result<std::vector<fs::path>> read_segments(const fs::path& root, const fs::path& par) {
  HDB_ASSIGN(const std::string text, read_text(par, kParBytesMax));
  std::istringstream file(text);
  std::vector<fs::path> segments;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty()) continue;
    const fs::path segment = root / line;
    std::error_code ignored;
    if (!fs::is_directory(segment, ignored)) {
      return data_error(
          fmt::format("{}: line {}: no directory {}", par.string(), number, segment.string()));
    }
    segments.push_back(segment);
  }
  if (segments.empty()) return data_error(par.string() + ": no segment in it");
  return segments;
}

struct FoundPartition {
  PartitionName name;
  fs::path path;
};

Result<std::vector<FoundPartition>> find_partitions(const std::vector<fs::path>& segments) {
  std::vector<FoundPartition> found;
  for (const fs::path& segment : segments) {
    HDB_ASSIGN(const std::vector<std::string> names, list_directories(segment));
    for (const std::string& name : names) {
      const auto parsed = parse_partition_name(name);
      if (parsed.has_value()) found.push_back({*parsed, segment / name});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const FoundPartition& left, const FoundPartition& right) {
                     return left.name.value < right.name.value;
                   });
  return found;
}

// Numbers are years only where all of them have four digits.
Status settle_kind(std::vector<FoundPartition>& found) {
  const auto is_int = [](const FoundPartition& partition) { return partition.name.kind == &kInts; };
  if (std::any_of(found.begin(), found.end(), is_int)) {
    for (FoundPartition& partition : found) {
      if (partition.name.kind == &kYears) partition.name.kind = &kInts;
    }
  }
  for (std::size_t i = 1; i < found.size(); ++i) {
    const FoundPartition& left = found[i - 1];
    const FoundPartition& right = found[i];
    if (left.name.kind != right.name.kind) {
      return data_error(fmt::format("{}: a partition by {}, but {} is one by {}",
                                    right.path.string(), right.name.kind->field, left.path.string(),
                                    left.name.kind->field));
    }
    if (left.name.value == right.name.value) {
      return data_error(fmt::format("{}: the same partition as {}: not supported",
                                    right.path.string(), left.path.string()));
    }
  }
  return ok_status();
}

Result<std::vector<std::string>> find_splayed(const fs::path& root) {
  HDB_ASSIGN(const std::vector<std::string> names, list_directories(root));
  std::vector<std::string> splayed;
  for (const std::string& name : names) {
    std::error_code ignored;
    if (parse_partition_name(name).has_value()) continue;
    if (fs::is_regular_file(root / name / ".d", ignored)) splayed.push_back(name);
  }
  return splayed;
}

}  // namespace

Result<DatabaseLayout> read_database_layout(const fs::path& root) {
  std::error_code ignored;
  if (!fs::exists(root, ignored)) return data_error(root.string() + ": no such directory");
  if (!fs::is_directory(root, ignored)) {
    return data_error(root.string() + ": a file, but a database is a directory");
  }
  DatabaseLayout layout;
  layout.root = root;
  HDB_ASSIGN(layout.splayed, find_splayed(root));

  std::vector<fs::path> segments{root};
  const fs::path par = root / "par.txt";
  if (fs::exists(par, ignored)) {
    HDB_ASSIGN(segments, read_segments(root, par));
  }
  HDB_ASSIGN(std::vector<FoundPartition> found, find_partitions(segments));
  HDB_TRY(settle_kind(found));
  if (!found.empty()) {
    layout.partition_field = found.front().name.kind->field;
    layout.partition_type = found.front().name.kind->type;
  }
  layout.partitions.reserve(found.size());
  for (FoundPartition& partition : found) {
    HDB_ASSIGN(std::vector<std::string> entries, list_directories(partition.path));
    layout.partitions.push_back(
        {partition.name.value, std::move(partition.path), std::move(entries)});
  }
  return layout;
}

}  // namespace hdbench
