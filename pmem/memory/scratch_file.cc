#include "pmem/memory/scratch_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "engine/base/file_handle.h"
#include "engine/base/new_file.h"
#include "engine/base/write_guard.h"
#include "pmem/base/free_room.h"
#include "pmem/base/mapped_memory.h"

namespace hdbench::pmem {

Result<std::unique_ptr<RegionHeap>> make_spill_resource(const std::filesystem::path& directory) {
  constexpr std::size_t kCachedBytesMax = std::size_t{256} << 20;
  HDB_TRY(check_outside_databases("spill directory", directory));
  HDB_TRY(make_scratch_region(directory, kRegionAlignment));
  const auto source = [directory](std::size_t bytes) -> Result<Region> {
    HDB_ASSIGN(ScratchRegion scratch, make_scratch_region(directory, bytes));
    return std::move(scratch.region);
  };
  return std::make_unique<RegionHeap>(source, kCachedBytesMax);
}

namespace {

struct ScratchFile {
  ScratchFile(FileHandle opened, void* address, std::size_t bytes)
      : file(std::move(opened)), memory(address, bytes) {}
  FileHandle file;
  MappedMemory memory;
};

// Each region keeps its file open, one a column and partition: a database has more of them than the
// 1024 that a process may usually open before it asks for more. Where that is refused, the limit
// that was there is met by an error that names the file.
void allow_many_files() {
  static const int asked = [] {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    limit.rlim_cur = limit.rlim_max;
    return ::setrlimit(RLIMIT_NOFILE, &limit);
  }();
  static_cast<void>(asked);
}

int reserve_blocks(const FileHandle& file, std::size_t bytes) {
  int error_number = 0;
  do {
    error_number = ::posix_fallocate(file.descriptor(), 0, static_cast<off_t>(bytes));
  } while (error_number == EINTR);
  return error_number;
}

}  // namespace

Result<ScratchRegion> make_scratch_region(const std::filesystem::path& directory,
                                          std::size_t bytes) {
  if (bytes == 0) return ScratchRegion{};
  allow_many_files();
  HDB_TRY(require_room_on_disk(directory, bytes));
  HDB_ASSIGN(FileHandle file, make_unnamed_file(directory));
  if (const int failed = reserve_blocks(file, bytes); failed != 0) {
    return file_error(directory, "cannot reserve " + std::to_string(bytes) + " bytes", failed);
  }
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
  if (address == MAP_FAILED) return file_error(directory, "cannot map a scratch file", errno);
  const int descriptor = file.descriptor();
  auto owner = std::make_shared<ScratchFile>(std::move(file), address, bytes);
  return ScratchRegion{{owner->memory.bytes(), owner}, descriptor};
}

}  // namespace hdbench::pmem
