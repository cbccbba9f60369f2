#include "bench/storage/filesystems/filesystem_image.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/loop.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "bench/base/child_process.h"
#include "bench/machine/device_ceilings.h"
#include "engine/base/new_file.h"
#include "pmem/base/capabilities.h"
#include "pmem/base/sysfs_text.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

double gib(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

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

// A request: a filesystem's name, to mount it; empty: to unmount.
Result<std::string> serve_image(FilesystemImage& image, std::string_view request) {
  if (request.empty()) {
    HDB_TRY(image.unmount());
    return std::string();
  }
  for (const FilesystemKind& kind : filesystem_kinds()) {
    if (request != kind.name) continue;
    HDB_ASSIGN(const std::filesystem::path place, image.mount(kind));
    return place.string();
  }
  return data_error("no such request");
}

}  // namespace

const std::vector<FilesystemKind>& filesystem_kinds() {
  constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
  static const std::vector<FilesystemKind> kinds{
      {"xfs", "mkfs.xfs", "xfsprogs", {"-q", "-f", "-K"}, 300 * kMib},
      // The inode tables are written now, not by the kernel while the tests run.
      {"ext4",
       "mkfs.ext4",
       "e2fsprogs",
       {"-q", "-F", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0"},
       64 * kMib},
      // A page that is made dirty reserves metadata: 16 KiB for each of 8 levels, twice; and of a
      // device's free bytes a 16th may be promised (an 8th, each kept twice). 1024 bytes of device
      // a byte of page. On a smaller one every assignment waits for pages to be written back.
      {"btrfs", "mkfs.btrfs", "btrfs-progs", {"-q", "-f", "-K"}, 256 * kMib, 1024},
  };
  return kinds;
}

Result<std::vector<FilesystemKind>> parse_filesystems(std::string_view list) {
  std::vector<FilesystemKind> chosen;
  std::istringstream words{std::string(list)};
  for (std::string word; std::getline(words, word, ',');) {
    const auto& known = filesystem_kinds();
    const auto has_name = [&](const FilesystemKind& kind) { return kind.name == word; };
    const auto kind = std::find_if(known.begin(), known.end(), has_name);
    if (kind == known.end()) {
      std::vector<std::string> names;
      for (const FilesystemKind& each : known) names.push_back(each.name);
      return usage_error(fmt::format("--compare: unknown filesystem '{}': known are {}", word,
                                     fmt::join(names, ", ")));
    }
    if (std::any_of(chosen.begin(), chosen.end(), has_name)) {
      return usage_error(fmt::format("--compare: {} is named twice", word));
    }
    chosen.push_back(*kind);
  }
  if (chosen.empty()) return usage_error("--compare: no filesystem is named");
  return chosen;
}

std::optional<std::string> why_not(const FilesystemKind& kind, const MachinePaths& paths) {
  if (!has_command(kind.tool)) {
    return fmt::format("{} is not installed (package {})", kind.tool, kind.package);
  }
  // A filesystem that is no module yet is loaded by mount(2) itself.
  std::ostringstream known;
  known << std::ifstream(paths.procfs / "filesystems").rdbuf();
  if (known.str().find(fmt::format("\t{}\n", kind.name)) == std::string::npos &&
      !run_command({"modprobe", "--dry-run", kind.name}).ok()) {
    return fmt::format("this kernel has no {}", kind.name);
  }
  return std::nullopt;
}

Status own_mount_namespace() {
  if (geteuid() != 0) return data_error("filesystems cannot be mounted: not root");
  if (unshare(CLONE_NEWNS) != 0) {
    return data_error(fmt::format("filesystems cannot be mounted: {}", std::strerror(errno)));
  }
  // What others mount still arrives here; what is mounted here goes to nobody.
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0) {
    return data_error(fmt::format("mounts cannot be kept apart: {}", std::strerror(errno)));
  }
  return ok_status();
}

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
  disk.direct_io = first_line(sysfs / "loop/dio") == "1";
  return disk;
}

Result<std::unique_ptr<FilesystemImage>> FilesystemImage::make(const fs::path& directory,
                                                               const std::string& device,
                                                               const ImageSize& size, Guard& guard,
                                                               const std::atomic<bool>& stop) {
  TemporaryDisk disk;
  std::string description = device;
  if (device.empty()) {
    HDB_ASSIGN(disk, make_loop_disk(directory, size, stop));
    description = fmt::format(
        "{}, {:.1f} GiB in a file below {}, {}", disk.path, gib(size.bytes), directory.string(),
        disk.direct_io ? "direct I/O" : "no direct I/O: what is read is cached twice");
    if (disk.size.seeming_bytes > size.bytes) {
      description += fmt::format("; to one that reserves by its size it seems {:.1f} GiB",
                                 gib(disk.size.seeming_bytes));
    }
  } else {
    disk.path = device;
    const FileHandle opened(open(device.c_str(), O_RDONLY | O_CLOEXEC));
    const off_t end = lseek(opened.descriptor(), 0, SEEK_END);
    if (end < 0) return file_error(device, "cannot be looked at", errno);
    disk.size.bytes = disk.size.seeming_bytes = static_cast<std::uint64_t>(end);
  }
  const fs::path place = fs::absolute(directory) / random_name("hdbench-fs-");
  HDB_TRY(guard.add({Undo::kRemove, place.string()}));
  if (mkdir(place.c_str(), 0700) != 0) return file_error(place, "cannot be made", errno);
  HDB_TRY(guard.add({Undo::kUnmount, place.string()}));
  return std::unique_ptr<FilesystemImage>(
      new FilesystemImage(place, std::move(disk), std::move(description)));
}

Result<fs::path> FilesystemImage::mount(const FilesystemKind& kind) {
  HDB_CHECK(!mounted_, "one filesystem at a time");
  std::vector<std::string> words{kind.tool};
  words.insert(words.end(), kind.arguments.begin(), kind.arguments.end());
  words.push_back(disk_.path);
  HDB_TRY(disk_.seem(kind.seeming_times == 0 ? disk_.size.bytes : disk_.size.seeming_bytes));
  HDB_TRY(run_command(words));
  if (::mount(disk_.path.c_str(), place_.c_str(), kind.name, MS_NOATIME, "nodiscard") != 0) {
    const std::string why =
        errno == ENODEV ? "this kernel has no such filesystem" : std::string(std::strerror(errno));
    return data_error(fmt::format("{}: {} cannot be mounted: {}", disk_.path, kind.name, why));
  }
  mounted_ = true;
  return place_;
}

Status FilesystemImage::unmount() {
  if (!mounted_) return ok_status();
  const auto failures = undo_all({{Undo::kUnmount, place_.string()}});
  if (!failures.empty()) return data_error(failures.front());
  mounted_ = false;
  return ok_status();
}

Result<std::unique_ptr<ImageHelper>> ImageHelper::start(FilesystemImage& image) {
  // Those that this process has by now: of files' permissions, and of mounting.
  HDB_ASSIGN(auto helper, PrivilegedHelper::start("hdbench-mounts", read_capabilities().permitted,
                                                  [&image](std::string_view request) {
                                                    return serve_image(image, request);
                                                  }));
  return std::unique_ptr<ImageHelper>(new ImageHelper(std::move(helper)));
}

Result<std::filesystem::path> ImageHelper::mount(const char* kind) {
  HDB_ASSIGN(const std::string place, helper_->ask(kind));
  return std::filesystem::path(place);
}

Status ImageHelper::unmount() {
  HDB_TRY(helper_->ask(""));
  return ok_status();
}

}  // namespace hdbench::bench
