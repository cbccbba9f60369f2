#include "pmem/media/media_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "pmem/base/medium_spec.h"
#include "pmem/machine/memory_setup.h"
#include "pmem/media/node_choice.h"
#include "pmem/media/nvme_medium.h"
#include "pmem/memory/node_pages.h"

namespace hdbench::pmem {
namespace {

// A machine that lacks a medium can emulate it.
MediumStatus absent(const char* name, const std::string& why, const std::string& emulation) {
  return {name, "absent", fmt::format("{}; emulate it as {}", why, emulation)};
}

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
                                   [](const NumaNode& node) { return node.unusable.empty(); });
  if (nodes > 0) what += fmt::format(" on {} node{}", nodes, nodes == 1 ? "" : "s");
  if (!machine.transparent_huge_pages.empty()) {
    what += fmt::format(", transparent huge pages: {}", machine.transparent_huge_pages);
  }
  if (!can_bind_memory()) what += ", placed where first touched (no memory policies here)";
  return {"dram", "real", what};
}

MediumStatus app_direct_status(const MediumOptions& options, const Machine& machine,
                               const PmemProbe& probe) {
  // What was requested and is none says itself what to do.
  const auto place = options.pmem_dir.empty()
                         ? find_persistent_mount(machine, probe)
                         : find_app_direct_place(machine, options.pmem_dir, probe);
  if (place.ok()) return {"app-direct", "real", place->reason};
  if (!options.pmem_dir.empty()) return {"app-direct", "absent", place.error().message};
  return absent("app-direct", place.error().message,
                fmt::format("app-direct:{}", kAppDirectProfile));
}

MediumStatus tmpfs_status(const MediumOptions& options, const Machine& machine) {
  const auto place = find_tmpfs_place(machine, options.pmem_dir);
  if (!place.ok()) return {"tmpfs", "absent", place.error().message};
  return {"tmpfs", "real", place->reason};
}

// What keeps the machine's DAX and CXL devices from being a node, with the commands that help. All
// are wanted as memory here.
void explain_devices(const Machine& machine, std::vector<std::string>& reasons) {
  if (machine.cxl.has_bus && machine.cxl.memdevs.empty())
    reasons.emplace_back("the CXL bus has no memory devices");
  for (const SetupStep& step : setup_steps(machine, {"system-ram", {}})) {
    std::string reason = fmt::format("{} {}", step.device, step.found);
    if (!step.commands.empty()) reason += fmt::format(": {}", fmt::join(step.commands, " && "));
    if (!step.remark.empty()) reason += fmt::format(" ({})", step.remark);
    reasons.push_back(std::move(reason));
  }
}

// Empty: there is.
std::string why_no_memory_mode(const Machine& machine) {
  if (machine.nodes.empty()) return kNoNodes;
  if (!cached_nodes(machine).nodes.empty()) return {};
  for (const NumaNode& node : machine.nodes) {
    if (!node.memory_side_caches.empty())
      return fmt::format("node{}: {}", node.number, node.unusable);
  }
  return "no memory-side cache in /sys/devices/system/node";
}

std::string why_no_cxl(const Machine& machine) {
  if (machine.nodes.empty()) return kNoNodes;
  const FarNodes far = far_nodes(machine);
  if (!far.used.empty()) return {};
  std::vector<std::string> reasons = {"no CPU-less NUMA node with memory"};
  if (!far.others.empty()) reasons = far.others;
  explain_devices(machine, reasons);
  return fmt::format("{}", fmt::join(reasons, "; "));
}

MediumStatus node_status(const NumaNode& node, const Machine& machine) {
  const std::string name = fmt::format("numa:{}", node.number);
  if (!node.unusable.empty()) return {name, "absent", node.unusable};
  std::string what = fmt::format("{:.1f} GiB, ", gibibytes(node.memory_bytes));
  what += node.has_cpus ? "CPUs " + node.cpu_list : "no CPUs";
  if (node.origin != MemoryOrigin::kUnknown) {
    what += fmt::format(", {}", word(node.origin));
  } else if (const std::string other = other_than_cxl(node, machine);
             !node.has_cpus && !other.empty()) {
    what += ": " + other;
  }
  return {name, "real", what};
}

void add_nodes(const Machine& machine, std::vector<MediumStatus>& media) {
  if (machine.nodes.empty()) media.push_back({"numa", "absent", kNoNodes});
  for (const NumaNode& node : machine.nodes) {
    // Nodes without memory are many on some machines, and no medium.
    if (node.unusable != kWithoutMemory) media.push_back(node_status(node, machine));
  }
}

struct Kind {
  std::string_view name;
  const char* profile;
  const char* near;  // of the near cache; null: none
  std::string_view lack;
};

constexpr std::array<Kind, 3> kKinds = {
    {{"app-direct", kAppDirectProfile, nullptr, "no persistent memory"},
     {"memory-mode", kMemoryModeProfile, kMemoryModeNear, "no Memory Mode"},
     {"cxl", kCxlProfile, nullptr, "no CXL memory"}}};

// Null: no profile may stand in for the word, or it has one already.
const Kind* kind_without_profile(const MediumSpec& word) {
  const auto* const kind = std::find_if(kKinds.begin(), kKinds.end(),
                                        [&](const Kind& one) { return one.name == word.name; });
  return kind == kKinds.end() || !word.profile.empty() ? nullptr : kind;
}

// The reason in one line why this machine lacks app-direct, memory-mode or cxl; empty: it has the
// medium. --pmem-dir is not considered.
std::string why_absent(const std::string& name, const Machine& machine, const PmemProbe& probe) {
  if (name == "memory-mode") return why_no_memory_mode(machine);
  if (name == "cxl") return why_no_cxl(machine);
  const auto place = find_persistent_mount(machine, probe);
  return place.ok() ? std::string() : place.error().message;
}

PresentMedium emulated(MediumSpec word, const Kind& kind, const std::string& why) {
  PresentMedium present;
  const std::string given = to_text(word);
  word.profile = kind.profile;
  std::string size;
  if (kind.near != nullptr) {
    word.options.emplace("near", kind.near);
    size = fmt::format(" with a near cache of {} (near=SIZE: another)", kind.near);
  }
  present.word = to_text(word);
  present.note = fmt::format("note: {}: {} here ({}); emulated by the profile {}{}", given,
                             kind.lack, why, kind.profile, size);
  return present;
}

}  // namespace

MediumStatus memory_mode_status(const Machine& machine) {
  if (const std::string why = why_no_memory_mode(machine); !why.empty()) {
    return absent("memory-mode", why,
                  fmt::format("memory-mode:near=SIZE (such as near={})", kMemoryModeNear));
  }
  const CachedNodes cached = cached_nodes(machine);
  return {"memory-mode", "real",
          fmt::format("{}: {}", describe_caches(cached),
                      cached.all ? "dram runs through it too" : "bound to what lies behind it")};
}

MediumStatus cxl_status(const Machine& machine) {
  if (const std::string why = why_no_cxl(machine); !why.empty()) {
    return absent("cxl", why, fmt::format("cxl:{}", kCxlProfile));
  }
  const FarNodes far = far_nodes(machine);
  std::vector<std::string> reasons;
  for (const NumaNode* node : far.used) {
    const bool is_known = node->origin != MemoryOrigin::kUnknown;
    reasons.push_back(fmt::format(
        "node{} has {:.1f} GiB and no CPUs ({})", node->number, gibibytes(node->memory_bytes),
        is_known ? word(node->origin) : "a memory tier slower than DRAM's"));
  }
  if (far.used.size() > 1) reasons.emplace_back("pages are interleaved over them");
  for (const std::string& other : far.others) reasons.push_back(other);
  return {"cxl", "real", fmt::format("{}", fmt::join(reasons, "; "))};
}

Result<NodeChoice> choose_present_nodes(const MediumSpec& word, const Machine& machine) {
  if (word.name == "cxl") {
    const MediumStatus status = cxl_status(machine);
    if (status.state == "absent") return data_error("cxl is absent here: " + status.reason);
  }
  return choose_nodes(word, machine);
}

std::vector<MediumStatus> list_media(const MediumOptions& options, const Machine& machine,
                                     const PmemProbe& probe) {
  std::vector<MediumStatus> media = {
      nvme_status(options, machine),  dram_status(machine),
      tmpfs_status(options, machine), app_direct_status(options, machine, probe),
      memory_mode_status(machine),    cxl_status(machine)};
  add_nodes(machine, media);
  return media;
}

PresentMedium present_medium(const std::string& word, const MediumOptions& options,
                             const Machine& machine, const PmemProbe& probe) {
  const auto parsed = parse_medium_spec(word);
  const Kind* const kind = parsed.ok() ? kind_without_profile(*parsed) : nullptr;
  if (kind == nullptr || (kind->name == "app-direct" && !options.pmem_dir.empty())) {
    return {word, {}};
  }
  if (parsed->options.contains("near")) {  // an emulation by request
    MediumSpec named = *parsed;
    named.profile = kind->profile;
    return {to_text(named), {}};
  }
  const std::string why = why_absent(parsed->name, machine, probe);
  return why.empty() ? PresentMedium{word, {}} : emulated(*parsed, *kind, why);
}

PresentMedium present_medium(const std::string& word, const MediumOptions& options) {
  const auto parsed = parse_medium_spec(word);
  if (!parsed.ok() || kind_without_profile(*parsed) == nullptr) return {word, {}};
  return present_medium(word, options, read_machine(), probe_pmem);
}

}  // namespace hdbench::pmem
