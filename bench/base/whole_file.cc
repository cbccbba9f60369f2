#include "bench/base/whole_file.h"

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
  return ok_status();
}

Status write_whole_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path unfinished = fmt::format("{}.{}.part", path.string(), getpid());
  if (write_and_sync(unfinished, text) && std::rename(unfinished.c_str(), path.c_str()) == 0) {
    return ok_status();
  }
  const int error = errno;
  unlink(unfinished.c_str());
  return data_error(fmt::format("{}: {}", path.string(), std::strerror(error)));
}

}  // namespace hdbench
