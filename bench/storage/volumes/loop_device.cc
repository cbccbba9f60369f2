#include "bench/storage/volumes/loop_device.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "bench/storage/volumes/filled_file.h"
#include "pmem/base/sysfs_text.h"

namespace hdbench {
namespace {

constexpr std::uint32_t kBlockBytes = 4096;  // as most disks have
constexpr int kAttemptsMax = 16;

// A free device may be taken by somebody else before it is ours: then the next one.
Result<std::string> attach(const FileHandle& file) {
  const FileHandle control(open("/dev/loop-control", O_RDWR | O_CLOEXEC));
  if (!control.is_open()) return file_error("/dev/loop-control", "no loop devices", errno);
  int failed = EBUSY;
  for (int attempt = 0; attempt < kAttemptsMax && failed == EBUSY; ++attempt) {
    const int index = ioctl(control.descriptor(), LOOP_CTL_GET_FREE);
    if (index < 0) return file_error("/dev/loop-control", "no free loop device", errno);
    const std::string path = fmt::format("/dev/loop{}", index);
    const FileHandle device(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!device.is_open()) return file_error(path, "cannot be opened", errno);
    loop_config config{};
    config.fd = static_cast<std::uint32_t>(file.descriptor());
    config.block_size = kBlockBytes;
    config.info.lo_flags = LO_FLAGS_DIRECT_IO;
    if (ioctl(device.descriptor(), LOOP_CONFIGURE, &config) == 0) return path;
    failed = errno;
  }
  return file_error("/dev/loop-control", "no loop device takes a file", failed);
}

template <typename Change>
Status change(const FileHandle& device, const std::string& path, const Change& change_info) {
  loop_info64 info{};
  if (ioctl(device.descriptor(), LOOP_GET_STATUS64, &info) != 0) {
    return file_error(path, "cannot be looked at", errno);
  }
  change_info(info);
  // Older kernels give up where somebody (udev) has just looked at the device's old length.
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (ioctl(device.descriptor(), LOOP_SET_STATUS64, &info) == 0) return ok_status();
    if (errno != EAGAIN) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return file_error(path, "cannot be set up", errno);
}

// From here on the kernel detaches it when its last user has gone.
Status let_go_by_itself(const FileHandle& device, const std::string& path) {
  return change(device, path, [](loop_info64& info) { info.lo_flags |= LO_FLAGS_AUTOCLEAR; });
}

}  // namespace

Result<LoopDevice> LoopDevice::make(const std::filesystem::path& directory, const ImageSize& size,
                                    Guard& guard, const std::atomic<bool>& stop) {
  HDB_ASSIGN(const FileHandle file, filled_file(directory, size.bytes, stop));
  struct stat status{};
  if (fstat(file.descriptor(), &status) != 0) return file_error(directory, "no image", errno);
  HDB_TRY(guard.add({Undo::kDetachLoop, fmt::format("{}:{}", status.st_dev, status.st_ino)}));
  LoopDevice loop;
  loop.size_ = size;
  // Some filesystems have no files so long.
  const bool is_long = size.seeming_bytes > size.bytes &&
                       ftruncate(file.descriptor(), static_cast<off_t>(size.seeming_bytes)) == 0;
  if (!is_long) loop.size_.seeming_bytes = size.bytes;
  HDB_ASSIGN(loop.path_, attach(file));
  // For reading: some kernels mount no device that somebody else may write.
  loop.device_ = FileHandle(open(loop.path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!loop.device_.is_open()) return file_error(loop.path_, "cannot be opened", errno);
  HDB_TRY(let_go_by_itself(loop.device_, loop.path_));
  const auto sysfs = std::filesystem::path("/sys/block") / loop.path_.substr(5);
  loop.number_ = first_line(sysfs / "dev");
  loop.direct_io_ = first_line(sysfs / "loop/dio") == "1";
  return loop;
}

Status LoopDevice::seem(std::uint64_t bytes) {
  return change(device_, path_, [&](loop_info64& info) { info.lo_sizelimit = bytes; });
}

}  // namespace hdbench
