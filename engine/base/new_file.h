// New files and directories under names that cannot be predicted.
//
// A predictable temporary name could be occupied by a symbolic link to another user's file. Names
// here are random, files are created with O_EXCL, and links are never followed; files that need no
// name have none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench {

// `prefix` and 16 hexadecimal digits from the kernel's random numbers.
std::string random_name(std::string_view prefix);

// A file in `directory`, for reading and writing, that has no name and goes when it is closed.
// Errors: kData, naming the directory: it is missing, no directory, or not writable.
Result<FileHandle> make_unnamed_file(const std::filesystem::path& directory);

// A new directory `prefix` + random in `parent`, for its owner alone. Errors: kData, naming the
// parent.
Result<std::filesystem::path> make_new_directory(const std::filesystem::path& parent,
                                                 std::string_view prefix);

// One file in a filesystem: what a name pointed to at some moment.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

// Where a name points to, links followed; nothing where nothing is there.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

// A file that gets its name only when it is complete. Unless published, it is removed on
// destruction; where the file system supports unnamed files, also when the process is killed.
class NewFile {
 public:
  // In the directory of `path`, which is not looked at. Errors: kData, naming path.
  static Result<NewFile> make(const std::filesystem::path& path, unsigned mode = 0666);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  // All of it, after what was written before. Errors: kData, naming path, what the system said.
  Status write(std::string_view text);
  // Puts the bytes and then the name on the device. `replaced`: the file that the name points to
  // now and that goes; nothing: the name must be free. Errors: kData: as write(), or the name
  // points to something else than expected; then it is left as it is.
  Status publish(const std::optional<FileIdentity>& replaced);

 private:
  NewFile(std::filesystem::path path, FileHandle directory);
  Status link_as(const std::string& name) const;
  Status take_place_of(const FileIdentity& replaced, const std::string& name);
  Error failed(std::string_view what, int error_number) const;

  std::filesystem::path path_;
  FileHandle directory_;
  FileHandle file_;
  std::string temporary_;  // its name until it is published; empty: it has none
};

}  // namespace hdbench
