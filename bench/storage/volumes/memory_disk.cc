#include "bench/storage/volumes/memory_disk.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "pmem/base/sysfs_text.h"

namespace hdbench {
namespace {

// Reading hot_add makes a device and tells its number; until the guard knows it, it is an empty one
// that takes no memory.
Result<MemoryDisk> make_zram(std::uint64_t bytes, Guard& guard) {
  const auto id = read_figure("/sys/class/zram-control/hot_add");
  if (!id) return data_error("no zram");
  MemoryDisk disk;
  disk.name = fmt::format("zram{}", *id);
  HDB_TRY(guard.add({Undo::kRemoveZram, fmt::format("{}", *id)}));
  const auto sysfs = std::filesystem::path("/sys/block") / disk.name;
  std::ofstream size(sysfs / "disksize");
  size << bytes << std::flush;
  if (!size) return data_error(disk.name + ": its size cannot be set");
  disk.path = "/dev/" + disk.name;
  disk.number = first_line(sysfs / "dev");
  return disk;
}

}  // namespace

Result<MemoryDisk> make_memory_disk(std::uint64_t bytes, Guard& guard,
                                    const std::atomic<bool>& stop) {
  Result<MemoryDisk> zram = make_zram(bytes, guard);
  if (zram.ok()) return zram;
  HDB_ASSIGN(LoopDevice loop, LoopDevice::make("/dev/shm", {bytes, bytes}, guard, stop));
  MemoryDisk disk{loop.path(), loop.number(), loop.path().substr(5)};
  disk.loop = std::move(loop);
  return disk;
}

}  // namespace hdbench
