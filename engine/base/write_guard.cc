#include "engine/base/write_guard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <sstream>
#include <system_error>
#include <utility>

#include "engine/base/file_handle.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

constexpr int kLinksMax = 40;  // as the kernel allows
constexpr std::size_t kSegmentsMax = 10000;
constexpr std::size_t kGuardedParBytesMax = std::size_t{16} << 20;

// 2020.01.07, 2020.01, 2020 or another number. More names than kdb+ takes: a guard may be strict.
bool is_partition_name(std::string_view name) {
  return !name.empty() && name.front() >= '0' && name.front() <= '9' &&
         name.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_file(const fs::path& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool is_table(const fs::path& directory) { return is_file(directory / ".d"); }

// The first entry that holds, by name; entries that cannot be read are passed over.
template <typename Holds>
std::optional<std::string> find_entry(const fs::path& directory, const Holds& holds) {
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (holds(entry->path())) return entry->path().filename().string();
  }
  return std::nullopt;
}

std::string head_of(const fs::path& path) {
  const FileHandle file = open_read_only(path);
  std::array<char, 16> head{};
  const ssize_t count = file.is_open() ? ::read(file.descriptor(), head.data(), head.size()) : 0;
  return std::string(head.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
}

bool lies_below(const fs::path& path, const fs::path& directory) {
  return std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first ==
         directory.end();
}

// What a link in `directory` points to, where it is a directory.
void add_linked(const fs::path& directory, std::vector<fs::path>& parts) {
  (void)find_entry(directory, [&](const fs::path& entry) {
    std::error_code error;
    if (!fs::is_symlink(entry, error) || !fs::is_directory(entry, error)) return false;
    fs::path target = fs::canonical(entry, error);
    if (!error) parts.push_back(std::move(target));
    return false;
  });
}

void add_segments(const fs::path& root, std::vector<fs::path>& parts) {
  if (!is_file(root / "par.txt")) return;
  const Result<std::string> text = read_text(root / "par.txt", kGuardedParBytesMax);
  std::istringstream file(text.ok() ? *text : std::string());
  std::string line;
  for (std::size_t count = 0; count < kSegmentsMax && std::getline(file, line); ++count) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    std::error_code error;
    const fs::path segment = fs::weakly_canonical(root / line, error);
    if (!line.empty() && !error) parts.push_back(segment);
  }
}

// The directories that a database consists of: the root first, then those that lie elsewhere.
std::vector<fs::path> parts_of(const fs::path& root) {
  std::vector<fs::path> parts{root};
  add_segments(root, parts);
  const std::size_t segments = parts.size();
  for (std::size_t s = 0; s < segments; ++s) {
    const fs::path segment = parts[s];
    add_linked(segment, parts);
    (void)find_entry(segment, [&](const fs::path& entry) {
      if (is_partition_name(entry.filename().string())) add_linked(entry, parts);
      return false;
    });
  }
  return parts;
}

struct Inside {
  const fs::path& target;  // links resolved
  const fs::path& database;
};

Error inside(std::string_view flag, const fs::path& given, const Inside& found,
             std::string_view why) {
  const std::string where = found.target == found.database
                                ? std::string("is part of a database")
                                : "lies in the database " + found.database.string();
  return usage_error(
      fmt::format("{}: {} {}{}: give a path outside", flag, given.string(), where, why));
}

Result<ResolvedPath> resolved_of(std::string_view flag, const fs::path& target) {
  Result<ResolvedPath> resolved = resolve_path(target);
  if (resolved.ok()) return resolved;
  return usage_error(fmt::format("{}: {}", flag, resolved.error().message));
}

}  // namespace

Result<ResolvedPath> resolve_path(const fs::path& given) {
  std::error_code error;
  const fs::path whole = fs::absolute(given, error);
  if (error) return usage_error(fmt::format("{}: {}", given.string(), error.message()));
  std::deque<fs::path> rest(whole.begin(), whole.end());
  ResolvedPath resolved{"/", {"/"}};
  int links = 0;
  while (!rest.empty()) {
    const fs::path part = rest.front();
    rest.pop_front();
    if (part.empty() || part == "." || part == "/") continue;
    if (part == "..") {
      resolved.path = resolved.path.parent_path();
      continue;
    }
    const fs::path next = resolved.path / part;
    struct stat status = {};
    if (::lstat(next.c_str(), &status) != 0) {
      if (errno != ENOENT) {
        return usage_error(
            fmt::format("{}: {}", given.string(), std::generic_category().message(errno)));
      }
      resolved.path = next;
      continue;
    }
    if (S_ISLNK(status.st_mode)) {
      const fs::path target = fs::read_symlink(next, error);
      if (error || ++links > kLinksMax) {
        return usage_error(
            fmt::format("{}: {}", given.string(), error ? error.message() : "too many links"));
      }
      if (target.is_absolute()) resolved.path = "/";
      rest.insert(rest.begin(), target.begin(), target.end());
      continue;
    }
    resolved.path = next;
    if (S_ISDIR(status.st_mode)) resolved.directories.push_back(next);
  }
  return resolved;
}

bool begins_as_kdb_file(std::string_view head) {
  constexpr std::string_view kHeads[] = {"\xff\x01", "\xfe\x20", "kxzipped"};
  if (std::any_of(std::begin(kHeads), std::end(kHeads),
                  [&](std::string_view known) { return head.starts_with(known); })) {
    return true;
  }
  // fd 00 and fd 20: nested columns and their successors.
  return head.size() >= 2 && head[0] == '\xfd' && (head[1] == '\0' || head[1] == '\x20');
}

std::optional<std::string> why_database(const fs::path& directory) {
  if (is_table(directory)) return "it is a splayed table";
  if (is_file(directory / "par.txt")) return "it has a par.txt";
  if (begins_as_kdb_file(head_of(directory / "sym"))) return "it has a symbol file";
  if (const auto table = find_entry(directory, is_table)) {
    return fmt::format("{} in it is a splayed table", *table);
  }
  const auto partition = find_entry(directory, [](const fs::path& entry) {
    return is_partition_name(entry.filename().string()) && find_entry(entry, is_table);
  });
  if (partition) return fmt::format("{} in it is a partition", *partition);
  return std::nullopt;
}

Status check_outside_databases(std::string_view flag, const fs::path& target) {
  if (target.empty()) return ok_status();
  HDB_ASSIGN(const ResolvedPath resolved, resolved_of(flag, target));
  for (auto directory = resolved.directories.rbegin(); directory != resolved.directories.rend();
       ++directory) {
    if (const auto why = why_database(*directory)) {
      return inside(flag, target, {resolved.path, *directory}, fmt::format(" ({})", *why));
    }
  }
  return ok_status();
}

Status check_outside(std::string_view flag, const fs::path& target, const fs::path& database) {
  if (target.empty()) return ok_status();
  std::error_code error;
  const fs::path root = fs::canonical(database, error);
  if (error || !fs::is_directory(root, error)) return ok_status();  // whoever opens it says more
  HDB_ASSIGN(const ResolvedPath resolved, resolved_of(flag, target));
  for (const fs::path& part : parts_of(root)) {
    const bool is_below = lies_below(resolved.path, part) ||
                          std::find(resolved.directories.begin(), resolved.directories.end(),
                                    part) != resolved.directories.end();
    if (!is_below) continue;
    return inside(flag, target, {resolved.path, part},
                  part == root ? "" : fmt::format(" (a part of {})", root.string()));
  }
  return ok_status();
}

Result<fs::path> temporary_directory() {
  std::error_code error;
  fs::path directory = fs::temp_directory_path(error);
  if (error) {
    const char* const given = std::getenv("TMPDIR");
    return usage_error(fmt::format("TMPDIR: {}: {}: expected a directory for temporary files",
                                   given == nullptr ? "/tmp" : given, error.message()));
  }
  HDB_TRY(check_outside_databases("TMPDIR", directory));
  return directory;
}

}  // namespace hdbench
