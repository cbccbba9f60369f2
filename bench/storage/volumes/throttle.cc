#include "bench/storage/volumes/throttle.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "engine/base/file_handle.h"
#include "engine/base/new_file.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/machine/mount.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> kFilesOfOne{
    "blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device",
    "blkio.throttle.read_iops_device", "blkio.throttle.write_iops_device"};

// A file of the kernel's takes a line in one write, and says at once what is wrong with it.
Status write_line(const fs::path& file, const std::string& text) {
  const FileHandle handle(open(file.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!handle.is_open()) return file_error(file, "cannot be opened", errno);
  if (write(handle.descriptor(), text.data(), text.size()) < 0) {
    return file_error(file, fmt::format("does not take '{}'", text), errno);
  }
  return ok_status();
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool has_word(const std::string& line, const std::string& wanted) {
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word == wanted) return true;
  }
  return false;
}

// "7:blkio:/", "0::/user.slice": the path behind the controller; "/" where none is told.
std::string own_group(const MachinePaths& paths, const std::string& controller) {
  std::ifstream lines(paths.procfs / "self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    if (names.find("," + controller + ",") != std::string::npos) return line.substr(second + 1);
  }
  return "/";
}

struct Parent {
  CgroupVersion version = CgroupVersion::kOne;
  fs::path directory;
  fs::path home;
};

Result<Parent> find_parent(const MachinePaths& paths) {
  const fs::path root = paths.sysfs / "fs/cgroup";
  std::error_code ignored;
  if (fs::exists(root / "blkio" / kFilesOfOne[0], ignored)) {
    const fs::path blkio = root / "blkio";
    return Parent{CgroupVersion::kOne, blkio,
                  blkio / fs::path(own_group(paths, "blkio")).relative_path()};
  }
  for (const fs::path& unified : {root, root / "unified"}) {
    if (!has_word(first_line(unified / "cgroup.controllers"), "io")) continue;
    // Enabled already for most; a refusal shows where io.max is set.
    if (!has_word(first_line(unified / "cgroup.subtree_control"), "io")) {
      HDB_TRY(write_line(unified / "cgroup.subtree_control", "+io"));
    }
    return Parent{CgroupVersion::kTwo, unified,
                  unified / fs::path(own_group(paths, "")).relative_path()};
  }
  return data_error(fmt::format(
      "no control group can throttle a disk here: {} has neither blkio.throttle nor an io "
      "controller",
      root.string()));
}

}  // namespace

std::vector<CgroupLine> throttle_lines(CgroupVersion version, const std::string& device,
                                       const DeviceCaps& caps) {
  const auto bytes = static_cast<std::uint64_t>(caps.bytes_per_s);
  const auto ios = static_cast<std::uint64_t>(caps.ios_per_s);
  if (version == CgroupVersion::kOne) {
    std::vector<CgroupLine> lines;
    for (const std::size_t k : {0, 1, 2, 3}) {
      lines.push_back({kFilesOfOne[k], fmt::format("{} {}", device, k < 2 ? bytes : ios)});
    }
    return lines;
  }
  const auto word = [](std::uint64_t figure) {
    return figure == 0 ? std::string("max") : fmt::format("{}", figure);
  };
  return {{"io.max", fmt::format("{} rbps={} wbps={} riops={} wiops={}", device, word(bytes),
                                 word(bytes), word(ios), word(ios))}};
}

std::uint64_t parse_serviced(std::string_view text, const std::string& device) {
  std::istringstream lines{std::string(text)};
  std::uint64_t sum = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, kind;
    std::uint64_t figure = 0;
    if (!(words >> number >> kind >> figure) || number != device) continue;
    if (kind == "Read" || kind == "Write") sum += figure;
  }
  return sum;
}

DeviceUse parse_io_stat(std::string_view text, const std::string& device) {
  std::istringstream lines{std::string(text)};
  DeviceUse use;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word != device) continue;
    while (words >> word) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) continue;
      const std::string key = word.substr(0, equals);
      const std::uint64_t figure = std::strtoull(word.c_str() + equals + 1, nullptr, 10);
      if (key == "rbytes" || key == "wbytes") use.bytes += figure;
      if (key == "rios" || key == "wios") use.ios += figure;
    }
  }
  return use;
}

Result<WholeDisk> whole_disk(const fs::path& path, const MachinePaths& paths) {
  const std::optional<Mount> mount = mount_of(read_mounts(paths), path);
  if (!mount || mount->block_device.empty()) {
    return data_error(
        fmt::format("{} is on no block device of this machine ({}), so there is "
                    "nothing to throttle",
                    path.string(), mount ? describe(*mount) : "unknown"));
  }
  std::error_code failed;
  fs::path node = fs::canonical(paths.sysfs / "class/block" / mount->block_device, failed);
  if (failed) return data_error(fmt::format("{}: not in sysfs", mount->block_device));
  if (fs::exists(node / "partition", failed)) node = node.parent_path();
  return WholeDisk{first_line(node / "dev"), node.filename().string()};
}

Result<std::unique_ptr<Throttle>> Throttle::make(const std::string& device, Guard& guard,
                                                 const MachinePaths& paths) {
  HDB_ASSIGN(const Parent parent, find_parent(paths));
  std::unique_ptr<Throttle> throttle(new Throttle);
  throttle->version_ = parent.version;
  throttle->group_ = parent.directory / random_name("hdbench-");
  throttle->home_ = parent.home;
  throttle->device_ = device;
  const std::string group = throttle->group_.string();
  HDB_TRY(guard.add({Undo::kRemoveGroup, group, parent.home.string()}));
  if (mkdir(group.c_str(), 0755) != 0) return file_error(group, "cannot be made", errno);
  return throttle;
}

Throttle::~Throttle() { (void)leave(); }

Status Throttle::set(const DeviceCaps& caps) {
  for (const CgroupLine& line : throttle_lines(version_, device_, caps)) {
    HDB_TRY(write_line(group_ / line.file, line.text));
  }
  return ok_status();
}

DeviceUse Throttle::use() const {
  if (version_ == CgroupVersion::kTwo) return parse_io_stat(text_of(group_ / "io.stat"), device_);
  return {parse_serviced(text_of(group_ / "blkio.throttle.io_service_bytes"), device_),
          parse_serviced(text_of(group_ / "blkio.throttle.io_serviced"), device_)};
}

Status Throttle::enter() {
  HDB_TRY(write_line(group_ / "cgroup.procs", fmt::format("{}", getpid())));
  inside_ = true;
  return ok_status();
}

Status Throttle::leave() {
  if (!inside_) return ok_status();
  HDB_TRY(write_line(home_ / "cgroup.procs", fmt::format("{}", getpid())));
  inside_ = false;
  return ok_status();
}

}  // namespace hdbench
