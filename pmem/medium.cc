#include "pmem/medium.h"

#include <fmt/format.h>

#include "pmem/app_direct_medium.h"
#include "pmem/dram_medium.h"
#include "pmem/media_list.h"
#include "pmem/nvme_medium.h"
#include "pmem/topology.h"

namespace hdbench {
namespace {

Error unknown_medium(const std::string& name, const MediumOptions& options) {
  std::string known;
  for (const MediumStatus& medium : list_media(options)) {
    if (medium.state == "absent") continue;
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", medium.name, medium.state);
  }
  return usage_error(fmt::format("unknown medium '{}'; this machine has {}", name, known));
}

}  // namespace

Result<std::unique_ptr<Medium>> make_medium(const std::string& name, const MediumOptions& options) {
  if (name == "nvme") return make_nvme_medium(options);
  if (name == "dram") return make_dram_medium();
  if (name == "app-direct") return make_app_direct_medium(options);
  if (name == "memory-mode") {
    return data_error("memory-mode is absent here: " + memory_mode_status(read_machine()).reason);
  }
  if (name == "cxl") {
    return data_error("cxl is absent here: " + cxl_status(read_machine()).reason);
  }
  return unknown_medium(name, options);
}

std::vector<MediumStatus> list_media(const MediumOptions& options) {
  return list_media(options, read_machine(), probe_pmem);
}

}  // namespace hdbench
