// A file descriptor that closes itself, and the file operations that several media need.
//
// A user's database is opened read-only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

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

 private:
  int descriptor_ = -1;
};

struct OpenFile {
  FileHandle handle;
  std::size_t bytes = 0;
};

// A regular file, for reading. Errors: kData, naming the path.
Result<OpenFile> open_file(const std::filesystem::path& path);

// Reads target.size() bytes from `offset` on. Errors: kData when the file ends early, with both
// figures.
Status read_fully(const FileHandle& handle, std::uint64_t offset, std::span<std::byte> target,
                  const std::filesystem::path& path);

// `path: what: No such file or directory`, for the errno given.
Error file_error(const std::filesystem::path& path, std::string_view what, int error_number);

}  // namespace hdbench
