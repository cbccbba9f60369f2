#include "engine/base/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <utility>

namespace hdbench {
namespace {

constexpr std::string_view kPrefix = ".hdbench-";
constexpr int kAttemptsMax = 16;

// Filesystems without unnamed files say so in one of these ways.
bool has_no_unnamed_files(int error_number) {
  return error_number == EOPNOTSUPP || error_number == EISDIR || error_number == EINVAL ||
         error_number == ENOENT;
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

struct NamedFile {
  FileHandle handle;
  std::string name;
};

// An error leaves the handle closed and errno set.
NamedFile make_named(int directory, unsigned mode) {
  NamedFile made;
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    made.name = random_name(kPrefix);
    made.handle = FileHandle(::openat(directory, made.name.c_str(),
                                      O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (made.handle.is_open() || errno != EEXIST) return made;
  }
  return made;
}

std::string path_of(const FileHandle& file) {
  return fmt::format("/proc/self/fd/{}", file.descriptor());
}

std::optional<FileIdentity> identity_at(int directory, const std::string& name, int flags) {
  struct stat status = {};
  if (::fstatat(directory, name.c_str(), &status, flags) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

}  // namespace

std::string random_name(std::string_view prefix) {
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof(bits), 0) != static_cast<ssize_t>(sizeof(bits))) {
    std::random_device device;
    bits = std::uint64_t{device()} << 32 | device();
  }
  return fmt::format("{}{:016x}", prefix, bits);
}

Result<FileHandle> make_unnamed_file(const std::filesystem::path& directory) {
  FileHandle file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.is_open()) return file;
  if (!has_no_unnamed_files(errno)) return file_error(directory, "cannot make a file", errno);
  const FileHandle opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return file_error(directory, "cannot make a file", errno);
  NamedFile named = make_named(opened.descriptor(), 0600);
  if (!named.handle.is_open()) return file_error(directory, "cannot make a file", errno);
  ::unlinkat(opened.descriptor(), named.name.c_str(), 0);
  return std::move(named.handle);
}

Result<std::filesystem::path> make_new_directory(const std::filesystem::path& parent,
                                                 std::string_view prefix) {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    std::filesystem::path path = parent / random_name(prefix);
    if (::mkdir(path.c_str(), 0700) == 0) return path;
    if (errno != EEXIST) break;
  }
  return file_error(parent, "cannot make a directory in it", errno);
}

std::optional<FileIdentity> identity_of(const std::filesystem::path& path) {
  return identity_at(AT_FDCWD, path.string(), 0);
}

NewFile::NewFile(std::filesystem::path path, FileHandle directory)
    : path_(std::move(path)), directory_(std::move(directory)) {}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      directory_(std::move(other.directory_)),
      file_(std::move(other.file_)),
      temporary_(std::exchange(other.temporary_, {})) {}

NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlinkat(directory_.descriptor(), temporary_.c_str(), 0);
}

Error NewFile::failed(std::string_view what, int error_number) const {
  return file_error(path_, what, error_number);
}

Result<NewFile> NewFile::make(const std::filesystem::path& path, unsigned mode) {
  const std::filesystem::path directory = directory_of(path);
  NewFile made(path, FileHandle(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  if (!made.directory_.is_open()) return made.failed("cannot open its directory", errno);
  made.file_ =
      FileHandle(::openat(made.directory_.descriptor(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
  if (made.file_.is_open()) return made;
  if (!has_no_unnamed_files(errno)) return made.failed("cannot be made", errno);
  NamedFile named = make_named(made.directory_.descriptor(), mode);
  if (!named.handle.is_open()) return made.failed("cannot be made", errno);
  made.file_ = std::move(named.handle);
  made.temporary_ = std::move(named.name);
  return made;
}

Status NewFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_.descriptor(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failed("cannot be written", written == 0 ? ENOSPC : errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ok_status();
}

// Gives the file a name that is free.
Status NewFile::link_as(const std::string& name) const {
  const bool is_unnamed = temporary_.empty();
  const std::string from = is_unnamed ? path_of(file_) : temporary_;
  if (::linkat(is_unnamed ? AT_FDCWD : directory_.descriptor(), from.c_str(),
               directory_.descriptor(), name.c_str(), is_unnamed ? AT_SYMLINK_FOLLOW : 0) == 0) {
    return ok_status();
  }
  // Filesystems without hard links can still rename, and need not replace.
  if (!is_unnamed && (errno == EPERM || errno == EOPNOTSUPP) &&
      ::renameat2(directory_.descriptor(), from.c_str(), directory_.descriptor(), name.c_str(),
                  RENAME_NOREPLACE) == 0) {
    return ok_status();
  }
  return failed("cannot be made", errno);
}

Status NewFile::take_place_of(const FileIdentity& replaced, const std::string& name) {
  struct stat status = {};
  if (::fstatat(directory_.descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return failed("has gone while it was to be replaced", errno);
  }
  if (FileIdentity{status.st_dev, status.st_ino} != replaced) {
    return data_error(path_.string() + ": another file took its place: not replaced");
  }
  ::fchmod(file_.descriptor(), status.st_mode & 07777);
  if (temporary_.empty()) {
    std::string temporary = random_name(kPrefix);
    HDB_TRY(link_as(temporary));
    temporary_ = std::move(temporary);  // a copy may find no memory, and leave the name behind
  }
  if (::renameat(directory_.descriptor(), temporary_.c_str(), directory_.descriptor(),
                 name.c_str()) != 0) {
    return failed("cannot be replaced", errno);
  }
  temporary_.clear();
  return ok_status();
}

Status NewFile::publish(const std::optional<FileIdentity>& replaced) {
  if (::fsync(file_.descriptor()) != 0) return failed("cannot be written", errno);
  const std::string name = path_.filename().string();
  if (replaced) {
    HDB_TRY(take_place_of(*replaced, name));
  } else {
    HDB_TRY(link_as(name));
    if (!temporary_.empty()) ::unlinkat(directory_.descriptor(), temporary_.c_str(), 0);
    temporary_.clear();
  }
  // Some filesystems (of networks) cannot sync a directory: the file is there all the same.
  (void)::fsync(directory_.descriptor());
  return ok_status();
}

}  // namespace hdbench
