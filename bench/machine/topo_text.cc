#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/machine/setting_notes.h"
#include "bench/machine/topo_report.h"
#include "engine/base/text.h"
#include "pmem/emulator/emulated_meter.h"

namespace hdbench::bench {
namespace {

// Those that are not empty, with commas.
std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() || part.empty() ? "" : ", ") + part;
  return text;
}

// Nothing where there is no text.
std::string led(std::string_view lead, std::string_view text, std::string_view end = "") {
  return text.empty() ? std::string() : fmt::format("{}{}{}", lead, text, end);
}

template <typename T>
std::string known(std::string_view lead, const std::optional<T>& figure, std::string_view unit) {
  return figure ? fmt::format("{}{:.4g}{}", lead, static_cast<double>(*figure), unit) : "";
}

std::string limits_text(const CgroupLimits& limits) {
  std::string memory;
  if (limits.memory_bytes) memory = memory_text(*limits.memory_bytes) + " of memory";
  if (limits.memory_bytes && limits.available_bytes)
    memory += fmt::format(" ({} left)", memory_text(*limits.available_bytes));
  return listed({memory, known("the time of ", limits.cpus, " CPUs"), led("CPUs ", limits.cpuset)});
}

std::string host_text(const TopoReport& report) {
  const Host& host = report.host;
  const bool is_counted = host.sockets > 0;
  std::vector<std::string> caches;
  for (const CpuCache& cache : host.caches) {
    caches.push_back(fmt::format("L{} {} {}", cache.level, cache.type, memory_text(cache.bytes)));
    if (cache.sharing > 1) caches.back() += fmt::format(" for {} CPUs", cache.sharing);
  }
  return fmt::format("{}\n{}\n", describe(host), host.kernel) +
         led("",
             listed({led("CPUs ", host.cpus_online, " online"),
                     is_counted ? counted(host.sockets, "socket") : "",
                     is_counted ? counted(host.cores, "core") : ""}),
             "\n") +
         led("caches: ", listed(caches), "\n") +
         led("control group: ", limits_text(report.machine.limits), "\n") +
         led("transparent huge pages: ", report.machine.transparent_huge_pages, "\n");
}

std::string access_text(const MemoryAccess& access) {
  const auto figure = [](const char* what, const auto& value, const char* unit) {
    return value ? fmt::format("{} {} {}", what, *value, unit) : "";
  };
  return led(fmt::format("    reported by the firmware (access{}, from node {}): ",
                         access.access_class, fmt::join(access.initiators, ", ")),
             listed({figure("read", access.read_bandwidth_mb_s, "MB/s"),
                     figure("write", access.write_bandwidth_mb_s, "MB/s"),
                     figure("read", access.read_latency_ns, "ns"),
                     figure("write", access.write_latency_ns, "ns")}),
             "\n");
}

std::string node_text(const NumaNode& node) {
  std::string text = fmt::format(
      "  node{}: {}\n", node.number,
      listed({memory_text(node.memory_bytes), memory_text(node.available_bytes) + " available",
              node.has_cpus ? "CPUs " + node.cpu_list : "no CPUs",
              node.origin == MemoryOrigin::kUnknown ? "" : word(node.origin),
              led("distances ", fmt::format("{}", fmt::join(node.distances, " "))),
              known("memory tier ", node.memory_tier, ""), node.unusable}));
  for (const MemoryAccess& access : node.access) text += access_text(access);
  for (const MemorySideCache& cache : node.memory_side_caches) {
    text += fmt::format(
        "    memory-side cache: level {}, {}\n", cache.level,
        listed({memory_text(cache.bytes), fmt::format("{}-byte lines", cache.line_bytes),
                cache.indexing, cache.write_policy}));
  }
  return text;
}

std::string nodes_text(const TopoReport& report) {
  const Machine& machine = report.machine;
  std::string text = "\nNUMA nodes\n";
  if (machine.nodes.empty()) text += "  none shown in /sys/devices/system/node\n";
  for (const NumaNode& node : machine.nodes) text += node_text(node);
  const WeightedInterleave& kernel = machine.weighted_interleave;
  if (!kernel.known)
    return text + "  weighted interleave: not in this kernel (from Linux 6.9 on)\n";
  std::vector<std::string> weights;
  for (const auto& [node, weight] : kernel.weights)
    weights.push_back(fmt::format("node{} {}", node, weight));
  return text + fmt::format("  weighted interleave: {}{}\n", listed(weights),
                            kernel.automatic.value_or(false) ? " (set by the kernel)" : "");
}

std::string item(std::string_view name, const std::vector<std::string>& parts) {
  return fmt::format("  {}: {}\n", name, listed(parts));
}

std::string near_text(int node) { return node < 0 ? "" : fmt::format("near node {}", node); }

std::string pmem_text(const Machine& machine) {
  std::string text;
  for (const PmemRegion& region : machine.pmem.regions) {
    text += item(region.name, {memory_text(region.bytes), near_text(region.numa_node),
                               "persistence domain " + region.persistence_domain,
                               counted(region.namespaces.size(), "namespace")});
    for (const PmemNamespace& one : region.namespaces)
      text += item("  " + one.name,
                   {word(one.mode), memory_text(one.bytes), led("/dev/", one.block_device)});
  }
  for (const DaxDevice& device : machine.pmem.dax_devices) {
    text += item(
        device.name,
        {memory_text(device.bytes), word(device.origin),
         device.system_ram ? fmt::format("system-ram as node{}", device.target_node) : "devdax",
         near_text(device.numa_node)});
  }
  for (const Mount& mount : machine.mounts) {
    if (!mount.dax && !mount.pmem) continue;
    text += item(mount.directory.string(), {mount.filesystem + " on " + mount.device,
                                            mount.dax ? "with dax" : "mounted without -o dax"});
  }
  return fmt::format("\npersistent memory and DAX ({})\n{}", machine.pmem.source,
                     text.empty() ? "  none\n" : text);
}

std::string cxl_text(const CxlHardware& cxl) {
  std::string text = "\nCXL\n";
  if (!cxl.has_bus) return text + "  no CXL bus (/sys/bus/cxl is absent)\n";
  if (cxl.memdevs.empty()) text += "  no memory devices\n";
  for (const CxlMemdev& device : cxl.memdevs) {
    text += item(device.name,
                 {memory_text(device.ram_bytes) + " ram", memory_text(device.pmem_bytes) + " pmem",
                  near_text(device.numa_node), led("PCI ", device.pci_address)});
  }
  for (const CxlRegion& region : cxl.regions) {
    text += item(region.name,
                 {memory_text(region.bytes) + " " + region.mode,
                  region.committed ? "committed" : "not committed",
                  fmt::format("{} by {} bytes",
                              counted(static_cast<std::size_t>(region.interleave_ways), "way"),
                              region.interleave_bytes),
                  fmt::format("{}", fmt::join(region.dax_devices, " "))});
  }
  for (const CxlDecoder& decoder : cxl.decoders) {
    if (decoder.bytes == 0) continue;
    text +=
        item(decoder.name,
             {decoder.type, fmt::format("{} at {:#x}", memory_text(decoder.bytes), decoder.start),
              decoder.region});
  }
  return text;
}

std::string paths_text(const std::vector<PathReport>& paths) {
  if (paths.empty()) return {};
  std::string text = "\npaths\n";
  for (const PathReport& report : paths) {
    text += fmt::format("  {}{}: ", report.path.string(), led(" (", report.why, ")"));
    text += report.mount ? fmt::format("{}, {}\n", describe(*report.mount), report.mount->options)
                         : std::string("no mount is listed\n");
    if (!report.device) continue;
    text += fmt::format("    {}\n", describe(*report.device));
    if (const auto note = readahead_note(*report.device)) text += "    " + note->text + "\n";
  }
  return text;
}

std::string media_text(const std::vector<MediumStatus>& media) {
  TextRows rows{{"medium", "here", "why"}};
  for (const MediumStatus& one : media) rows.push_back({one.name, one.state, one.reason});
  return "\n" + aligned(rows, 3);
}

// A paragraph with a line for each command, to be copied.
std::string setup_text(const std::vector<SetupStep>& steps) {
  if (steps.empty()) return {};
  std::string text = "\nnot as wanted (commands for root; topo --want)\n";
  for (const SetupStep& step : steps) {
    text += fmt::format("  {} {}; wanted: {}\n", step.device, step.found, step.wanted);
    for (const std::string& command : step.commands) text += "    " + command + "\n";
    if (!step.remark.empty()) text += "    (" + step.remark + ")\n";
  }
  return text;
}

std::string accuracy_text() {
  TextRows rows{{"emulated", "checked against", "median", "worst"}};
  for (const EmulatorAccuracy& one : kEmulatorAccuracy) {
    rows.push_back({std::string(one.device), std::string(one.against), std::string(one.median),
                    std::string(one.worst)});
  }
  return "\nthe emulator's error (docs/emulator-accuracy.md)\n" + aligned(rows, 2);
}

}  // namespace

std::vector<PathReport> report_paths(const std::vector<std::filesystem::path>& paths,
                                     const Machine& machine, const std::filesystem::path& sysfs) {
  std::vector<PathReport> reports;
  const auto add = [&](const std::filesystem::path& path, const char* why) {
    if (path.empty()) return;
    PathReport& found = reports.emplace_back();
    found.path = path;
    found.why = why;
    found.mount = mount_of(machine.mounts, path);
    if (found.mount) found.device = read_block_device(sysfs, found.mount->block_device);
  };
  for (const auto& path : paths) add(path, "");
  if (!paths.empty()) return reports;
  std::error_code failed;  // then the path is empty
  add(std::filesystem::current_path(failed), "current directory");
  add(std::filesystem::temp_directory_path(failed), "temporary directory");
  return reports;
}

std::string topo_text(const TopoReport& report) {
  return host_text(report) + nodes_text(report) + pmem_text(report.machine) +
         cxl_text(report.machine.cxl) + paths_text(report.paths) + media_text(report.media) +
         setup_text(report.setup) + accuracy_text();
}

}  // namespace hdbench::bench
