#include "pmem/media/medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "pmem/base/medium_spec.h"
#include "pmem/machine/block_device.h"
#include "pmem/machine/mount.h"
#include "pmem/machine/topology.h"
#include "pmem/media/app_direct_medium.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/media/media_list.h"
#include "pmem/media/memory_medium.h"
#include "pmem/media/nvme_medium.h"

namespace hdbench::pmem {
namespace {

Error unknown_medium(const std::string& reason, const MediumOptions& options) {
  std::string known;
  for (const MediumStatus& medium : list_media(options)) {
    if (medium.state == "absent") continue;
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", medium.name, medium.state);
  }
  return usage_error(fmt::format("{}; this machine has {}", reason, known));
}

bool is_known(const std::string& name) {
  const auto names = medium_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

Result<std::unique_ptr<Medium>> make_memory_mode() {
  const Machine machine = read_machine();
  const CachedNodes cached = cached_nodes(machine);
  if (cached.nodes.empty()) {
    return data_error("memory-mode is absent here: " + memory_mode_status(machine).reason);
  }
  if (!cached.all) return make_node_medium(choose_cached_nodes(cached));
  return make_dram_medium({"memory-mode", fmt::format("real ({})", describe_caches(cached)), true});
}

// Of the disk that the directory is on; nothing where it is on none.
std::optional<std::uint64_t> readahead_below(const std::filesystem::path& directory) {
  const MachinePaths paths;
  const auto mount = mount_of(read_mounts(paths), directory);
  if (!mount || mount->block_device.empty()) return std::nullopt;
  const auto disk = read_block_device(paths.sysfs, mount->block_device);
  return disk ? disk->readahead_bytes : std::nullopt;
}

Result<std::unique_ptr<Medium>> make_on_nodes(const MediumSpec& word) {
  HDB_ASSIGN(const NodeChoice choice, choose_present_nodes(word, read_machine()));
  return make_node_medium(choice);
}

}  // namespace

Result<std::unique_ptr<Medium>> make_medium(const std::string& word, const MediumOptions& options) {
  const auto parsed = parse_medium_spec(word);
  if (!parsed.ok()) {
    if (is_known(word.substr(0, word.find(':')))) return parsed.error();
    return unknown_medium(parsed.error().message, options);
  }
  if (is_emulated(*parsed)) {
    EmulationOptions emulation = options.emulation;
    emulation.read_around_bytes =
        readahead_below(options.scratch_dir).value_or(emulation.read_around_bytes);
    HDB_ASSIGN(std::unique_ptr<EmulatedMedium> emulated, make_emulated(*parsed, emulation));
    return std::unique_ptr<Medium>(std::move(emulated));
  }
  if (parsed->name == "nvme") return make_nvme_medium(options);
  if (parsed->name == "dram") return make_dram_medium();
  if (parsed->name == "tmpfs") return make_tmpfs_medium(options);
  if (parsed->name == "app-direct") return make_app_direct_medium(options);
  if (parsed->name == "memory-mode") return make_memory_mode();
  return make_on_nodes(*parsed);
}

std::vector<MediumStatus> list_media(const MediumOptions& options) {
  return list_media(options, read_machine(), probe_pmem);
}

}  // namespace hdbench::pmem
