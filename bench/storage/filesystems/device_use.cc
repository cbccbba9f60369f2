#include <fcntl.h>
#include <fmt/format.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "bench/storage/filesystems/spare_device.h"
#include "engine/base/file_handle.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/machine/mount.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kLayersMax = 16;  // of loop devices over loop devices

struct Identity {
  bool is_known = false;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool same(const Identity& other) const {
    return is_known && other.is_known && device == other.device && inode == other.inode;
  }
};

Identity identity_by_path(const fs::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return {};
  return {true, status.st_dev, status.st_ino};
}

struct Loop {
  std::string name;      // "loop0"
  std::string file;      // as sysfs has it: " (deleted)" may follow
  Identity by_kernel{};  // reported by the device, whatever the file's name is here
};

bool have_one_file(const Loop& a, const Loop& b) {
  return a.file == b.file || a.by_kernel.same(b.by_kernel) ||
         identity_by_path(a.file).same(identity_by_path(b.file));
}

Identity identity_by_kernel(const fs::path& node) {
  struct stat status{};
  if (::stat(node.c_str(), &status) != 0 || !S_ISBLK(status.st_mode)) return {};
  const FileHandle device(::open(node.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  loop_info64 info{};
  if (!device.is_open() || ::ioctl(device.descriptor(), LOOP_GET_STATUS64, &info) != 0) return {};
  return {true, info.lo_device, info.lo_inode};
}

// Looks from one device on, downwards.
class Looker {
 public:
  explicit Looker(const MachinePaths& paths) : paths_(paths) {
    for (const std::string& name : names_below(paths_.sysfs / "block", "loop")) {
      const std::string file = first_line(paths_.sysfs / "block" / name / "loop/backing_file");
      if (file.empty()) continue;
      loops_.push_back({name, file, identity_by_kernel(paths_.devfs / name)});
    }
  }

  void read_users() {
    mounts_ = read_all_mounts(paths_);
    std::ifstream lines(paths_.procfs / "swaps");
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      if (std::string word; words >> word && word.starts_with('/')) {
        swaps_.push_back(unescaped_name(word));
      }
    }
  }

  // "sdb1"; empty: sysfs has no such device.
  std::string name_of(const std::string& number) const {
    return link_name(paths_.sysfs / "dev/block" / number);
  }

  // The kernel name of a device by its node; empty: it is none.
  std::string name_of_node(const std::string& node) const {
    const fs::path path(node);
    std::error_code failed;
    std::string leaf = path.filename().string();
    if (path.parent_path() == "/dev" && fs::exists(paths_.sysfs / "class/block" / leaf, failed)) {
      return leaf;
    }
    struct stat status{};
    if (::stat(node.c_str(), &status) != 0 || !S_ISBLK(status.st_mode)) return {};
    return name_of(fmt::format("{}:{}", major(status.st_rdev), minor(status.st_rdev)));
  }

  const Loop* loop_of(const std::string& name) const {
    const auto found = std::find_if(loops_.begin(), loops_.end(),
                                    [&](const Loop& loop) { return loop.name == name; });
    return found == loops_.end() ? nullptr : &*found;
  }

  // Itself; with the disk that it is a partition of, or with its partitions.
  std::vector<std::string> same_blocks(const std::string& name) const {
    std::error_code failed;
    std::vector<std::string> names{name};
    const fs::path node = fs::canonical(paths_.sysfs / "class/block" / name, failed);
    if (failed) return names;
    if (fs::exists(node / "partition", failed)) {
      names.push_back(node.parent_path().filename().string());
      return names;
    }
    for (const std::string& entry : names_below(node, name)) {
      if (fs::exists(node / entry / "partition", failed)) names.push_back(entry);
    }
    return names;
  }

  std::optional<std::string> use_of(const std::string& name, const std::string& above,
                                    int layer) const {
    for (const std::string& one : same_blocks(name)) {
      if (auto use = direct_use(one, above)) return use;
      const Loop* loop = loop_of(one);
      if (loop == nullptr) continue;
      if (auto use = use_of_file(*loop)) return use;
      const std::string below = name_of_node(loop->file);
      if (below.empty() || layer >= kLayersMax) continue;
      if (auto use = use_of(below, loop->name, layer + 1)) return use;
    }
    return std::nullopt;
  }

 private:
  // above: the loop device from which one came here; it counts as no user.
  std::optional<std::string> direct_use(const std::string& name, const std::string& above) const {
    for (const Mount& mount : mounts_) {
      if (mount.block_device != name) continue;
      return fmt::format("{} is mounted on {}", name, mount.directory.string());
    }
    const auto is_it = [&](const std::string& node) { return name_of_node(node) == name; };
    if (std::any_of(swaps_.begin(), swaps_.end(), is_it)) return name + " is swap";
    const auto holders = names_below(paths_.sysfs / "class/block" / name / "holders");
    if (!holders.empty()) return fmt::format("{} is held by {}", name, holders.front());
    for (const std::string& filesystem : names_below(paths_.sysfs / "fs/btrfs")) {
      std::error_code failed;
      if (fs::exists(paths_.sysfs / "fs/btrfs" / filesystem / "devices" / name, failed)) {
        return fmt::format("{} is part of the mounted btrfs {}", name, filesystem);
      }
    }
    for (const Loop& loop : loops_) {
      if (loop.name != above && is_it(loop.file)) {
        return fmt::format("{} is the file of {}", name, loop.name);
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> use_of_file(const Loop& loop) const {
    for (const Loop& other : loops_) {
      if (other.name != loop.name && have_one_file(loop, other)) {
        return fmt::format("{} has the same file, {}", other.name, loop.file);
      }
    }
    const auto is_it = [&](const std::string& swap) {
      return swap == loop.file || identity_by_path(swap).same(identity_by_path(loop.file));
    };
    if (std::any_of(swaps_.begin(), swaps_.end(), is_it)) {
      return fmt::format("{}, the file of {}, is swap", loop.file, loop.name);
    }
    return std::nullopt;
  }

  const MachinePaths& paths_;
  std::vector<Loop> loops_;
  std::vector<Mount> mounts_;
  std::vector<std::string> swaps_;
};

}  // namespace

std::optional<std::string> device_use(const std::string& number, const MachinePaths& paths) {
  Looker looker(paths);
  const std::string name = looker.name_of(number);
  if (name.empty()) return std::nullopt;
  looker.read_users();
  return looker.use_of(name, {}, 0);
}

std::vector<fs::path> loop_files(const std::string& number, const MachinePaths& paths) {
  const Looker looker(paths);
  std::vector<fs::path> files;
  std::string name = looker.name_of(number);
  while (!name.empty() && files.size() < kLayersMax) {
    const Loop* loop = nullptr;
    for (const std::string& one : looker.same_blocks(name)) {
      if (loop == nullptr) loop = looker.loop_of(one);
    }
    if (loop == nullptr) break;
    files.emplace_back(loop->file);
    name = looker.name_of_node(loop->file);
  }
  return files;
}

}  // namespace hdbench::bench
