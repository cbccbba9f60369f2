#include "bench/base/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace hdbench {
namespace {

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::filesystem::path unfinished_of(const std::filesystem::path& path) {
  return fmt::format("{}.{}.part", path.string(), getpid());
}

bool write_and_sync(const std::filesystem::path& path, std::string_view text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
                       std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  const int error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written) errno = error;
  return written && closed;
}

}  // namespace

Status check_writable(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path directory = directory_of(path);
  if (!std::filesystem::is_directory(directory, error)) {
    return usage_error(fmt::format("{}: no directory {}", path.string(), directory.string()));
  }
  if (std::filesystem::is_directory(path, error)) {
    return usage_error(fmt::format("{}: is a directory, a file is expected", path.string()));
  }
  if (access(directory.c_str(), W_OK) != 0) {
    return usage_error(fmt::format("{}: {}", directory.string(), std::strerror(errno)));
  }
  // There are directories (of the kernel's) that one may write, and no file can be made in.
  const std::filesystem::path unfinished = unfinished_of(path);
  const int file =
      open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file < 0 && errno == EEXIST) return ok_status();  // left by a process of this number
  if (file < 0) return usage_error(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  close(file);
  unlink(unfinished.c_str());
  return ok_status();
}

Status write_whole_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path unfinished = unfinished_of(path);
  if (write_and_sync(unfinished, text) && std::rename(unfinished.c_str(), path.c_str()) == 0) {
    return ok_status();
  }
  const int error = errno;
  unlink(unfinished.c_str());
  return data_error(fmt::format("{}: {}", path.string(), std::strerror(error)));
}

}  // namespace hdbench
