#include "bench/storage/volumes/held_readahead.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>

#include "engine/base/file_handle.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/machine/block_device.h"
#include "pmem/machine/mount.h"

namespace hdbench::bench {
namespace {

// Filesystems over several devices read ahead by a setting of their own.
constexpr std::array<std::string_view, 3> kOwnReadahead{"btrfs", "zfs", "bcachefs"};

}  // namespace

Result<HeldReadahead> HeldReadahead::hold(const std::vector<std::filesystem::path>& paths,
                                          Guard& guard, const MachinePaths& machine) {
  HeldReadahead held;
  const std::vector<Mount> mounts = read_mounts(machine);
  for (const auto& path : paths) {
    const auto mount = mount_of(mounts, path);
    const auto device =
        mount ? read_block_device(machine.sysfs, mount->block_device) : std::nullopt;
    if (!device) {
      return data_error(fmt::format("--readahead: {} is on no disk of this machine ({})",
                                    path.string(), mount ? pmem::describe(*mount) : "unknown"));
    }
    if (std::find(kOwnReadahead.begin(), kOwnReadahead.end(), mount->filesystem) !=
        kOwnReadahead.end()) {
      return data_error(fmt::format("--readahead: {} is on {}, which has a readahead of its own",
                                    path.string(), mount->filesystem));
    }
    const bool is_held = std::any_of(held.settings_.begin(), held.settings_.end(),
                                     [&](const Setting& one) { return one.disk == device->disk; });
    if (is_held) continue;
    const auto file = machine.sysfs / "class/block" / device->disk / "queue/read_ahead_kb";
    const auto before = read_figure(file);
    if (!before) return data_error(fmt::format("--readahead: {}: cannot be read", file.string()));
    if (access(file.c_str(), W_OK) != 0) {
      return file_error("--readahead: " + file.string(), "cannot be set (only root may)", errno);
    }
    HDB_TRY(guard.add({Undo::kRestore, file.string(), std::to_string(*before)}));
    held.settings_.push_back({device->disk, file, *before});
  }
  return held;
}

Status HeldReadahead::set(std::optional<std::uint64_t> kib) const {
  for (const Setting& one : settings_) {
    const std::uint64_t wanted = kib.value_or(one.before_kib);
    std::ofstream(one.file) << wanted << '\n';
    const auto now = read_figure(one.file);
    if (now == wanted) continue;
    return data_error(fmt::format(
        "--readahead: {}: {} KiB were written and the kernel has {} (it takes whole pages)",
        one.file.string(), wanted, now ? fmt::format("{} KiB", *now) : "none"));
  }
  return ok_status();
}

std::vector<std::string> HeldReadahead::describe() const {
  std::vector<std::string> lines;
  for (const Setting& one : settings_) {
    lines.push_back(fmt::format("{}: readahead {} KiB", one.disk, one.before_kib));
  }
  return lines;
}

}  // namespace hdbench::bench
