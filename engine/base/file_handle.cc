#include "engine/base/file_handle.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace hdbench {

FileHandle::~FileHandle() {
  if (is_open()) ::close(descriptor_);
}

FileHandle::FileHandle(FileHandle&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Error file_error(const std::filesystem::path& path, std::string_view what, int error_number) {
  return data_error(fmt::format("{}: {}: {}", path.string(), what,
                                std::generic_category().message(error_number)));
}

Result<OpenFile> open_file(const std::filesystem::path& path) {
  OpenFile file;
  // Without O_NONBLOCK a FIFO would wait for its writer.
  file.handle = FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.handle.is_open()) return file_error(path, "cannot open", errno);
  struct stat status = {};
  if (::fstat(file.handle.descriptor(), &status) != 0) {
    return file_error(path, "cannot ask for its size", errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return data_error(fmt::format("{}: not a regular file", path.string()));
  }
  file.bytes = static_cast<std::size_t>(status.st_size);
  return file;
}

Status read_fully(const FileHandle& handle, std::uint64_t offset, std::span<std::byte> target,
                  const std::filesystem::path& path) {
  std::size_t done = 0;
  while (done < target.size()) {
    const ssize_t got = ::pread(handle.descriptor(), target.data() + done, target.size() - done,
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error(path, "cannot read", errno);
    if (got == 0) {
      return data_error(fmt::format("{}: ended at byte {}, expected {}", path.string(),
                                    offset + done, offset + target.size()));
    }
    done += static_cast<std::size_t>(got);
  }
  return ok_status();
}

}  // namespace hdbench
