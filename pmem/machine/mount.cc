#include "pmem/machine/mount.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {
namespace {

bool has_dax_option(const std::string& options) {
  std::istringstream words(options);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "dax" || word == "dax=always" || word == "dax=inode") return true;
  }
  return false;
}

// The kernel's own name of a block device ("vda", "pmem0"): mountinfo's may be "/dev/root". Empty:
// no block device.
std::string block_device_name(const MachinePaths& paths, const std::string& major_minor) {
  std::error_code failed;
  const auto link = paths.sysfs / "dev/block" / major_minor;
  const auto target = std::filesystem::read_symlink(link, failed);
  return failed ? std::string() : target.filename().string();
}

// A filesystem without a number of its own (btrfs) still names its device: "/dev/vda2" -> "vda2".
std::string kernel_name(const MachinePaths& paths, const std::string& device) {
  if (!device.starts_with("/dev/")) return {};
  const std::string name = std::filesystem::path(device).filename().string();
  std::error_code failed;
  return std::filesystem::exists(paths.sysfs / "class/block" / name, failed) ? name : std::string();
}

// "rw" is in both.
std::string join_options(const std::string& mount, const std::string& filesystem) {
  std::string joined = mount;
  std::istringstream words(filesystem);
  for (std::string word; std::getline(words, word, ',');) {
    if (("," + joined + ",").find("," + word + ",") == std::string::npos) {
      joined += (joined.empty() ? "" : ",") + word;
    }
  }
  return joined;
}

MountKind kind_of(const std::string& filesystem, bool on_block_device) {
  static constexpr std::array<std::string_view, 4> kMemory = {"tmpfs", "ramfs", "devtmpfs",
                                                              "hugetlbfs"};
  static constexpr std::array<std::string_view, 4> kDiskWithoutOwnNumber = {"btrfs", "zfs",
                                                                            "bcachefs", "f2fs"};
  const auto contains = [&](const auto& names) {
    return std::find(names.begin(), names.end(), filesystem) != names.end();
  };
  if (contains(kMemory)) return MountKind::kMemory;
  if (on_block_device || contains(kDiskWithoutOwnNumber)) return MountKind::kDisk;
  return MountKind::kOther;
}

// 27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,dax=always
std::optional<Mount> parse_mount(const std::string& line, const MachinePaths& paths) {
  std::istringstream words(line);
  std::string id, parent, major_minor, root, directory, options, word;
  words >> id >> parent >> major_minor >> root >> directory >> options;
  while (words >> word && word != "-") {
  }
  std::string filesystem, source, super_options;
  if (!(words >> filesystem >> source)) return std::nullopt;
  words >> super_options;

  const std::string device = block_device_name(paths, major_minor);
  Mount mount;
  mount.directory = unescaped_name(directory);
  mount.filesystem = filesystem;
  mount.device = device.empty() || source.starts_with("/dev/mapper/") ? unescaped_name(source)
                                                                      : "/dev/" + device;
  mount.kind = kind_of(filesystem, !device.empty() || source.starts_with("/dev/"));
  mount.dax = has_dax_option(options) || has_dax_option(super_options);
  mount.pmem = mount.device.starts_with("/dev/pmem");
  mount.options = join_options(options, super_options);
  mount.block_device = !device.empty() ? device : kernel_name(paths, mount.device);
  return mount;
}

bool lies_below(const std::filesystem::path& path, const std::filesystem::path& directory) {
  const auto [end, ignored] =
      std::mismatch(directory.begin(), directory.end(), path.begin(), path.end());
  return end == directory.end();
}

std::vector<Mount> mounts_of_file(const std::filesystem::path& mountinfo,
                                  const MachinePaths& paths) {
  std::vector<Mount> mounts;
  std::ifstream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    if (auto mount = parse_mount(line, paths)) mounts.push_back(std::move(*mount));
  }
  return mounts;
}

}  // namespace

std::string unescaped_name(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::vector<Mount> read_mounts(const MachinePaths& paths) {
  return mounts_of_file(paths.procfs / "self/mountinfo", paths);
}

std::vector<Mount> read_all_mounts(const MachinePaths& paths) {
  std::vector<Mount> mounts = read_mounts(paths);
  std::error_code failed;
  std::set<std::string> seen{
      std::filesystem::read_symlink(paths.procfs / "self/ns/mnt", failed).string()};
  for (const auto& [process, directory] : numbered(paths.procfs, "")) {
    const auto space = std::filesystem::read_symlink(directory / "ns/mnt", failed);
    // Whose namespace is not known may be in another one.
    if (!failed && !seen.insert(space.string()).second) continue;
    std::vector<Mount> others = mounts_of_file(directory / "mountinfo", paths);
    mounts.insert(mounts.end(), std::make_move_iterator(others.begin()),
                  std::make_move_iterator(others.end()));
  }
  return mounts;
}

std::optional<Mount> mount_of(const std::vector<Mount>& mounts, const std::filesystem::path& path) {
  std::error_code failed;
  const auto resolved = std::filesystem::weakly_canonical(path, failed);
  if (failed) return std::nullopt;
  std::optional<Mount> best;
  for (const Mount& mount : mounts) {
    // Of two mounts on one directory the later hides the earlier.
    if (lies_below(resolved, mount.directory) &&
        (!best || mount.directory.native().size() >= best->directory.native().size())) {
      best = mount;
    }
  }
  return best;
}

std::string describe(const Mount& mount) {
  if (mount.kind == MountKind::kDisk) {
    return fmt::format("{} on {}", mount.filesystem, mount.device);
  }
  if (mount.kind == MountKind::kMemory || mount.filesystem == "overlay") return mount.filesystem;
  return fmt::format("{} from {}", mount.filesystem, mount.device);
}

}  // namespace hdbench::pmem
