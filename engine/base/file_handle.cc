#include "engine/base/file_handle.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

FileHandle open_read_only(const std::filesystem::path& path, int how) {
  // Without O_NONBLOCK a FIFO would wait for its writer.
  return FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | (how & O_DIRECT)));
}

Result<OpenFile> open_file(const std::filesystem::path& path) {
  OpenFile file;
  file.handle = open_read_only(path);
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

Result<std::span<std::byte>> map_read_only(const OpenFile& file,
                                           const std::filesystem::path& path) {
  void* address = ::mmap(nullptr, file.bytes, PROT_READ, MAP_SHARED, file.handle.descriptor(), 0);
  if (address == MAP_FAILED) return file_error(path, "cannot map", errno);
  return std::span(static_cast<std::byte*>(address), file.bytes);
}

Result<std::string> read_text(const std::filesystem::path& path, std::size_t bytes_max) {
  HDB_ASSIGN(const OpenFile file, open_file(path));
  const auto too_long = [&](std::size_t bytes) {
    return data_error(
        fmt::format("{}: {} bytes, expected at most {}", path.string(), bytes, bytes_max));
  };
  if (file.bytes > bytes_max) return too_long(file.bytes);
  // To its end, not to the length that fstat() gives: files of the kernel have none, others grow.
  constexpr std::size_t kPieceBytes = 64 << 10;
  std::string text;
  for (std::size_t done = 0;;) {
    text.resize(std::max(done + kPieceBytes, file.bytes + 1));
    const ssize_t got = ::pread(file.handle.descriptor(), text.data() + done, text.size() - done,
                                static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error(path, "cannot read", errno);
    done += static_cast<std::size_t>(got);
    if (done > bytes_max) return too_long(done);
    if (got > 0) continue;
    text.resize(done);
    return text;
  }
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
