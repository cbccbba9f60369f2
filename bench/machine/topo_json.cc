#include "bench/base/json_value.h"
#include "bench/machine/topo_report.h"

namespace hdbench {
namespace {

template <typename T, typename Write>
Json list_of(const std::vector<T>& things, const Write& write) {
  Json list = Json::array();
  for (const T& thing : things) list.push_back(write(thing));
  return list;
}

Json cache_json(const CpuCache& cache) {
  return {{"level", cache.level},
          {"type", cache.type},
          {"bytes", cache.bytes},
          {"line_bytes", cache.line_bytes},
          {"cpus", cache.sharing}};
}

Json host_json(const TopoReport& report) {
  const Host& host = report.host;
  return {{"name", host.host_name},
          {"cpu_model", host.cpu_model},
          {"kernel", host.kernel},
          {"cpus_usable", host.cpus},
          {"cpus_online", host.cpus_online},
          {"sockets", host.sockets},
          {"cores", host.cores},
          {"mhz", or_null(host.mhz)},
          {"memory_bytes", report.machine.memory_bytes.value_or(host.memory_bytes)},
          {"transparent_huge_pages", report.machine.transparent_huge_pages},
          {"caches", list_of(host.caches, cache_json)},
          {"control_group",
           {{"memory_bytes", or_null(report.machine.limits.memory_bytes)},
            {"available_bytes", or_null(report.machine.limits.available_bytes)},
            {"cpus", or_null(report.machine.limits.cpus)},
            {"cpuset", report.machine.limits.cpuset}}}};
}

Json access_json(const MemoryAccess& access) {
  return {{"class", access.access_class},
          {"initiators", access.initiators},
          {"read_mb_s", or_null(access.read_bandwidth_mb_s)},
          {"write_mb_s", or_null(access.write_bandwidth_mb_s)},
          {"read_ns", or_null(access.read_latency_ns)},
          {"write_ns", or_null(access.write_latency_ns)}};
}

Json side_cache_json(const MemorySideCache& cache) {
  return {{"level", cache.level},
          {"bytes", cache.bytes},
          {"line_bytes", cache.line_bytes},
          {"indexing", cache.indexing},
          {"write_policy", cache.write_policy}};
}

Json node_json(const NumaNode& node) {
  return {{"number", node.number},
          {"cpus", node.cpu_list},
          {"memory_bytes", node.memory_bytes},
          {"free_bytes", node.free_bytes},
          {"available_bytes", node.available_bytes},
          {"distances", node.distances},
          {"memory_tier", or_null(node.memory_tier)},
          {"origin", word(node.origin)},
          {"access", list_of(node.access, access_json)},
          {"memory_side_caches", list_of(node.memory_side_caches, side_cache_json)}};
}

Json hwloc_node_json(const HwlocNode& node) {
  return {{"number", node.number},
          {"subtype", node.subtype},
          {"memory_side_cache_bytes", node.memory_side_cache_bytes},
          {"attributes", list_of(node.attributes, [](const MemoryAttribute& attribute) {
             return Json{{"name", attribute.name},
                         {"value", attribute.value},
                         {"cpus", attribute.initiator}};
           })}};
}

Json weights_json(const WeightedInterleave& kernel) {
  Json weights = Json::object();
  for (const auto& [node, weight] : kernel.weights) weights[std::to_string(node)] = weight;
  return {{"known", kernel.known}, {"automatic", or_null(kernel.automatic)}, {"weights", weights}};
}

Json namespace_json(const PmemNamespace& one) {
  return {{"name", one.name},
          {"mode", word(one.mode)},
          {"bytes", one.bytes},
          {"block_device", one.block_device}};
}

Json region_json(const PmemRegion& region) {
  return {{"name", region.name},
          {"bytes", region.bytes},
          {"numa_node", region.numa_node},
          {"target_node", region.target_node},
          {"persistence_domain", region.persistence_domain},
          {"namespaces", list_of(region.namespaces, namespace_json)}};
}

Json dax_json(const DaxDevice& device) {
  return {{"name", device.name},
          {"bytes", device.bytes},
          {"align_bytes", device.align_bytes},
          {"numa_node", device.numa_node},
          {"target_node", device.target_node},
          {"system_ram", device.system_ram},
          {"origin", word(device.origin)}};
}

Json dax_mounts_json(const std::vector<Mount>& mounts) {
  Json list = Json::array();
  for (const Mount& mount : mounts) {
    if (!mount.dax && !mount.pmem) continue;
    list.push_back({{"directory", mount.directory.string()},
                    {"filesystem", mount.filesystem},
                    {"device", mount.device},
                    {"pmem", mount.pmem},
                    {"dax", mount.dax}});
  }
  return list;
}

Json memdev_json(const CxlMemdev& device) {
  return {{"name", device.name},
          {"ram_bytes", device.ram_bytes},
          {"pmem_bytes", device.pmem_bytes},
          {"numa_node", device.numa_node},
          {"pci", device.pci_address},
          {"serial", device.serial},
          {"firmware", device.firmware}};
}

Json cxl_region_json(const CxlRegion& region) {
  return {{"name", region.name},
          {"bytes", region.bytes},
          {"mode", region.mode},
          {"ways", region.interleave_ways},
          {"granularity_bytes", region.interleave_bytes},
          {"committed", region.committed},
          {"decoders", region.decoders},
          {"dax", region.dax_devices}};
}

Json decoder_json(const CxlDecoder& decoder) {
  return {{"name", decoder.name},
          {"type", decoder.type},
          {"start", decoder.start},
          {"bytes", decoder.bytes},
          {"mode", decoder.mode},
          {"ways", decoder.interleave_ways},
          {"granularity_bytes", decoder.interleave_bytes},
          {"region", decoder.region}};
}

Json cxl_json(const CxlHardware& cxl) {
  return {{"bus", cxl.has_bus},
          {"memdevs", list_of(cxl.memdevs, memdev_json)},
          {"regions", list_of(cxl.regions, cxl_region_json)},
          {"decoders", list_of(cxl.decoders, decoder_json)}};
}

const char* kind_word(MountKind kind) {
  return kind == MountKind::kDisk ? "disk" : kind == MountKind::kMemory ? "memory" : "other";
}

Json mount_json(const Mount& mount) {
  return {{"directory", mount.directory.string()},
          {"filesystem", mount.filesystem},
          {"device", mount.device},
          {"kind", kind_word(mount.kind)},
          {"options", mount.options},
          {"dax", mount.dax},
          {"pmem", mount.pmem}};
}

Json device_json(const BlockDevice& device) {
  return {{"name", device.name},
          {"disk", device.disk},
          {"below", device.below},
          {"model", device.model},
          {"transport", device.transport},
          {"bytes", device.bytes},
          {"numa_node", device.numa_node},
          {"rotational", or_null(device.rotational)},
          {"scheduler", device.scheduler},
          {"readahead_bytes", or_null(device.readahead_bytes)},
          {"requests_max", or_null(device.requests_max)},
          {"request_bytes_max", or_null(device.request_bytes_max)},
          {"logical_block_bytes", or_null(device.logical_block_bytes)},
          {"physical_block_bytes", or_null(device.physical_block_bytes)},
          {"hardware_queues", device.hardware_queues},
          {"write_cache", device.write_cache},
          {"dax", device.dax}};
}

Json path_json(const PathReport& report) {
  return {{"path", report.path.string()},
          {"why", report.why},
          {"mount", report.mount ? mount_json(*report.mount) : Json(nullptr)},
          {"device", report.device ? device_json(*report.device) : Json(nullptr)}};
}

Json medium_json(const MediumStatus& medium) {
  return {{"name", medium.name}, {"state", medium.state}, {"reason", medium.reason}};
}

}  // namespace

nlohmann::ordered_json topo_json(const TopoReport& report) {
  const Machine& machine = report.machine;
  return {
      {"format", "hdbench-topo-1"},
      {"host", host_json(report)},
      {"nodes", list_of(machine.nodes, node_json)},
      {"hwloc",
       {{"source", report.hwloc.source}, {"nodes", list_of(report.hwloc.nodes, hwloc_node_json)}}},
      {"weighted_interleave", weights_json(machine.weighted_interleave)},
      {"pmem",
       {{"source", machine.pmem.source}, {"regions", list_of(machine.pmem.regions, region_json)}}},
      {"dax", list_of(machine.pmem.dax_devices, dax_json)},
      {"dax_mounts", dax_mounts_json(machine.mounts)},
      {"cxl", cxl_json(machine.cxl)},
      {"paths", list_of(report.paths, path_json)},
      {"media", list_of(report.media, medium_json)}};
}

}  // namespace hdbench
