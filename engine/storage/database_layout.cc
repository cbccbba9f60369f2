#include "engine/storage/database_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "engine/base/file_handle.h"
#include "engine/column/calendar.h"
#include "engine/column/format_value.h"
#include "engine/storage/plain_file.h"
#include "engine/storage/symbol_list.h"

namespace hdbench {
namespace {

constexpr std::size_t kParBytesMax = std::size_t{16} << 20;

namespace fs = std::filesystem;

// The kinds of partitions, distinguished by how their directories are named.
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

// What a directory holds, without what kdb+ ignores.
struct Listing {
  std::vector<std::string> directories;                    // sorted
  std::map<std::string, std::string, std::less<>> broken;  // as PartitionDirectory's
};

// Path and reason of what is no directory.
std::string why_no_directory(const fs::directory_entry& entry) {
  const std::string path = entry.path().string();
  std::error_code error;
  const fs::file_type type = entry.status(error).type();
  if (const auto link = dangling_link(entry.path())) return *link;
  if (type == fs::file_type::none) return fmt::format("{}: {}", path, error.message());
  return path + ": a file in the place of a directory";
}

Result<Listing> list_entries(const fs::path& path) {
  Listing listing;
  std::error_code error;
  fs::directory_iterator entry(path, error);
  if (error) return data_error(fmt::format("{}: {}", path.string(), error.message()));
  while (entry != fs::directory_iterator()) {
    std::error_code ignored;
    std::string name = entry->path().filename().string();
    if (!is_ignored(name) && entry->is_directory(ignored)) {
      listing.directories.push_back(std::move(name));
    } else if (!is_ignored(name)) {
      listing.broken.emplace(std::move(name), why_no_directory(*entry));
    }
    entry.increment(error);
    if (error) return data_error(fmt::format("{}: {}", path.string(), error.message()));
  }
  std::sort(listing.directories.begin(), listing.directories.end());
  return listing;
}

// What is wrong with a layout: the error of its reading, or tolerated, a line of its problems.
struct Problems {
  bool tolerates = false;
  std::vector<std::string>& lines;

  Status meet(std::string problem) const {
    if (!tolerates) return data_error(std::move(problem));
    lines.push_back(std::move(problem));
    return ok_status();
  }
};

// The path of a line, without the blanks around it, as q reads it, and without a handle's colon.
// Errors: what cannot be a directory's path.
Result<std::string> segment_of(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
  line.erase(line.find_last_not_of(' ') + 1);
  for (const char c : {'\0', '\r'}) {
    if (line.find(c) == line.npos) continue;
    return data_error(fmt::format("byte 0x{:02x} within a path", static_cast<int>(c)));
  }
  if (line.starts_with('`')) {
    return data_error(line +
                      ": a line is a path (/data/one) or a handle (:/data/one), without a "
                      "backtick");
  }
  if (line.starts_with(':')) line.erase(0, 1);
  for (const char* scheme : {"s3://", "gs://", "ms://"}) {
    if (!line.starts_with(scheme)) continue;
    return data_error(line + ": object storage is not read: give a directory that has it");
  }
  return line;
}

// The directories that par.txt names, one a line, as they stand or relative to the root; q's
// handles (`:/data/one`) too.
Result<std::vector<fs::path>> read_segments(const fs::path& root, const fs::path& par,
                                            const Problems& problems) {
  HDB_ASSIGN(const std::string text, read_text(par, kParBytesMax));
  std::istringstream file(text);
  std::vector<fs::path> segments;
  std::map<fs::path, int> lines;  // of each segment
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const Result<std::string> path = segment_of(line);
    if (!path.ok()) {
      HDB_TRY(problems.meet(
          fmt::format("{}: line {}: {}", par.string(), number, path.error().message)));
      continue;
    }
    if (path->empty()) continue;
    const fs::path segment = root / *path;
    std::error_code ignored;
    if (!fs::is_directory(segment, ignored)) {
      HDB_TRY(problems.meet(
          fmt::format("{}: line {}: no directory {}", par.string(), number, segment.string())));
      continue;
    }
    const auto [first, is_new] = lines.try_emplace(fs::canonical(segment, ignored), number);
    if (!is_new) {
      HDB_TRY(problems.meet(fmt::format("{}: line {}: the directory {} again, which is line {}'s",
                                        par.string(), number, segment.string(), first->second)));
      continue;
    }
    segments.push_back(segment);
  }
  if (segments.empty()) HDB_TRY(problems.meet(par.string() + ": no segment in it"));
  return segments;
}

struct FoundPartition {
  PartitionName name;
  fs::path path;
  std::string unreadable;  // as PartitionDirectory's
};

// Digits and dots that begin as a date does.
bool looks_dated(std::string_view name) {
  return name.size() > 5 && name[4] == '.' &&
         name.find_first_not_of("0123456789.") == std::string_view::npos;
}

std::string why_no_date(std::string_view name) {
  const auto padded = padded_date(name);
  if (!padded || !is_partition_name(*padded)) return "not a date of the calendar";
  return fmt::format("months and days have two digits ({})", *padded);
}

Result<std::vector<FoundPartition>> find_partitions(const std::vector<fs::path>& segments,
                                                    std::vector<std::string>& notes,
                                                    const Problems& problems) {
  std::vector<FoundPartition> found;
  for (const fs::path& segment : segments) {
    const auto take = [&](const std::string& name, const std::string& unreadable) {
      const auto parsed = parse_partition_name(name);
      if (parsed) found.push_back({*parsed, segment / name, unreadable});
      if (!parsed && looks_dated(name)) {
        notes.push_back(
            fmt::format("{}: {}, so no partition", (segment / name).string(), why_no_date(name)));
      }
    };
    const Result<Listing> listing = list_entries(segment);
    if (!listing.ok()) {
      HDB_TRY(problems.meet(listing.error().message));
      continue;
    }
    for (const std::string& name : listing->directories) take(name, "");
    for (const auto& [name, why] : listing->broken) take(name, why);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const FoundPartition& left, const FoundPartition& right) {
                     return left.name.value < right.name.value;
                   });
  return found;
}

// Numbers are years only where all of them have four digits. What cannot be read is a partition
// where the others are of its kind, or where it has a date's name and there are no others.
Status settle_kind(std::vector<FoundPartition>& found, const Problems& problems) {
  const auto is_readable = [](const FoundPartition& partition) {
    return partition.unreadable.empty();
  };
  const auto is_int = [&](const FoundPartition& partition) {
    return is_readable(partition) && partition.name.kind == &kInts;
  };
  if (std::any_of(found.begin(), found.end(), is_int)) {
    for (FoundPartition& partition : found) {
      if (partition.name.kind == &kYears) partition.name.kind = &kInts;
    }
  }
  // What most are is right, or the first of as many.
  std::map<const PartitionKind*, std::size_t> counts;
  for (const FoundPartition& partition : found) {
    if (is_readable(partition)) ++counts[partition.name.kind];
  }
  // Where none can be read, what links to nowhere stand for.
  for (const FoundPartition& partition : found) {
    std::error_code ignored;
    const bool is_alone = std::none_of(found.begin(), found.end(), is_readable);
    if (is_alone && fs::is_symlink(partition.path, ignored)) ++counts[partition.name.kind];
  }
  const PartitionKind* kind = counts.empty() ? &kDates : nullptr;
  for (const FoundPartition& partition : found) {
    if (counts[partition.name.kind] > counts[kind]) kind = partition.name.kind;
  }
  const auto first = std::find_if(found.begin(), found.end(), [&](const FoundPartition& one) {
    return is_readable(one) && one.name.kind == kind;
  });
  for (const FoundPartition& partition : found) {
    if (!is_readable(partition) || partition.name.kind == kind) continue;
    HDB_TRY(problems.meet(fmt::format("{}: a partition by {}, but {} is one by {}",
                                      partition.path.string(), partition.name.kind->field,
                                      first->path.string(), kind->field)));
  }
  std::erase_if(found,
                [&](const FoundPartition& partition) { return partition.name.kind != kind; });
  return ok_status();
}

// 1 and 01 in one directory are one number: which of them the other replaces nobody can tell.
// Segments may share a partition.
Status check_once(std::vector<FoundPartition>& found, const Problems& problems) {
  for (std::size_t at = 1; at < found.size();) {
    const FoundPartition& before = found[at - 1];
    const FoundPartition& one = found[at];
    const bool is_twice =
        before.name.value == one.name.value && before.path.parent_path() == one.path.parent_path();
    if (is_twice) {
      HDB_TRY(
          problems.meet(fmt::format("{}: the {} {} again, which is {} already", one.path.string(),
                                    one.name.kind->field, one.name.value, before.path.string())));
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      ++at;
    }
  }
  return ok_status();
}

std::vector<std::string> find_splayed(const fs::path& root, const Listing& listing) {
  std::vector<std::string> splayed;
  for (const std::string& name : listing.directories) {
    const bool is_splayed = !parse_partition_name(name) && has_columns(root / name);
    if (is_splayed) splayed.push_back(name);
  }
  return splayed;
}

}  // namespace

bool is_partition_name(std::string_view name) { return parse_partition_name(name).has_value(); }

bool has_columns(const fs::path& directory) {
  std::error_code ignored;
  return fs::is_regular_file(directory / ".d", ignored);
}

Result<DatabaseLayout> read_database_layout(const fs::path& root, bool tolerates) {
  std::error_code ignored;
  if (!fs::exists(root, ignored)) return data_error(root.string() + ": no such directory");
  if (!fs::is_directory(root, ignored)) {
    return data_error(root.string() + ": a file, but a database is a directory");
  }
  DatabaseLayout layout;
  layout.root = root;
  const Problems problems{tolerates, layout.problems};
  HDB_ASSIGN(const Listing listing, list_entries(root));
  layout.splayed = find_splayed(root, listing);
  for (const auto& [name, why] : listing.broken) {
    const bool leads_nowhere = dangling_link(root / name).has_value();
    if (leads_nowhere && !parse_partition_name(name)) layout.broken.emplace(name, why);
  }

  std::vector<fs::path> segments{root};
  const fs::path par = root / "par.txt";
  if (fs::exists(fs::symlink_status(par, ignored))) {
    HDB_ASSIGN(segments, read_segments(root, par, problems));
  }
  HDB_ASSIGN(std::vector<FoundPartition> found, find_partitions(segments, layout.notes, problems));
  HDB_TRY(settle_kind(found, problems));
  HDB_TRY(check_once(found, problems));
  if (!found.empty()) {
    layout.partition_field = found.front().name.kind->field;
    layout.partition_type = found.front().name.kind->type;
  }
  layout.partitions.reserve(found.size());
  for (FoundPartition& partition : found) {
    PartitionDirectory directory{
        partition.name.value, std::move(partition.path), {}, std::move(partition.unreadable)};
    if (directory.unreadable.empty()) {
      Result<Listing> entries = list_entries(directory.path);
      if (entries.ok()) {
        directory.entries = std::move(entries->directories);
        directory.broken = std::move(entries->broken);
      } else {
        directory.unreadable = entries.error().message;
      }
    }
    layout.partitions.push_back(std::move(directory));
  }
  return layout;
}

}  // namespace hdbench
