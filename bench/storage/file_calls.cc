#include "bench/storage/file_calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "bench/storage/column_data.h"

namespace hdbench {
namespace {

constexpr std::size_t kCallBytesMax = std::size_t{1} << 30;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;

}  // namespace

std::string_view word(SyncCall sync) {
  switch (sync) {
    case SyncCall::kNone: return "none";
    case SyncCall::kSync: return "fsync";
    case SyncCall::kDataSync: return "fdatasync";
  }
  return "";
}

Result<FileHandle> open_for(const std::filesystem::path& path, int flags) {
  FileHandle file(::open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!file.is_open()) return file_error(path, "cannot open", errno);
  return file;
}

Status write_fully(const FileHandle& file, std::span<const std::byte> bytes,
                   const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t put =
        ::write(file.descriptor(), bytes.data(), std::min(bytes.size(), kCallBytesMax));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return file_error(path, "cannot write", put == 0 ? ENOSPC : errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return ok_status();
}

Status write_fully_at(const FileHandle& file, std::uint64_t offset,
                      std::span<const std::byte> bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(file.descriptor(), bytes.data(),
                                 std::min(bytes.size(), kCallBytesMax), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return file_error(path, "cannot write", put == 0 ? ENOSPC : errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
  return ok_status();
}

Status flush(const FileHandle& file, const std::filesystem::path& path, SyncCall sync) {
  int status = 0;
  if (sync == SyncCall::kSync) status = ::fsync(file.descriptor());
  if (sync == SyncCall::kDataSync) status = ::fdatasync(file.descriptor());
  if (status != 0) return file_error(path, "cannot " + std::string(word(sync)), errno);
  return ok_status();
}

Result<std::unique_ptr<MappedMemory>> map_shared(const FileHandle& file, std::size_t bytes,
                                                 int protection,
                                                 const std::filesystem::path& path) {
  void* address = ::mmap(nullptr, bytes, protection, MAP_SHARED, file.descriptor(), 0);
  if (address == MAP_FAILED) return file_error(path, "cannot map", errno);
  return std::make_unique<MappedMemory>(address, bytes);
}

Result<std::unique_ptr<MappedMemory>> map_anonymous(std::size_t bytes) {
  void* address =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) {
    return data_error(
        fmt::format("{} bytes of memory: {}", bytes, std::generic_category().message(errno)));
  }
  return std::make_unique<MappedMemory>(address, bytes);
}

Result<std::uint64_t> sum_of_file(const std::filesystem::path& path) {
  HDB_ASSIGN(const OpenFile file, open_file(path));
  HDB_ASSIGN(const std::unique_ptr<MappedMemory> room, map_anonymous(kReadBytes));
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < file.bytes; at += kReadBytes) {
    const auto piece = room->bytes().first(std::min(kReadBytes, file.bytes - at));
    HDB_TRY(read_fully(file.handle, at, piece, path));
    sum += sum_of(piece);
  }
  return sum;
}

}  // namespace hdbench
