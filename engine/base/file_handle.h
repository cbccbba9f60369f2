// A file descriptor that closes itself, and how files of a user are read.
//
// A database is opened and mapped here and nowhere else: for reading only, whatever this process
// may do. tests/read_only.py holds it against the system calls of every
// command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace hdbench {

class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
  ~FileHandle();
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&& other) noexcept;
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  // The caller closes it.
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_ = -1;
};

struct OpenFile {
  FileHandle handle;
  std::size_t bytes = 0;
};

// A file, for reading; `how` adds O_DIRECT or nothing. Not open where it cannot be opened: errno
// says why. Waits for nobody: a FIFO without a writer is open at once.
FileHandle open_read_only(const std::filesystem::path& path, int how = 0);

// A regular file, for reading. Errors: kData, naming the path.
Result<OpenFile> open_file(const std::filesystem::path& path);

// The file's bytes, mapped for reading from the page cache. Requires: not empty. Errors: kData,
// naming the path.
Result<std::span<std::byte>> map_read_only(const OpenFile& file, const std::filesystem::path& path);

// The whole text of a regular file that a person wrote, or a program for one. Errors: kData,
// naming the path: open_file()'s; longer than bytes_max, with both figures; it cannot be read.
Result<std::string> read_text(const std::filesystem::path& path, std::size_t bytes_max);

// Reads target.size() bytes from `offset` on. Errors: kData when the file ends early, with both
// figures.
Status read_fully(const FileHandle& handle, std::uint64_t offset, std::span<std::byte> target,
                  const std::filesystem::path& path);

// `path: what: No such file or directory`, for the errno given.
Error file_error(const std::filesystem::path& path, std::string_view what, int error_number);

}  // namespace hdbench
