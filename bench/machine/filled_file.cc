#include "bench/machine/filled_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <random>
#include <span>

#include "engine/base/new_file.h"
#include "pmem/base/free_room.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;

Status fill(const FileHandle& file, const std::filesystem::path& directory, std::uint64_t bytes,
            const std::atomic<bool>& stop) {
  std::mt19937_64 random(0x9e3779b97f4a7c15u);
  HDB_ASSIGN(const Region room, map_huge_memory(kPieceBytes));
  const std::span words(reinterpret_cast<std::uint64_t*>(room.bytes.data()), kPieceBytes / 8);
  const int flags = fcntl(file.descriptor(), F_GETFL);
  (void)fcntl(file.descriptor(), F_SETFL, flags | O_DIRECT);
  for (std::uint64_t at = 0; at < bytes;) {
    if (stop.load()) return usage_error("interrupted");
    std::generate(words.begin(), words.end(), std::ref(random));
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, bytes - at));
    const ssize_t done = pwrite(file.descriptor(), words.data(), piece, static_cast<off_t>(at));
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
  HDB_TRY(fill(file, directory, bytes, stop));
  return file;
}

}  // namespace hdbench::bench
