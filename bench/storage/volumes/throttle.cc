#include "bench/storage/volumes/throttle.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "engine/base/new_file.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/machine/mount.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> kFilesOfOne{
    "blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device",
    "blkio.throttle.read_iops_device", "blkio.throttle.write_iops_device"};

std::string file_text_of(const fs::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool has_word(const std::string& line, const std::string& wanted) {
  return (" " + line + " ").find(" " + wanted + " ") != std::string::npos;
}

// "7:blkio:/", "0::/user.slice": the path behind the controller; "/" where none is reported.
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

// Version 1: blkio.throttle.io_service_bytes or .io_serviced; reads and writes of the device.
std::uint64_t parse_serviced(const std::string& text, const std::string& device) {
  std::istringstream words(text);
  std::uint64_t sum = 0;
  std::string number, kind, figure;
  while (words >> number >> kind >> figure) {
    if (number == device && (kind == "Read" || kind == "Write")) sum += std::stoull(figure);
  }
  return sum;
}

// Version 2: io.stat.
DeviceUse parse_io_stat(const std::string& text, const std::string& device) {
  std::istringstream words(text);
  DeviceUse use;
  bool is_here = false;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) is_here = word == device;
    if (equals == std::string::npos || !is_here) continue;
    const std::string key = word.substr(0, equals);
    const std::uint64_t figure = std::strtoull(word.c_str() + equals + 1, nullptr, 10);
    if (key == "rbytes" || key == "wbytes") use.bytes += figure;
    if (key == "rios" || key == "wios") use.ios += figure;
  }
  return use;
}

}  // namespace

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
  std::unique_ptr<Throttle> throttle(new Throttle);
  throttle->device_ = device;
  const fs::path root = paths.sysfs / "fs/cgroup";
  fs::path parent;
  std::error_code ignored;
  if (fs::exists(root / "blkio" / kFilesOfOne[0], ignored)) {
    parent = root / "blkio";
  } else {
    throttle->version_ = CgroupVersion::kTwo;
    for (const fs::path& unified : {root / "unified", root}) {
      if (has_word(first_line(unified / "cgroup.controllers"), "io")) parent = unified;
    }
    if (parent.empty()) {
      return data_error(root.string() + " has neither blkio.throttle nor an io controller");
    }
    // Enabled already for most; a refusal shows where io.max is set.
    if (!has_word(first_line(parent / "cgroup.subtree_control"), "io"))
      HDB_TRY(write_setting(parent / "cgroup.subtree_control", "+io"));
  }
  const bool is_one = throttle->version_ == CgroupVersion::kOne;
  throttle->home_ = parent / fs::path(own_group(paths, is_one ? "blkio" : "")).relative_path();
  throttle->group_ = parent / random_name("hdbench-");
  const std::string group = throttle->group_.string();
  HDB_TRY(guard.add({Undo::kRemoveGroup, group, throttle->home_.string()}));
  if (mkdir(group.c_str(), 0755) != 0) return file_error(group, "cannot be made", errno);
  return throttle;
}

Throttle::~Throttle() {
  if (inside_) (void)write_setting(home_ / "cgroup.procs", fmt::format("{}", getpid())).ok();
}

// Reads and writes alike; no cap is 0 for version 1, "max" for version 2.
Status Throttle::set(const DeviceCaps& caps) {
  const auto bytes = static_cast<std::uint64_t>(caps.bytes_per_s);
  const auto ios = static_cast<std::uint64_t>(caps.ios_per_s);
  if (version_ == CgroupVersion::kOne) {
    for (const std::size_t k : {0, 1, 2, 3}) {
      HDB_TRY(write_setting(group_ / kFilesOfOne[k],
                            fmt::format("{} {}", device_, k < 2 ? bytes : ios)));
    }
    return ok_status();
  }
  const auto word = [](std::uint64_t figure) {
    return figure == 0 ? std::string("max") : fmt::format("{}", figure);
  };
  return write_setting(group_ / "io.max",
                       fmt::format("{} rbps={} wbps={} riops={} wiops={}", device_, word(bytes),
                                   word(bytes), word(ios), word(ios)));
}

DeviceUse Throttle::use() const {
  if (version_ == CgroupVersion::kTwo)
    return parse_io_stat(file_text_of(group_ / "io.stat"), device_);
  return {parse_serviced(file_text_of(group_ / "blkio.throttle.io_service_bytes"), device_),
          parse_serviced(file_text_of(group_ / "blkio.throttle.io_serviced"), device_)};
}

Status Throttle::enter() {
  inside_ = true;
  return write_setting(group_ / "cgroup.procs", fmt::format("{}", getpid()));
}

}  // namespace hdbench::bench
