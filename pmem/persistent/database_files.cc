#include "pmem/persistent/database_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "engine/base/file_handle.h"

namespace hdbench::pmem {
namespace {

constexpr std::size_t kHeadBytes = 4096;

Result<ImageFile> look_at(const std::filesystem::path& path, const std::filesystem::path& root) {
  HDB_ASSIGN(const OpenFile file, open_file(path));
  struct stat status = {};
  if (::fstat(file.handle.descriptor(), &status) != 0) {
    return file_error(path, "cannot ask for its time", errno);
  }
  std::array<std::byte, kHeadBytes> head;
  const auto looked_at = std::span(head).first(std::min(kHeadBytes, file.bytes));
  HDB_TRY(read_fully(file.handle, 0, looked_at, path));
  ImageFile found;
  found.path = path.lexically_relative(root).string();
  found.bytes = file.bytes;
  found.modified_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  found.head_hash = hash_of(looked_at);
  return found;
}

}  // namespace

Result<std::vector<ImageFile>> list_database_files(const std::filesystem::path& root) {
  std::error_code failed;
  std::vector<std::filesystem::path> paths;
  std::filesystem::recursive_directory_iterator walk(root, failed);
  for (; !failed && walk != std::filesystem::recursive_directory_iterator();
       walk.increment(failed)) {
    std::error_code ignored;
    if (walk->is_regular_file(ignored)) paths.push_back(walk->path());
  }
  if (failed) return data_error(fmt::format("{}: {}", root.string(), failed.message()));
  std::sort(paths.begin(), paths.end());
  std::vector<ImageFile> files;
  for (const std::filesystem::path& path : paths) {
    HDB_ASSIGN(ImageFile file, look_at(path, root));
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace hdbench::pmem
