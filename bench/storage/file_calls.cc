#include "bench/storage/file_calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "bench/storage/column_data.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kCallBytesMax = std::size_t{1} << 30;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;

}  // namespace

Result<FileHandle> open_for(const std::filesystem::path& path, int flags) {
  FileHandle file(::open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!file.is_open()) return file_error(path, "cannot open", errno);
  return file;
}

Result<std::uint64_t> stat_bytes(const FileHandle& file, const std::filesystem::path& path) {
  struct stat status = {};
  if (::fstat(file.descriptor(), &status) != 0) return file_error(path, "cannot stat", errno);
  return static_cast<std::uint64_t>(status.st_size);
}

Status seek(const FileHandle& file, std::uint64_t offset, int from,
            const std::filesystem::path& path) {
  if (::lseek(file.descriptor(), static_cast<off_t>(offset), from) >= 0) return ok_status();
  return file_error(path, "cannot seek", errno);
}

Status write_fully(const FileHandle& file, std::span<const std::byte> bytes,
                   const std::filesystem::path& path, std::optional<std::uint64_t> offset) {
  while (!bytes.empty()) {
    const std::size_t most = std::min(bytes.size(), kCallBytesMax);
    const ssize_t put =
        offset ? ::pwrite(file.descriptor(), bytes.data(), most, static_cast<off_t>(*offset))
               : ::write(file.descriptor(), bytes.data(), most);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return file_error(path, "cannot write", put == 0 ? ENOSPC : errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    if (offset) *offset += static_cast<std::uint64_t>(put);
  }
  return ok_status();
}

Status append_to(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  HDB_ASSIGN(const FileHandle file, open_for(path, O_RDWR));
  HDB_ASSIGN(const std::uint64_t end, stat_bytes(file, path));
  HDB_TRY(seek(file, end, SEEK_SET, path));
  return write_fully(file, bytes, path);
}

Status rename_over(const std::filesystem::path& from, const std::filesystem::path& path) {
  if (::rename(from.c_str(), path.c_str()) == 0) return ok_status();
  return file_error(path, "cannot rename over it", errno);
}

Status flush(const FileHandle& file, const std::filesystem::path& path, std::string_view call) {
  int status = 0;
  if (call == "fsync") status = ::fsync(file.descriptor());
  if (call == "fdatasync") status = ::fdatasync(file.descriptor());
  if (status == 0) return ok_status();
  return file_error(path, fmt::format("cannot {}", call), errno);
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
  if (address == MAP_FAILED) return file_error("memory", "cannot map", errno);
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

}  // namespace hdbench::bench
