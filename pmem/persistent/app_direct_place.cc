#include "pmem/persistent/app_direct_place.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/text.h"
#include "engine/base/write_guard.h"
#include "pmem/base/region_source.h"
#include "pmem/persistent/libpmem_mapping.h"

namespace hdbench::pmem {
namespace {

const std::filesystem::path kSharedMemory = "/dev/shm";

AppDirectPlace place_on_mount(const std::filesystem::path& directory, const Mount& mount) {
  AppDirectPlace place;
  place.directory = directory;
  place.persistent = true;
  place.label = fmt::format("real ({} with DAX on {})", mount.filesystem, mount.device);
  place.reason = fmt::format("{} ({})", directory.string(), describe(mount));
  return place;
}

// A disk's page cache under the name of persistent memory would be a figure of neither.
Error no_persistent_memory(const std::filesystem::path& directory, const Mount& mount) {
  if (mount.kind == MountKind::kMemory) {
    return data_error(fmt::format(
        "app-direct: --pmem-dir {} ({}) is this machine's memory, so it is no persistent memory; "
        "files there are --medium tmpfs",
        directory.string(), describe(mount)));
  }
  return data_error(fmt::format(
      "app-direct: --pmem-dir {} ({}) is {}, so it is no persistent memory; emulate it as "
      "app-direct:PROFILE (such as app-direct:optane-100-6dimm), without --pmem-dir",
      directory.string(), describe(mount),
      mount.dax ? "mounted with DAX, but without MAP_SYNC" : "not mounted with DAX"));
}

std::string explain_namespace(const PmemNamespace& one, const std::vector<Mount>& mounts) {
  const auto recreate = fmt::format("ndctl create-namespace -f -e {} -m fsdax", one.name);
  switch (one.mode) {
    case NamespaceMode::kRaw: return fmt::format("{} is in raw mode: {}", one.name, recreate);
    case NamespaceMode::kSector: return fmt::format("{} is in sector mode: {}", one.name, recreate);
    case NamespaceMode::kDevdax:
      return fmt::format("{} is in devdax mode: --pmem-dir /dev/daxX.Y (overwrites it), or {}",
                         one.name, recreate);
    case NamespaceMode::kUnknown: return fmt::format("{} is in an unknown mode", one.name);
    case NamespaceMode::kFsdax: break;
  }
  const std::string device = "/dev/" + one.block_device;
  const bool mounted = std::any_of(mounts.begin(), mounts.end(),
                                   [&](const Mount& mount) { return mount.device == device; });
  if (mounted) return {};  // then its mount says more
  return fmt::format("{} is not mounted: mkfs.ext4 -b 4096 {}; mount -o dax {} DIRECTORY", one.name,
                     device, device);
}

// Why no persistent memory was found beside the mounts that were tried, and what would bring it.
std::vector<std::string> explain_hardware(const Machine& machine) {
  std::vector<std::string> reasons;
  for (const PmemRegion& region : machine.pmem.regions) {
    if (region.namespaces.empty()) {
      reasons.push_back(fmt::format("{} has no namespace: ndctl create-namespace -r {} -m fsdax",
                                    region.name, region.name));
    }
    for (const PmemNamespace& one : region.namespaces) {
      if (auto reason = explain_namespace(one, machine.mounts); !reason.empty()) {
        reasons.push_back(std::move(reason));
      }
    }
  }
  return reasons;
}

std::string explain_mount(const Mount& mount, const Result<bool>& probed) {
  const auto what = fmt::format("{} ({})", mount.directory.string(), describe(mount));
  if (!probed.ok()) return probed.error().message;
  if (!mount.dax) return fmt::format("{} is mounted without dax: mount -o dax", what);
  return fmt::format(
      "{} is mounted with dax, but refuses MAP_SYNC: libpmem does not call it "
      "persistent memory (virtio-pmem does so)",
      what);
}

// One mapping a device, whoever asks: columns and results may lie on the same.
Result<std::shared_ptr<DeviceDax>> shared_device(const std::filesystem::path& path) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::weak_ptr<DeviceDax>> opened;
  const std::lock_guard lock(mutex);
  if (auto device = opened[path].lock()) return device;
  HDB_ASSIGN(auto device, DeviceDax::open(path, MachinePaths{}.sysfs));
  opened[path] = device;
  return device;
}

Mount mount_below(const Machine& machine, const std::filesystem::path& directory) {
  Mount unknown;
  unknown.filesystem = "unknown filesystem";
  return mount_of(machine.mounts, directory).value_or(unknown);
}

Status check_writable(std::string_view medium, const std::filesystem::path& directory) {
  std::error_code ignored;
  if (std::filesystem::is_directory(directory, ignored) &&
      ::access(directory.c_str(), W_OK | X_OK) == 0) {
    return ok_status();
  }
  return data_error(
      fmt::format("{}: {}: not a directory that one can write", medium, directory.string()));
}

Result<AppDirectPlace> use_directory(const Machine& machine, const std::filesystem::path& directory,
                                     const PmemProbe& probe) {
  HDB_TRY(check_writable("app-direct", directory));
  HDB_TRY(check_outside_databases("--pmem-dir", directory));
  HDB_ASSIGN(const bool is_pmem, probe(directory));
  const Mount mount = mount_below(machine, directory);
  // PMEM_IS_PMEM_FORCE makes libpmem call anything pmem: the mount has to agree.
  if (!is_pmem || !(mount.pmem || mount.dax)) return no_persistent_memory(directory, mount);
  return place_on_mount(directory, mount);
}

}  // namespace

bool names_dax_device(const std::filesystem::path& path) {
  return path.parent_path() == "/dev" && path.filename().string().starts_with("dax");
}

AppDirectPlace place_on_device(std::shared_ptr<DeviceDax> device) {
  const DaxDevice& about = device->about();
  AppDirectPlace place;
  place.directory = "/dev/" + about.name;
  place.persistent = true;
  place.label =
      fmt::format("real (device DAX {}, {}, {})", about.name, memory_text(about.bytes),
                  about.origin == MemoryOrigin::kUnknown ? "what it is made of is not known"
                                                         : word(about.origin));
  place.reason = place.label;
  place.device = std::move(device);
  return place;
}

Result<bool> probe_pmem(const std::filesystem::path& directory) {
  HDB_ASSIGN(const PersistentRegion region, map_persistent(directory, kRegionAlignment));
  return region.is_pmem;
}

Result<AppDirectPlace> find_persistent_mount(const Machine& machine, const PmemProbe& probe) {
  if (const char* absence = persistent_absence()) return data_error(absence);
  std::vector<std::string> reasons;
  for (const Mount& mount : machine.mounts) {
    if (!mount.dax && !mount.pmem) continue;
    // Trying a place makes a file in it.
    if (const Status allowed = check_outside_databases("app-direct", mount.directory);
        !allowed.ok()) {
      reasons.push_back(allowed.error().message);
      continue;
    }
    const auto probed = probe(mount.directory);
    if (probed.ok() && *probed) return place_on_mount(mount.directory, mount);
    reasons.push_back(explain_mount(mount, probed));
  }
  for (auto& reason : explain_hardware(machine)) reasons.push_back(std::move(reason));
  if (reasons.empty()) {
    reasons.emplace_back("no persistent-memory region in /sys/bus/nd");
  }
  return data_error(fmt::format("{}", fmt::join(reasons, "; ")));
}

Result<AppDirectPlace> find_app_direct_place(const Machine& machine,
                                             const std::filesystem::path& pmem_dir,
                                             const PmemProbe& probe) {
  if (const char* absence = persistent_absence()) {
    return data_error(fmt::format("app-direct is absent here: {}", absence));
  }
  if (names_dax_device(pmem_dir)) {
    HDB_ASSIGN(auto device, shared_device(pmem_dir));
    return place_on_device(std::move(device));
  }
  if (!pmem_dir.empty()) return use_directory(machine, pmem_dir, probe);
  auto found = find_persistent_mount(machine, probe);
  if (found.ok()) return found;
  return data_error("app-direct is absent here: " + found.error().message);
}

Result<AppDirectPlace> find_tmpfs_place(const Machine& machine,
                                        const std::filesystem::path& directory) {
  if (const char* absence = persistent_absence()) {
    return data_error(fmt::format("tmpfs is absent here: {}", absence));
  }
  AppDirectPlace place;
  place.directory = directory.empty() ? kSharedMemory : directory;
  HDB_TRY(check_writable("tmpfs", place.directory));
  HDB_TRY(check_outside_databases(directory.empty() ? "tmpfs" : "--pmem-dir", place.directory));
  const Mount mount = mount_below(machine, place.directory);
  if (mount.filesystem != "tmpfs") {
    return data_error(
        fmt::format("tmpfs: {} ({}) is no tmpfs", place.directory.string(), describe(mount)));
  }
  place.in_memory = true;
  place.reason = fmt::format("tmpfs on {}: this machine's memory", place.directory.string());
  place.label = fmt::format("real ({})", place.reason);
  return place;
}

}  // namespace hdbench::pmem
