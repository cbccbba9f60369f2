#include "pmem/media_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "pmem/numa_binding.h"
#include "pmem/nvme_medium.h"

namespace hdbench {
namespace {

double gibibytes(std::uint64_t bytes) {
  return static_cast<double>(bytes) / (1024.0 * 1024 * 1024);
}

MediumStatus nvme_status(const MediumOptions& options, const Machine& machine) {
  const auto directory = scratch_dir_of(options);
  const auto mount = mount_of(machine.mounts, directory);
  if (!mount) return {"nvme", "real", fmt::format("{}: no mount is listed", directory.string())};
  const auto where = fmt::format("{} ({})", directory.string(), describe(*mount));
  switch (mount->kind) {
    case MountKind::kDisk: return {"nvme", "real", where};
    case MountKind::kMemory:
      return {"nvme", "emulated", where + ": memory, not a disk; name a directory on a disk"};
    case MountKind::kOther: break;
  }
  return {"nvme", "real", where + ": the disk below is not known"};
}

MediumStatus dram_status(const Machine& machine) {
  std::string what = machine.memory_bytes
                         ? fmt::format("{:.1f} GiB", gibibytes(*machine.memory_bytes))
                         : std::string("memory of unknown size");
  const auto nodes = std::count_if(machine.nodes.begin(), machine.nodes.end(),
                                   [](const NumaNode& node) { return node.memory_bytes > 0; });
  if (nodes > 0) what += fmt::format(" on {} node{}", nodes, nodes == 1 ? "" : "s");
  if (!machine.transparent_huge_pages.empty()) {
    what += fmt::format(", transparent huge pages: {}", machine.transparent_huge_pages);
  }
  if (!can_bind_memory()) what += ", placed where first touched (no libnuma)";
  return {"dram", "real", what};
}

MediumStatus app_direct_status(const MediumOptions& options, const Machine& machine,
                               const PmemProbe& probe) {
  const auto place = find_app_direct_place(machine, options.pmem_dir, probe);
  if (!place.ok()) return {"app-direct", "absent", place.error().message};
  if (place->real) return {"app-direct", "real", place->reason};
  return {"app-direct", "emulated",
          fmt::format("{}: {}", place->label.substr(place->label.find('(')), place->reason)};
}

std::string unused_dax_devices(const Machine& machine) {
  std::string found;
  for (const DaxDevice& device : machine.pmem.dax_devices) {
    if (device.system_ram) continue;
    found += fmt::format("; {} is in devdax mode: daxctl reconfigure-device --mode=system-ram {}",
                         device.name, device.name);
  }
  return found;
}

}  // namespace

MediumStatus memory_mode_status(const Machine& machine) {
  if (machine.nodes.empty()) {
    return {"memory-mode", "absent", "no NUMA nodes shown in /sys/devices/system/node"};
  }
  for (const NumaNode& node : machine.nodes) {
    if (node.memory_side_caches.empty()) continue;
    const MemorySideCache& cache = node.memory_side_caches.front();
    return {"memory-mode", "real",
            fmt::format("node{} has a memory-side cache of {} MiB with {}-byte lines: the dram "
                        "medium runs through it",
                        node.number, cache.bytes >> 20, cache.line_bytes)};
  }
  return {"memory-mode", "absent", "no memory-side cache in /sys/devices/system/node"};
}

MediumStatus cxl_status(const Machine& machine) {
  if (machine.nodes.empty()) {
    return {"cxl", "absent", "no NUMA nodes shown in /sys/devices/system/node"};
  }
  for (const NumaNode& node : machine.nodes) {
    if (node.has_cpus || node.memory_bytes == 0) continue;
    return {"cxl", "real",
            fmt::format("node{} has {:.1f} GiB and no CPUs: numactl --membind={} with the dram "
                        "medium runs on it",
                        node.number, gibibytes(node.memory_bytes), node.number)};
  }
  return {"cxl", "absent", "no CPU-less NUMA node with memory" + unused_dax_devices(machine)};
}

std::vector<MediumStatus> list_media(const MediumOptions& options, const Machine& machine,
                                     const PmemProbe& probe) {
  return {nvme_status(options, machine), dram_status(machine),
          app_direct_status(options, machine, probe), memory_mode_status(machine),
          cxl_status(machine)};
}

}  // namespace hdbench
