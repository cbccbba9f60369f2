#include "pmem/machine/memory_setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace hdbench::pmem {
namespace {

constexpr const char* kDevdax = "devdax";
constexpr const char* kAsNode = "system-ram: a node without CPUs, online as movable";
constexpr const char* kAsDevice = "devdax: a device for --medium app-direct --pmem-dir";
// Over how many devices the kernel makes a region.
constexpr std::array<std::size_t, 8> kWays = {1, 2, 3, 4, 6, 8, 12, 16};

class Steps {
 public:
  Steps(const Machine& machine, const SetupWish& wish) : machine_(machine), wish_(wish) {}

  std::vector<SetupStep> take() {
    look_at_memdevs();
    for (const CxlRegion& region : machine_.cxl.regions) look_at_region(region);
    for (const DaxDevice& device : machine_.pmem.dax_devices) look_at_dax(device);
    return std::move(steps_);
  }

 private:
  void add(std::string device, std::string found, const char* wanted,
           std::vector<std::string> commands, std::string remark = {}) {
    steps_.push_back(
        {std::move(device), std::move(found), wanted, std::move(commands), std::move(remark)});
  }

  // A DAX device.

  bool wants_devdax(const DaxDevice& device) const {
    if (!wish_.devdax.empty() && device.name == wish_.devdax) return true;
    if (wish_.mode.empty()) return device.origin == MemoryOrigin::kPmem;
    return wish_.mode == kDevdax;
  }

  const NumaNode* node_of(const DaxDevice& device) const {
    const auto& nodes = machine_.nodes;
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const NumaNode& one) {
      return one.number == device.target_node;
    });
    return found == nodes.end() ? nullptr : &*found;
  }

  void look_at_dax(const DaxDevice& device) {
    const bool wants_device = wants_devdax(device);
    if (device.system_ram && wants_device) return free_memory(device);
    if (device.system_ram) return look_at_memory(device);
    if (!wants_device) make_memory(device);
  }

  void make_memory(const DaxDevice& device) {
    // 0 is a node, too: what is not told is -1.
    if (device.target_node < 0) {
      return add(device.name, "is in devdax mode and on no node (target_node -1)", kAsNode, {},
                 "the firmware gives its addresses no proximity domain (ACPI SRAT), and the kernel "
                 "makes no memory of it: other firmware, or a newer kernel, which gives each CXL "
                 "window a node; as it is: --medium app-direct --pmem-dir /dev/" +
                     device.name);
    }
    const std::string& policy = machine_.auto_online_blocks;
    std::vector<std::string> commands;
    if (puts_kernel_there()) commands.push_back(set_policy());
    // daxctl refuses where the kernel takes blocks online itself.
    const bool is_forced = !policy.empty() && policy != "offline";
    commands.push_back(fmt::format("daxctl reconfigure-device --mode=system-ram{} {}",
                                   is_forced ? " --force" : "", device.name));
    const bool pmem = device.origin == MemoryOrigin::kPmem;
    add(device.name, fmt::format("is {}in devdax mode", pmem ? "persistent memory " : ""), kAsNode,
        std::move(commands),
        pmem ? fmt::format("what it holds is lost; then --medium numa:{}", device.target_node)
             : "");
  }

  void free_memory(const DaxDevice& device) {
    std::string remark =
        "where it says 'Device or resource busy': boot with memhp_default_state=offline, and it "
        "comes up with its memory offline";
    if (device.blocks.kernel > 0)
      remark = fmt::format("{} of its {} blocks may hold the kernel's own data; ",
                           device.blocks.kernel, device.blocks.all()) +
               remark;
    add(device.name, fmt::format("is system-ram of node{}", device.target_node), kAsDevice,
        {"daxctl reconfigure-device --mode=devdax --force " + device.name}, std::move(remark));
  }

  void look_at_memory(const DaxDevice& device) {
    const NumaNode* const node = node_of(device);
    const MemoryBlocks& blocks = device.blocks;
    const std::string of = fmt::format("is system-ram of node{}", device.target_node);
    if (node != nullptr && node->has_cpus) {
      add(device.name, of + ", which has CPUs", kAsNode, {},
          "its pages cannot be distinguished from the CPUs' own memory: firmware that gives it a "
          "proximity domain of its own (ACPI SRAT)");
    } else if (node == nullptr || !node->online || blocks.offline > 0) {
      const bool is_part = node != nullptr && node->online;
      add(device.name,
          is_part ? fmt::format("{}, and {} of its {} memory blocks are offline", of,
                                blocks.offline, blocks.all())
                  : of + ", which is not online",
          kAsNode, {"daxctl online-memory " + device.name});
    }
    if (blocks.kernel == 0 || (node != nullptr && node->has_cpus)) return;
    std::vector<std::string> commands = {"daxctl offline-memory " + device.name,
                                         "daxctl online-memory " + device.name};
    if (puts_kernel_there()) commands.insert(commands.begin(), set_policy());
    add(device.name,
        fmt::format("{}, and {} of its {} memory blocks are online in a zone for the kernel's data",
                    of, blocks.kernel, blocks.all()),
        kAsNode, std::move(commands),
        "where it says 'Device or resource busy', the kernel has data there: boot with "
        "memhp_default_state=online_movable");
  }

  // New memory is taken online for the kernel's data, too.
  bool puts_kernel_there() const {
    const std::string& policy = machine_.auto_online_blocks;
    return policy == "online" || policy == "online_kernel";
  }
  static std::string set_policy() {
    return "echo online_movable > /sys/devices/system/memory/auto_online_blocks";
  }

  // CXL.

  void look_at_region(const CxlRegion& region) {
    if (!region.committed) {
      add(region.name, "is not committed", "committed", {"cxl enable-region " + region.name});
    } else if (region.dax_devices.empty() && region.mode != "pmem" && !is_a_node(region)) {
      add(region.name, "has no DAX device", "a DAX device", {"modprobe dax_cxl"});
    }
  }

  // Ordinary memory by the firmware, without a DAX device.
  bool is_a_node(const CxlRegion& region) const {
    return region.start != 0 &&
           std::any_of(machine_.nodes.begin(), machine_.nodes.end(),
                       [](const NumaNode& node) { return node.origin == MemoryOrigin::kCxl; });
  }

  void look_at_memdevs() {
    const CxlHardware& cxl = machine_.cxl;
    std::set<std::string> used, decoded;
    for (const CxlDecoder& decoder : cxl.decoders) {
      if (decoder.memdev.empty()) continue;
      if (!decoder.region.empty()) used.insert(decoder.memdev);
      if (decoder.bytes > 0) decoded.insert(decoder.memdev);
    }
    std::size_t targets = 0;
    for (const CxlRegion& region : cxl.regions) targets += region.decoders.size();
    // Regions whose devices are not told may have any of them.
    if (used.size() < std::min(targets, cxl.memdevs.size())) return;
    std::vector<const CxlMemdev*> ram;
    for (const CxlMemdev& device : cxl.memdevs) {
      if (device.numa_node < 0 && nodes_with_cpus() > 1) look_at_far(device);
      if (used.contains(device.name)) continue;
      if (decoded.contains(device.name)) {
        look_at_firmware(device);
      } else if (device.ram_bytes > 0) {
        ram.push_back(&device);
      } else if (device.pmem_bytes > 0) {
        add(device.name, has_no_region(device.pmem_bytes), "a region of persistent memory",
            {region_command("pmem", root_for("pmem", 1), {device.name})});
      }
    }
    add_ram_regions(ram, used);
  }

  void look_at_far(const CxlMemdev& device) {
    add(device.name, "is near no node (numa_node -1)", "near a node", {},
        "the firmware does not tell which CPUs are nearest: bind a run to one node at a time "
        "(numactl --cpunodebind) and compare");
  }

  void look_at_firmware(const CxlMemdev& device) {
    add(device.name, "is used by the firmware as ordinary memory, without a region",
        "a region of its own", {},
        "it is a node already (--medium numa:N): devdax and regions take firmware that marks it as "
        "special-purpose memory (EFI_MEMORY_SP), or leaves it to the system");
  }

  std::size_t nodes_with_cpus() const {
    return static_cast<std::size_t>(
        std::count_if(machine_.nodes.begin(), machine_.nodes.end(),
                      [](const NumaNode& node) { return node.has_cpus; }));
  }

  static std::string has_no_region(std::uint64_t bytes) {
    return fmt::format("has {:.1f} GiB and no region", static_cast<double>(bytes) / (1 << 30));
  }

  // The only root decoder with space, or the one that is interleaved over so many; null: the tool
  // chooses.
  const CxlDecoder* root_for(std::string_view type, std::size_t ways) const {
    std::vector<const CxlDecoder*> roots;
    for (const CxlDecoder& decoder : machine_.cxl.decoders) {
      std::uint64_t taken = 0;
      for (const CxlRegion& region : machine_.cxl.regions)
        taken += region.root == decoder.name ? region.bytes : 0;
      const bool takes = type != "ram" || decoder.takes_ram;
      if (decoder.type == "root" && takes && taken < decoder.bytes) roots.push_back(&decoder);
    }
    if (roots.size() == 1) return roots.front();
    const auto found = std::find_if(roots.begin(), roots.end(), [&](const CxlDecoder* root) {
      return ways > 1 && root->interleave_ways == static_cast<int>(ways);
    });
    return found == roots.end() ? nullptr : *found;
  }

  static std::string region_command(std::string_view type, const CxlDecoder* root,
                                    const std::vector<std::string>& devices) {
    return fmt::format("cxl create-region -m -t {}{} -w {} {}", type,
                       root == nullptr ? "" : " -d " + root->name, devices.size(),
                       fmt::join(devices, " "));
  }

  // One region over all that are free, where they are of one size and one root decoder takes them.
  void add_ram_regions(const std::vector<const CxlMemdev*>& free,
                       const std::set<std::string>& used) {
    if (free.empty()) return;
    std::vector<std::string> names;
    for (const CxlMemdev* const device : free) names.push_back(device->name);
    const CxlDecoder* const root = root_for("ram", names.size());
    const bool is_one =
        root != nullptr && std::find(kWays.begin(), kWays.end(), names.size()) != kWays.end() &&
        names.size() % static_cast<std::size_t>(std::max(1, root->interleave_ways)) == 0 &&
        std::all_of(free.begin(), free.end(), [&](const CxlMemdev* one) {
          return one->ram_bytes == free.front()->ram_bytes;
        });
    std::vector<std::string> commands;
    if (is_one) {
      commands.push_back(region_command("ram", root, names));
    } else {
      for (const std::string& name : names)
        commands.push_back(region_command("ram", root_for("ram", 1), {name}));
    }
    std::string remark;
    if (!used.empty()) {
      remark = fmt::format(
          "of {} devices {} used ({}): queries that need more bandwidth want one region over all, "
          "for which the others' go first (cxl destroy-region -f)",
          used.size() + names.size(), used.size() == 1 ? "one is" : "some are",
          fmt::join(used, " "));
    } else if (is_one && names.size() > 1) {
      remark = "one region over all has the bandwidth of all; with -w 1 each is a node of its own";
    }
    std::string found = has_no_region(free.front()->ram_bytes);
    if (free.size() > 1) found = "have no region";
    add(fmt::format("{}", fmt::join(names, " ")), std::move(found), "a region of memory",
        std::move(commands), std::move(remark));
  }

  const Machine& machine_;
  const SetupWish& wish_;
  std::vector<SetupStep> steps_;
};

}  // namespace

std::vector<SetupStep> setup_steps(const Machine& machine, const SetupWish& wish) {
  return Steps(machine, wish).take();
}

}  // namespace hdbench::pmem
