#include "datagen/build_site.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace hdbench::datagen {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kManifestInPartial = "manifest.json";

Error system_error(const fs::path& path, std::string_view what) {
  return data_error(fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno)));
}

// Also true of a symbolic link to nowhere.
bool is_there(const fs::path& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0;
}

Status rename_durably(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    return system_error(to, fmt::format("cannot rename {} to it", from.string()));
  }
  return flush_to_device(to.parent_path());
}

Status make_directory(const fs::path& path) {
  if (::mkdir(path.c_str(), 0755) != 0) return system_error(path, "cannot create");
  return ok_status();
}

Status write_file(const fs::path& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return system_error(path, "cannot create");
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(fd, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      const Error error = data_error(fmt::format("{}: {} after {} of {} bytes", path.string(),
                                                 std::strerror(errno), done, text.size()));
      ::close(fd);
      return error;
    }
    done += static_cast<std::size_t>(wrote);
  }
  const bool flushed = ::fsync(fd) == 0;
  const int failure = errno;
  if (::close(fd) != 0 || !flushed) {
    if (!flushed) errno = failure;
    return system_error(path, "cannot flush");
  }
  return ok_status();
}

// Without a manifest, a killed run can have left DB.partial with a manifest in it and nothing else.
Status check_ours(const DatabasePaths& paths) {
  if (is_there(paths.manifest)) return ok_status();
  if (is_there(paths.root)) {
    return usage_error(
        fmt::format("{}: exists, but {} does not: only what this generator began "
                    "can be resumed",
                    paths.root.string(), paths.manifest.string()));
  }
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(paths.partial, error)) {
    if (entry.path().filename() == kManifestInPartial) continue;
    return usage_error(
        fmt::format("{}: not made by this generator: remove it, or take another "
                    "path",
                    entry.path().string()));
  }
  return ok_status();
}

Status empty_directory(const fs::path& directory) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    fs::remove_all(entry.path(), error);
    if (error) break;
  }
  if (!error) return ok_status();
  return data_error(fmt::format("{}: cannot be emptied: {}", directory.string(), error.message()));
}

}  // namespace

Status flush_to_device(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return system_error(path, "cannot open");
  const bool flushed = ::fsync(fd) == 0;
  const int failure = errno;
  ::close(fd);
  errno = failure;
  if (!flushed) return system_error(path, "cannot flush");
  return ok_status();
}

Result<DatabasePaths> database_paths(const fs::path& db) {
  std::error_code error;
  fs::path root = fs::absolute(db, error).lexically_normal();
  if (!root.has_filename()) root = root.parent_path();
  if (error || !root.has_filename() || root.filename() == "..") {
    return usage_error(fmt::format("{}: not a path for a database", db.string()));
  }
  if (!fs::is_directory(root.parent_path(), error)) {
    return data_error(fmt::format("{}: no such directory, so no database can be made in it",
                                  root.parent_path().string()));
  }
  DatabasePaths paths{.root = root, .partial = root, .manifest = root};
  paths.partial += ".partial";
  paths.manifest += ".manifest.json";
  return paths;
}

Result<BuildSite> BuildSite::create(const DatabasePaths& paths) {
  for (const fs::path& path : {paths.root, paths.manifest, paths.partial}) {
    if (!is_there(path)) continue;
    return usage_error(
        fmt::format("{}: exists: use --resume to complete it, or another path", path.string()));
  }
  BuildSite site(paths);
  HDB_TRY(make_directory(paths.partial));
  HDB_TRY(site.lock());
  return site;
}

Result<BuildSite> BuildSite::resume(const DatabasePaths& paths) {
  HDB_TRY(check_ours(paths));
  BuildSite site(paths);
  if (!is_there(paths.partial)) HDB_TRY(make_directory(paths.partial));
  HDB_TRY(site.lock());
  HDB_TRY(empty_directory(paths.partial));
  return site;
}

BuildSite::BuildSite(BuildSite&& other) noexcept
    : paths_(std::move(other.paths_)), lock_fd_(std::exchange(other.lock_fd_, -1)) {}

BuildSite::~BuildSite() {
  if (lock_fd_ < 0) return;
  std::error_code ignored;
  std::filesystem::remove_all(paths_.partial, ignored);
  ::close(lock_fd_);
}

Status BuildSite::lock() {
  const int fd = ::open(paths_.partial.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return system_error(paths_.partial, "cannot open");
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    ::close(fd);
    return usage_error(
        fmt::format("{}: another process is making this database", paths_.partial.string()));
  }
  lock_fd_ = fd;
  return ok_status();
}

Status BuildSite::save_manifest(const std::string& text) {
  const fs::path fresh = paths_.partial / kManifestInPartial;
  HDB_TRY(write_file(fresh, text));
  return rename_durably(fresh, paths_.manifest);
}

Status BuildSite::make_root() {
  if (is_there(paths_.root)) return ok_status();
  HDB_TRY(make_directory(paths_.root));
  return flush_to_device(paths_.root.parent_path());
}

Status BuildSite::publish(const std::string& name) {
  return rename_durably(paths_.partial / name, paths_.root / name);
}

Result<std::uint64_t> BuildSite::free_bytes() const {
  struct statvfs status;
  if (::statvfs(paths_.partial.c_str(), &status) != 0) {
    return system_error(paths_.partial, "cannot ask for free space");
  }
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

}  // namespace hdbench::datagen
