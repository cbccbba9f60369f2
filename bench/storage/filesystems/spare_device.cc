#include "bench/storage/filesystems/spare_device.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>
#include <vector>

#include "engine/base/file_handle.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/machine/mount.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = std::size_t{1} << 20;

struct Signature {
  std::size_t at;
  std::string_view bytes;
  const char* what;
};

constexpr Signature kSignatures[] = {
    {0, "XFSB", "an XFS filesystem"},
    {1080, "\x53\xef", "an ext2, ext3 or ext4 filesystem"},
    {65600, "_BHRfS_M", "a Btrfs filesystem"},
    {1024, "\x10\x20\xf5\xf2", "an F2FS filesystem"},
    {512, "LABELONE", "an LVM physical volume"},
    {0, "LUKS\xba\xbe", "an encrypted volume"},
    {4096, "\xfc\x4e\x2b\xa9", "a member of a RAID"},
    {512, "EFI PART", "a partition table"},
    {510, "\x55\xaa", "a partition table"},
};

bool matches(std::span<const std::byte> head, const Signature& signature) {
  return head.size() >= signature.at + signature.bytes.size() &&
         std::memcmp(head.data() + signature.at, signature.bytes.data(), signature.bytes.size()) ==
             0;
}

bool is_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

std::optional<std::string> direct_user(const std::string& name, const MachinePaths& paths) {
  for (const Mount& mount : read_mounts(paths)) {
    if (mount.block_device == name || mount.device == "/dev/" + name) {
      return "mounted on " + mount.directory.string();
    }
  }
  const auto holders = names_below(paths.sysfs / "class/block" / name / "holders");
  if (!holders.empty()) return holders.front() + " lies on it";
  std::ifstream swaps(paths.procfs / "swaps");
  for (std::string line; std::getline(swaps, line);) {
    if (line.substr(0, line.find_first_of(" \t")) == "/dev/" + name) return std::string("swap");
  }
  return std::nullopt;
}

// The first and the last mebibyte: some signatures (RAID) stand at the end.
Result<std::optional<std::string>> contents(const FileHandle& device, const std::string& path) {
  const off_t end = lseek(device.descriptor(), 0, SEEK_END);
  if (end < static_cast<off_t>(2 * kHeadBytes)) {
    return usage_error(fmt::format("{}: {} bytes: too small for a filesystem", path, end));
  }
  std::vector<std::byte> bytes(kHeadBytes);
  HDB_TRY(read_fully(device, 0, bytes, path));
  if (auto what = held(bytes)) return what;
  HDB_TRY(read_fully(device, static_cast<std::uint64_t>(end) - kHeadBytes, bytes, path));
  if (is_zero(bytes)) return std::optional<std::string>();
  return std::optional<std::string>("data");
}

bool asked_and_agreed(const std::string& path) {
  std::fprintf(stderr, "hdbench: everything on %s will be overwritten. Go on? [y/N] ",
               path.c_str());
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

}  // namespace

std::optional<std::string> held(std::span<const std::byte> head) {
  for (const Signature& signature : kSignatures) {
    if (matches(head, signature)) return signature.what;
  }
  if (is_zero(head)) return std::nullopt;
  return "data";
}

std::optional<std::string> user_of(const std::string& name, const MachinePaths& paths) {
  if (auto user = direct_user(name, paths)) return user;
  for (const std::string& part : names_below(paths.sysfs / "class/block" / name, name)) {
    if (auto user = direct_user(part, paths)) {
      return fmt::format("its partition {} is in use: {}", part, *user);
    }
  }
  return std::nullopt;
}

Result<SpareDevice> allow_device(const std::string& path, bool yes, const MachinePaths& paths) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    return usage_error(fmt::format("--device: {}: {}", path, std::strerror(errno)));
  }
  if (!S_ISBLK(status.st_mode)) {
    return usage_error(fmt::format("--device: {} is no block device", path));
  }
  SpareDevice spare;
  spare.path = path;
  spare.number = fmt::format("{}:{}", major(status.st_rdev), minor(status.st_rdev));
  std::error_code failed;
  spare.name = fs::canonical(paths.sysfs / "dev/block" / spare.number, failed).filename().string();
  if (failed) return data_error(fmt::format("--device: {}: not in sysfs", path));
  if (const auto user = user_of(spare.name, paths)) {
    return usage_error(fmt::format("--device: {} is in use ({}): never overwritten", path, *user));
  }
  // Exclusive: the kernel refuses what it knows to be in use by anybody.
  const FileHandle device(open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
  if (!device.is_open() && errno == EBUSY) {
    return usage_error(fmt::format("--device: {} is in use: never overwritten", path));
  }
  if (!device.is_open()) return file_error(path, "cannot be opened", errno);
  HDB_ASSIGN(const std::optional<std::string> what, contents(device, path));
  if (yes) return spare;
  if (what) {
    return usage_error(
        fmt::format("--device: {} holds {}: add --yes to overwrite it", path, *what));
  }
  if (isatty(STDIN_FILENO) == 0) {
    return usage_error(fmt::format("--device: {} would be overwritten: add --yes", path));
  }
  if (!asked_and_agreed(path)) return usage_error(fmt::format("--device: {} is left alone", path));
  return spare;
}

}  // namespace hdbench
