#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "bench/machine/topo_report.h"

namespace hdbench {
namespace {

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
  const auto size = static_cast<double>(bytes);
  if (bytes >= kMib << 10) return fmt::format("{:.1f} GiB", size / (1 << 30));
  return bytes >= kMib ? fmt::format("{:.4g} MiB", size / (1 << 20))
                       : fmt::format("{:.4g} KiB", size / 1024);
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string limits_text(const CgroupLimits& limits) {
  std::vector<std::string> parts;
  if (limits.memory_bytes) {
    parts.push_back(size_text(*limits.memory_bytes) + " of memory");
    if (limits.available_bytes)
      parts.back() += fmt::format(" ({} left)", size_text(*limits.available_bytes));
  }
  if (limits.cpus) parts.push_back(fmt::format("the time of {:.4g} CPUs", *limits.cpus));
  if (!limits.cpuset.empty()) parts.push_back("CPUs " + limits.cpuset);
  return parts.empty() ? "" : fmt::format("control group: {}\n", fmt::join(parts, ", "));
}

std::string host_text(const TopoReport& report) {
  const Host& host = report.host;
  std::string text = fmt::format("{}\n{}\n", describe(host), host.kernel);
  std::string cpus;
  if (!host.cpus_online.empty()) cpus = fmt::format("CPUs {} online", host.cpus_online);
  if (host.sockets > 0) {
    cpus += fmt::format("{}{}, {}", cpus.empty() ? "" : ", ", counted(host.sockets, "socket"),
                        counted(host.cores, "core"));
  }
  if (!cpus.empty()) text += cpus + "\n";
  std::string caches;
  for (const CpuCache& cache : host.caches) {
    caches += fmt::format("{}L{} {} {}", caches.empty() ? "" : ", ", cache.level, cache.type,
                          size_text(cache.bytes));
    if (cache.sharing > 1) caches += fmt::format(" for {} CPUs", cache.sharing);
  }
  if (!caches.empty()) text += "caches: " + caches + "\n";
  text += limits_text(report.machine.limits);
  const std::string& huge = report.machine.transparent_huge_pages;
  return text + (huge.empty() ? "" : "transparent huge pages: " + huge + "\n");
}

std::string access_text(const MemoryAccess& access) {
  std::string figures;
  const auto add = [&](const char* what, const std::optional<std::uint64_t>& figure,
                       const char* unit) {
    if (!figure) return;
    figures += fmt::format("{}{} {} {}", figures.empty() ? "" : ", ", what, *figure, unit);
  };
  add("read", access.read_bandwidth_mb_s, "MB/s");
  add("write", access.write_bandwidth_mb_s, "MB/s");
  add("read", access.read_latency_ns, "ns");
  add("write", access.write_latency_ns, "ns");
  if (figures.empty()) return {};
  return fmt::format("    told by the firmware (access{}, from node {}): {}\n", access.access_class,
                     fmt::join(access.initiators, ", "), figures);
}

std::string hwloc_text(const HwlocMemory& hwloc, int number) {
  const auto found = std::find_if(hwloc.nodes.begin(), hwloc.nodes.end(),
                                  [&](const HwlocNode& node) { return node.number == number; });
  if (found == hwloc.nodes.end()) return {};
  std::vector<std::string> parts;
  if (!found->subtype.empty()) parts.push_back(found->subtype);
  for (const std::uint64_t bytes : found->memory_side_cache_bytes) {
    parts.push_back("memory-side cache of " + size_text(bytes));
  }
  for (const MemoryAttribute& attribute : found->attributes) {
    parts.push_back(
        fmt::format("{} {} from CPUs {}", attribute.name, attribute.value, attribute.initiator));
  }
  return parts.empty() ? "" : fmt::format("    {}: {}\n", hwloc.source, fmt::join(parts, ", "));
}

std::string node_text(const NumaNode& node, const HwlocMemory& hwloc) {
  std::string text = fmt::format("  node{}: {}, {} available, {}", node.number,
                                 size_text(node.memory_bytes), size_text(node.available_bytes),
                                 node.has_cpus ? "CPUs " + node.cpu_list : "no CPUs");
  if (node.origin != MemoryOrigin::kUnknown) text += fmt::format(", {}", word(node.origin));
  if (!node.distances.empty())
    text += fmt::format(", distances {}", fmt::join(node.distances, " "));
  if (node.memory_tier) text += fmt::format(", memory tier {}", *node.memory_tier);
  text += "\n";
  for (const MemoryAccess& access : node.access) text += access_text(access);
  for (const MemorySideCache& cache : node.memory_side_caches) {
    text +=
        fmt::format("    memory-side cache: level {}, {}, {}-byte lines{}{}{}{}\n", cache.level,
                    size_text(cache.bytes), cache.line_bytes, cache.indexing.empty() ? "" : ", ",
                    cache.indexing, cache.write_policy.empty() ? "" : ", ", cache.write_policy);
  }
  return text + hwloc_text(hwloc, node.number);
}

std::string nodes_text(const TopoReport& report) {
  const Machine& machine = report.machine;
  std::string text = fmt::format("\nNUMA nodes ({})\n", report.hwloc.source);
  if (machine.nodes.empty()) text += "  none shown in /sys/devices/system/node\n";
  for (const NumaNode& node : machine.nodes) text += node_text(node, report.hwloc);
  const WeightedInterleave& kernel = machine.weighted_interleave;
  if (!kernel.known)
    return text + "  weighted interleave: not in this kernel (from Linux 6.9 on)\n";
  std::vector<std::string> weights;
  for (const auto& [node, weight] : kernel.weights) {
    weights.push_back(fmt::format("node{} {}", node, weight));
  }
  return text + fmt::format("  weighted interleave: {}{}\n", fmt::join(weights, ", "),
                            kernel.automatic.value_or(false) ? " (set by the kernel)" : "");
}

std::string near_text(int node) {
  return node < 0 ? std::string() : fmt::format(", near node {}", node);
}

std::string pmem_text(const Machine& machine) {
  std::string text = fmt::format("\npersistent memory and DAX ({})\n", machine.pmem.source);
  const std::string heading = text;
  for (const PmemRegion& region : machine.pmem.regions) {
    text += fmt::format("  {}: {}{}, persistence domain {}, {}\n", region.name,
                        size_text(region.bytes), near_text(region.numa_node),
                        region.persistence_domain, counted(region.namespaces.size(), "namespace"));
    for (const PmemNamespace& one : region.namespaces) {
      text += fmt::format("    {}: {}, {}{}{}\n", one.name, word(one.mode), size_text(one.bytes),
                          one.block_device.empty() ? "" : ", /dev/", one.block_device);
    }
  }
  for (const DaxDevice& device : machine.pmem.dax_devices) {
    text += fmt::format("  {}: {}, {}, {}{}\n", device.name, size_text(device.bytes),
                        word(device.origin),
                        device.system_ram ? fmt::format("system-ram as node{}", device.target_node)
                                          : std::string("devdax"),
                        near_text(device.numa_node));
  }
  for (const Mount& mount : machine.mounts) {
    if (!mount.dax && !mount.pmem) continue;
    text += fmt::format("  {}: {} on {}, {}\n", mount.directory.string(), mount.filesystem,
                        mount.device, mount.dax ? "with dax" : "mounted without -o dax");
  }
  return text == heading ? text + "  none\n" : text;
}

std::string cxl_text(const CxlHardware& cxl) {
  std::string text = "\nCXL\n";
  if (!cxl.has_bus) return text + "  no CXL bus (/sys/bus/cxl is absent)\n";
  if (cxl.memdevs.empty()) text += "  no memory devices\n";
  for (const CxlMemdev& device : cxl.memdevs) {
    text += fmt::format("  {}: {} ram, {} pmem{}{}{}\n", device.name, size_text(device.ram_bytes),
                        size_text(device.pmem_bytes), near_text(device.numa_node),
                        device.pci_address.empty() ? "" : ", PCI ", device.pci_address);
  }
  for (const CxlRegion& region : cxl.regions) {
    text += fmt::format(
        "  {}: {} {}, {}, {} by {} bytes{}{}\n", region.name, size_text(region.bytes), region.mode,
        region.committed ? "committed" : "not committed",
        counted(static_cast<std::size_t>(region.interleave_ways), "way"), region.interleave_bytes,
        region.dax_devices.empty() ? "" : ", ", fmt::join(region.dax_devices, " "));
  }
  for (const CxlDecoder& decoder : cxl.decoders) {
    if (decoder.bytes == 0) continue;
    text += fmt::format("  {}: {}, {} at {:#x}{}{}\n", decoder.name, decoder.type,
                        size_text(decoder.bytes), decoder.start, decoder.region.empty() ? "" : ", ",
                        decoder.region);
  }
  return text;
}

std::string paths_text(const std::vector<PathReport>& paths) {
  if (paths.empty()) return {};
  std::string text = "\npaths\n";
  for (const PathReport& report : paths) {
    text += fmt::format("  {}{}{}{}: ", report.path.string(), report.why.empty() ? "" : " (",
                        report.why, report.why.empty() ? "" : ")");
    text += report.mount ? fmt::format("{}, {}\n", describe(*report.mount), report.mount->options)
                         : std::string("no mount is listed\n");
    if (report.device) text += fmt::format("    {}\n", describe(*report.device));
  }
  return text;
}

std::string media_text(const std::vector<MediumStatus>& media) {
  std::size_t name_width = std::string_view("medium").size();
  std::size_t state_width = std::string_view("here").size();
  for (const MediumStatus& medium : media) {
    name_width = std::max(name_width, medium.name.size());
    state_width = std::max(state_width, medium.state.size());
  }
  std::string text =
      fmt::format("\n{:<{}}  {:<{}}  {}\n", "medium", name_width, "here", state_width, "why");
  for (const MediumStatus& medium : media) {
    text += fmt::format("{:<{}}  {:<{}}  {}\n", medium.name, name_width, medium.state, state_width,
                        medium.reason);
  }
  return text;
}

}  // namespace

std::string topo_text(const TopoReport& report) {
  return host_text(report) + nodes_text(report) + pmem_text(report.machine) +
         cxl_text(report.machine.cxl) + paths_text(report.paths) + media_text(report.media);
}

}  // namespace hdbench
