#include "bench/storage/volumes/filled_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>

#include "engine/base/new_file.h"
#include "pmem/base/free_room.h"

namespace hdbench {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
constexpr std::size_t kZerosAlignBytes = 4096;

// Past the page cache where the filesystem can.
Status write_zeros(const FileHandle& file, const std::filesystem::path& directory,
                   std::uint64_t bytes, const std::atomic<bool>& stop) {
  const std::unique_ptr<void, void (*)(void*)> zeros(
      std::aligned_alloc(kZerosAlignBytes, kPieceBytes), std::free);
  std::fill_n(static_cast<char*>(zeros.get()), kPieceBytes, '\0');
  const int flags = fcntl(file.descriptor(), F_GETFL);
  (void)fcntl(file.descriptor(), F_SETFL, flags | O_DIRECT);
  for (std::uint64_t at = 0; at < bytes;) {
    if (stop.load()) return usage_error("interrupted");
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, bytes - at));
    const ssize_t done = pwrite(file.descriptor(), zeros.get(), piece, static_cast<off_t>(at));
    if (done <= 0) return file_error(directory, "cannot be filled", done == 0 ? ENOSPC : errno);
    at += static_cast<std::uint64_t>(done);
  }
  (void)fcntl(file.descriptor(), F_SETFL, flags);
  if (fsync(file.descriptor()) != 0) return file_error(directory, "cannot be synced", errno);
  return ok_status();
}

}  // namespace

Result<FileHandle> filled_file(const std::filesystem::path& directory, std::uint64_t bytes,
                               const std::atomic<bool>& stop) {
  HDB_TRY(require_room_on_disk(directory, bytes));
  HDB_ASSIGN(FileHandle file, make_unnamed_file(directory));
  HDB_TRY(write_zeros(file, directory, bytes, stop));
  return file;
}

}  // namespace hdbench
