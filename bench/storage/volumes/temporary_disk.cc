#include "bench/storage/volumes/temporary_disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <thread>

#include "bench/machine/filled_file.h"
#include "pmem/base/sysfs_text.h"

namespace hdbench::bench {
namespace {

constexpr std::uint32_t kBlockBytes = 4096;  // as most disks have
constexpr int kAttemptsMax = 16;

// A free device may be taken by somebody else before it is ours: then the next one. The kernel
// detaches it when its last user has gone.
Status attach(const FileHandle& file, TemporaryDisk& disk) {
  const FileHandle control(open("/dev/loop-control", O_RDWR | O_CLOEXEC));
  if (!control.is_open()) return file_error("/dev/loop-control", "no loop devices", errno);
  int failed = EBUSY;
  for (int attempt = 0; attempt < kAttemptsMax && failed == EBUSY; ++attempt) {
    const int index = ioctl(control.descriptor(), LOOP_CTL_GET_FREE);
    if (index < 0) return file_error("/dev/loop-control", "no free loop device", errno);
    disk.path = fmt::format("/dev/loop{}", index);
    const FileHandle device(open(disk.path.c_str(), O_RDWR | O_CLOEXEC));
    if (!device.is_open()) return file_error(disk.path, "cannot be opened", errno);
    loop_config config{};
    config.fd = static_cast<std::uint32_t>(file.descriptor());
    config.block_size = kBlockBytes;
    config.info.lo_flags = LO_FLAGS_DIRECT_IO | LO_FLAGS_AUTOCLEAR;
    if (ioctl(device.descriptor(), LOOP_CONFIGURE, &config) == 0) {
      // For reading: some kernels mount no device that somebody else may write.
      disk.held = FileHandle(open(disk.path.c_str(), O_RDONLY | O_CLOEXEC));
      if (disk.held.is_open()) return ok_status();
      return file_error(disk.path, "cannot be opened", errno);
    }
    failed = errno;
  }
  return file_error("/dev/loop-control", "no loop device takes a file", failed);
}

// Reading hot_add makes a device and tells its number; until the guard knows it, it is an empty one
// that takes no memory.
Result<TemporaryDisk> make_zram(std::uint64_t bytes, Guard& guard) {
  const auto id = read_figure("/sys/class/zram-control/hot_add");
  if (!id) return data_error("no zram");
  TemporaryDisk disk{fmt::format("/dev/zram{}", *id), {}, {bytes, bytes}};
  HDB_TRY(guard.add({Undo::kRemoveZram, fmt::format("{}", *id)}));
  const std::filesystem::path sysfs = fmt::format("/sys/block/zram{}", *id);
  std::ofstream size(sysfs / "disksize");
  size << bytes << std::flush;
  if (!size) return data_error(disk.path + ": its size cannot be set");
  disk.number = first_line(sysfs / "dev");
  return disk;
}

}  // namespace

Status TemporaryDisk::seem(std::uint64_t bytes) {
  if (!held.is_open()) return ok_status();
  loop_info64 info{};
  int failed = ioctl(held.descriptor(), LOOP_GET_STATUS64, &info) == 0 ? EAGAIN : errno;
  info.lo_sizelimit = bytes;
  // Older kernels give up where somebody (udev) has just looked at the device's old length.
  for (int attempt = 0; attempt < kAttemptsMax && failed == EAGAIN; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    failed = ioctl(held.descriptor(), LOOP_SET_STATUS64, &info) == 0 ? 0 : errno;
  }
  return failed == 0 ? ok_status() : Status(file_error(path, "cannot be set up", failed));
}

Result<TemporaryDisk> make_loop_disk(const std::filesystem::path& directory, const ImageSize& size,
                                     const std::atomic<bool>& stop) {
  HDB_ASSIGN(const FileHandle file, filled_file(directory, size.bytes, stop));
  TemporaryDisk disk;
  disk.size = size;
  // Some filesystems have no files so long.
  const bool is_long = size.seeming_bytes > size.bytes &&
                       ftruncate(file.descriptor(), static_cast<off_t>(size.seeming_bytes)) == 0;
  if (!is_long) disk.size.seeming_bytes = size.bytes;
  HDB_TRY(attach(file, disk));
  const auto sysfs = std::filesystem::path("/sys/block") / disk.path.substr(5);
  disk.number = first_line(sysfs / "dev");
  disk.direct_io = first_line(sysfs / "loop/dio") == "1";
  return disk;
}

Result<TemporaryDisk> make_memory_disk(std::uint64_t bytes, Guard& guard,
                                       const std::atomic<bool>& stop) {
  Result<TemporaryDisk> zram = make_zram(bytes, guard);
  return zram.ok() ? std::move(zram) : make_loop_disk("/dev/shm", {bytes, bytes}, stop);
}

}  // namespace hdbench::bench
