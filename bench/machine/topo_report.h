// Everything that `hdbench topo` tells, gathered once and then written as text or as JSON.
//
// The JSON's fields are stable; new ones may come, none goes or changes its meaning. What is not
// told is null, 0 or an empty list as the structs say; sizes are bytes:
//   format      "hdbench-topo-1"
//   host        name, cpu_model, kernel, cpus_usable, cpus_online "0-3", sockets, cores, mhz,
//               memory_bytes, transparent_huge_pages, caches [level type bytes line_bytes cpus],
//               control_group {memory_bytes available_bytes cpus cpuset}
//   nodes       [number cpus memory_bytes free_bytes available_bytes distances memory_tier origin
//               access [class initiators read_mb_s write_mb_s read_ns write_ns]
//               memory_side_caches [level bytes line_bytes indexing write_policy] online
//               unusable]; unusable: why this process has no memory there, or ""
//   weighted_interleave   known, automatic, weights {"0": 1}
//   pmem        source, regions [name bytes numa_node target_node persistence_domain
//               namespaces [name mode bytes block_device]]
//   dax         [name bytes align_bytes numa_node target_node system_ram origin]
//   dax_mounts  [directory filesystem device pmem dax]
//   cxl         bus, memdevs [name ram_bytes pmem_bytes numa_node pci serial firmware],
//               regions [name bytes mode ways granularity_bytes committed decoders dax],
//               decoders [name type start bytes mode ways granularity_bytes region]
//   paths       [path why mount {directory filesystem device kind options dax pmem}
//               device {name disk below model transport bytes numa_node rotational scheduler
//               readahead_bytes requests_max request_bytes_max logical_block_bytes
//               physical_block_bytes hardware_queues write_cache dax}]; mount, device: or null
//   media       [name state reason]; state "real", "emulated", "absent"
//   setup       [device found wanted commands remark]: of DAX and CXL devices that are not as they
//               are wanted (--want), commands for root in their order; none: [], and remark says
//               why
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/machine/host.h"
#include "pmem/machine/block_device.h"
#include "pmem/machine/memory_setup.h"
#include "pmem/machine/topology.h"
#include "pmem/media/medium.h"

namespace hdbench::bench {

// What lies below a path: filesystem with mount options, block device with its queue.
struct PathReport {
  std::filesystem::path path;
  std::string why;  // "current directory"; empty: named on the command line
  std::optional<Mount> mount;
  std::optional<BlockDevice> device;
};

// Describes each of these paths, or the current and the temporary directory if there are none. A
// missing path is replaced by its nearest existing parent.
std::vector<PathReport> report_paths(const std::vector<std::filesystem::path>& paths,
                                     const Machine& machine, const std::filesystem::path& sysfs);

struct TopoReport {
  Host host;
  Machine machine;
  std::vector<PathReport> paths;
  std::vector<MediumStatus> media;
  std::vector<SetupStep> setup;
};

nlohmann::ordered_json topo_json(const TopoReport& report);

// As text: a paragraph for each subject, a line for each item, then the media and how far the
// emulator was off.
std::string topo_text(const TopoReport& report);

}  // namespace hdbench::bench
