#include "bench/base/json_value.h"
#include "bench/base/layers.h"
#include "bench/machine/topo_report.h"

namespace hdbench::bench {
namespace {

template <typename T>
Json json_of(const T& value) {
  if constexpr (requires { value.has_value(); }) {
    return value ? json_of(*value) : Json();
  } else {
    return value;
  }
}

// The names, apart by blanks, with their values.
template <typename... T>
Json object(std::string_view names, const T&... values) {
  Json json = Json::object();
  const auto add = [&](const auto& value) {
    const std::size_t end = names.find(' ');
    json[std::string(names.substr(0, end))] = json_of(value);
    names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
  };
  (add(values), ...);
  return json;
}

const char* kind_word(MountKind kind) {
  return kind == MountKind::kDisk ? "disk" : kind == MountKind::kMemory ? "memory" : "other";
}

}  // namespace

// Found by the JSON library, also for the items of lists.
static void to_json(Json& json, const CpuCache& cache) {
  json = object("level type bytes line_bytes cpus", cache.level, cache.type, cache.bytes,
                cache.line_bytes, cache.sharing);
}

static void to_json(Json& json, const PathReport& report) {
  json = object("path why mount device", report.path.string(), report.why, report.mount,
                report.device);
}

}  // namespace hdbench::bench

namespace hdbench::pmem {

using bench::Json;
using bench::kind_word;
using bench::object;

static void to_json(Json& json, const CgroupLimits& limits) {
  json = object("memory_bytes available_bytes cpus cpuset", limits.memory_bytes,
                limits.available_bytes, limits.cpus, limits.cpuset);
}

static void to_json(Json& json, const MemoryAccess& access) {
  json = object("class initiators read_mb_s write_mb_s read_ns write_ns", access.access_class,
                access.initiators, access.read_bandwidth_mb_s, access.write_bandwidth_mb_s,
                access.read_latency_ns, access.write_latency_ns);
}

static void to_json(Json& json, const MemorySideCache& cache) {
  json = object("level bytes line_bytes indexing write_policy", cache.level, cache.bytes,
                cache.line_bytes, cache.indexing, cache.write_policy);
}

static void to_json(Json& json, const NumaNode& node) {
  json = object(
      "number cpus memory_bytes free_bytes available_bytes distances memory_tier origin access "
      "memory_side_caches online unusable",
      node.number, node.cpu_list, node.memory_bytes, node.free_bytes, node.available_bytes,
      node.distances, node.memory_tier, word(node.origin), node.access, node.memory_side_caches,
      node.online, node.unusable);
}

static void to_json(Json& json, const WeightedInterleave& kernel) {
  Json weights = Json::object();
  for (const auto& [node, weight] : kernel.weights) weights[std::to_string(node)] = weight;
  json = object("known automatic weights", kernel.known, kernel.automatic, weights);
}

static void to_json(Json& json, const PmemNamespace& one) {
  json =
      object("name mode bytes block_device", one.name, word(one.mode), one.bytes, one.block_device);
}

static void to_json(Json& json, const PmemRegion& region) {
  json = object("name bytes numa_node target_node persistence_domain namespaces", region.name,
                region.bytes, region.numa_node, region.target_node, region.persistence_domain,
                region.namespaces);
}

static void to_json(Json& json, const DaxDevice& device) {
  json = object("name bytes align_bytes numa_node target_node system_ram origin", device.name,
                device.bytes, device.align_bytes, device.numa_node, device.target_node,
                device.system_ram, word(device.origin));
}

static void to_json(Json& json, const CxlMemdev& device) {
  json = object("name ram_bytes pmem_bytes numa_node pci serial firmware", device.name,
                device.ram_bytes, device.pmem_bytes, device.numa_node, device.pci_address,
                device.serial, device.firmware);
}

static void to_json(Json& json, const CxlRegion& region) {
  json = object("name bytes mode ways granularity_bytes committed decoders dax", region.name,
                region.bytes, region.mode, region.interleave_ways, region.interleave_bytes,
                region.committed, region.decoders, region.dax_devices);
}

static void to_json(Json& json, const CxlDecoder& decoder) {
  json = object("name type start bytes mode ways granularity_bytes region", decoder.name,
                decoder.type, decoder.start, decoder.bytes, decoder.mode, decoder.interleave_ways,
                decoder.interleave_bytes, decoder.region);
}

static void to_json(Json& json, const Mount& mount) {
  json = object("directory filesystem device kind options dax pmem", mount.directory.string(),
                mount.filesystem, mount.device, kind_word(mount.kind), mount.options, mount.dax,
                mount.pmem);
}

static void to_json(Json& json, const BlockDevice& device) {
  json = object(
      "name disk below model transport bytes numa_node rotational scheduler readahead_bytes "
      "requests_max request_bytes_max logical_block_bytes physical_block_bytes hardware_queues "
      "write_cache dax",
      device.name, device.disk, device.below, device.model, device.transport, device.bytes,
      device.numa_node, device.rotational, device.scheduler, device.readahead_bytes,
      device.requests_max, device.request_bytes_max, device.logical_block_bytes,
      device.physical_block_bytes, device.hardware_queues, device.write_cache, device.dax);
}

static void to_json(Json& json, const SetupStep& step) {
  json = object("device found wanted commands remark", step.device, step.found, step.wanted,
                step.commands, step.remark);
}

static void to_json(Json& json, const MediumStatus& medium) {
  json = object("name state reason", medium.name, medium.state, medium.reason);
}

}  // namespace hdbench::pmem

namespace hdbench::bench {

nlohmann::ordered_json topo_json(const TopoReport& report) {
  const Machine& machine = report.machine;
  const Host& host = report.host;
  Json dax_mounts = Json::array();
  for (const Mount& mount : machine.mounts) {
    if (!mount.dax && !mount.pmem) continue;
    dax_mounts.push_back(object("directory filesystem device pmem dax", mount.directory.string(),
                                mount.filesystem, mount.device, mount.pmem, mount.dax));
  }
  return object(
      "format host nodes weighted_interleave pmem dax dax_mounts cxl paths media setup",
      "hdbench-topo-1",
      object("name cpu_model kernel cpus_usable cpus_online sockets cores mhz memory_bytes "
             "transparent_huge_pages caches control_group",
             host.host_name, host.cpu_model, host.kernel, host.cpus, host.cpus_online, host.sockets,
             host.cores, host.mhz, machine.memory_bytes.value_or(host.memory_bytes),
             machine.transparent_huge_pages, host.caches, machine.limits),
      machine.nodes, machine.weighted_interleave,
      object("source regions", machine.pmem.source, machine.pmem.regions), machine.pmem.dax_devices,
      dax_mounts,
      object("bus memdevs regions decoders", machine.cxl.has_bus, machine.cxl.memdevs,
             machine.cxl.regions, machine.cxl.decoders),
      report.paths, report.media, report.setup);
}

}  // namespace hdbench::bench
