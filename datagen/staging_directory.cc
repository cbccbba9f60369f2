#include "datagen/staging_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <set>
#include <string_view>
#include <utility>

#include "engine/base/file_handle.h"
#include "engine/base/new_file.h"
#include "engine/base/write_guard.h"

namespace hdbench::datagen {
namespace {

namespace fs = std::filesystem;

// Also true of a symbolic link to nowhere.
bool is_there(const fs::path& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0;
}

Status rename_durably(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    return file_error(to, fmt::format("cannot rename {} to it", from.string()), errno);
  }
  return flush_to_device(to.parent_path());
}

Status check_ours(const DatabasePaths& paths) {
  if (is_there(paths.manifest) || !is_there(paths.root)) return ok_status();
  return usage_error(
      fmt::format("{}: exists, but {} does not: only what this generator began can be resumed",
                  paths.root.string(), paths.manifest.string()));
}

// Every entry below the directory, parents before what is in them.
Result<std::vector<fs::path>> entries_below(const fs::path& directory) {
  std::vector<fs::path> entries;
  std::error_code error;
  fs::recursive_directory_iterator entry(directory, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    entries.push_back(entry->path());
  }
  if (!error) return entries;
  return data_error(fmt::format("{}: {}", directory.string(), error.message()));
}

// Looks at everything before it removes anything.
Status remove_claimed(const fs::path& directory, const std::vector<fs::path>& claimed) {
  HDB_ASSIGN(const std::vector<fs::path> entries, entries_below(directory));
  const std::set<fs::path> known(claimed.begin(), claimed.end());
  for (const fs::path& entry : entries) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(entry, error);
    const bool is_plain = fs::is_regular_file(status) || fs::is_directory(status);
    if (is_plain && known.count(entry.lexically_relative(directory)) != 0) continue;
    return usage_error(fmt::format(
        "{}: not made by this generator: remove it, or take another path", entry.string()));
  }
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    std::error_code error;
    fs::remove(*entry, error);
    if (error) return data_error(fmt::format("{}: {}", entry->string(), error.message()));
  }
  return ok_status();
}

}  // namespace

Status make_directory(const fs::path& path) {
  if (::mkdir(path.c_str(), 0755) != 0) return file_error(path, "cannot create", errno);
  return ok_status();
}

Status flush_to_device(const fs::path& path) {
  const FileHandle file = open_read_only(path);
  if (!file.is_open()) return file_error(path, "cannot open", errno);
  if (::fsync(file.descriptor()) != 0) return file_error(path, "cannot flush", errno);
  return ok_status();
}

Result<DatabasePaths> database_paths(const fs::path& db) {
  std::error_code error;
  HDB_ASSIGN(const ResolvedPath resolved, resolve_path(db));
  const fs::path& root = resolved.path;
  if (!root.has_filename()) {
    return usage_error(fmt::format("{}: not a path for a database", db.string()));
  }
  HDB_TRY(check_outside_databases("DB", root.parent_path()));
  if (!fs::is_directory(root.parent_path(), error)) {
    return data_error(fmt::format("{}: no such directory, so no database can be made in it",
                                  root.parent_path().string()));
  }
  DatabasePaths paths{.root = root, .partial = root, .manifest = root};
  paths.partial += ".partial";
  paths.manifest += ".manifest.json";
  return paths;
}

Result<StagingDirectory> StagingDirectory::create(const DatabasePaths& paths,
                                                  std::string_view what_to_do) {
  for (const fs::path& path : {paths.root, paths.manifest, paths.partial}) {
    if (!is_there(path)) continue;
    return usage_error(fmt::format("{}: exists: {}", path.string(), what_to_do));
  }
  StagingDirectory site(paths);
  HDB_TRY(site.make_and_lock());
  return site;
}

Result<StagingDirectory> StagingDirectory::resume(const DatabasePaths& paths,
                                                  const std::vector<fs::path>& claimed) {
  HDB_TRY(check_ours(paths));
  StagingDirectory site(paths);
  HDB_TRY(is_there(paths.partial) ? site.lock() : site.make_and_lock());
  site.began_empty_ = false;
  HDB_TRY(remove_claimed(paths.partial, claimed));
  site.began_empty_ = true;
  return site;
}

StagingDirectory::~StagingDirectory() {
  if (!lock_.is_open()) return;
  std::error_code error;
  if (began_empty_) fs::remove_all(paths_.partial, error);
  // What could not be looked into at once may be a moment later.
  if (error) fs::remove_all(paths_.partial, error);
}

Status StagingDirectory::make_and_lock() {
  HDB_TRY(make_directory(paths_.partial));
  const Status locked = lock();
  if (!locked.ok()) ::rmdir(paths_.partial.c_str());
  return locked;
}

Status StagingDirectory::lock() {
  FileHandle directory(
      ::open(paths_.partial.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory.is_open()) return file_error(paths_.partial, "cannot open", errno);
  if (::flock(directory.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    return usage_error(
        fmt::format("{}: another process is making this database", paths_.partial.string()));
  }
  lock_ = std::move(directory);
  return ok_status();
}

Status StagingDirectory::save_manifest(const std::string& text) {
  const fs::path fresh = paths_.partial / kManifestName;
  HDB_ASSIGN(NewFile file, NewFile::make(fresh));
  HDB_TRY(file.write(text));
  HDB_TRY(file.publish(std::nullopt));
  return rename_durably(fresh, paths_.manifest);
}

Status StagingDirectory::make_root() {
  if (is_there(paths_.root)) return ok_status();
  HDB_TRY(make_directory(paths_.root));
  return flush_to_device(paths_.root.parent_path());
}

Status StagingDirectory::publish(const std::string& name) {
  return rename_durably(paths_.partial / name, paths_.root / name);
}

Status StagingDirectory::publish_whole() {
  HDB_TRY(flush_to_device(paths_.partial));
  const char* const from = paths_.partial.c_str();
  const char* const to = paths_.root.c_str();
  bool renamed = ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;
  // A filesystem that does not know the flag: an empty directory made meanwhile would be replaced.
  if (!renamed && (errno == EINVAL || errno == ENOSYS) && !is_there(paths_.root)) {
    renamed = ::rename(from, to) == 0;
  }
  if (!renamed) {
    return file_error(paths_.root, fmt::format("cannot rename {} to it", paths_.partial.string()),
                      errno);
  }
  began_empty_ = false;
  return flush_to_device(paths_.root.parent_path());
}

Result<std::uint64_t> StagingDirectory::free_bytes() const {
  struct statvfs status;
  if (::statvfs(paths_.partial.c_str(), &status) != 0) {
    return file_error(paths_.partial, "cannot ask for free space", errno);
  }
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

}  // namespace hdbench::datagen
