#include "bench/storage/filesystems/filesystem_image.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "bench/base/child_process.h"
#include "engine/base/file_handle.h"
#include "engine/base/new_file.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

double gib(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

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

}  // namespace hdbench::bench
