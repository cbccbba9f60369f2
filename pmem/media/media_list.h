// The media of a machine with their states and reasons, and what stands in for one that is absent.
#pragma once

#include <string>
#include <vector>

#include "pmem/machine/topology.h"
#include "pmem/media/medium.h"
#include "pmem/media/node_choice.h"
#include "pmem/persistent/app_direct_place.h"

namespace hdbench::pmem {

std::vector<MediumStatus> list_media(const MediumOptions& options, const Machine& machine,
                                     const PmemProbe& probe);

// The profiles that stand in for a medium that this machine lacks (present_medium()). Memory Mode's
// profile leaves the near cache's size open.
inline constexpr const char* kAppDirectProfile = "optane-100-6dimm";
inline constexpr const char* kMemoryModeProfile = "optane-memory-mode";
inline constexpr const char* kMemoryModeNear = "2GiB";
inline constexpr const char* kCxlProfile = "cxl-asic-ddr5";

MediumStatus memory_mode_status(const Machine& machine);
MediumStatus cxl_status(const Machine& machine);

// The nodes of `numa:N` or `cxl`. Errors: kData: choose_nodes()'s, or cxl is absent, with what is
// missing and what emulates it.
Result<NodeChoice> choose_present_nodes(const MediumSpec& word, const Machine& machine);

// A medium's word resolved on this machine, before cells, tables and files are named after it, so
// that every name shows the profile that was charged.
struct PresentMedium {
  std::string word;  // with a profile where the medium is emulated
  std::string note;  // one line for the user; empty: the medium is what was requested
};

// `app-direct`, `memory-mode` and `cxl` become `app-direct:optane-100-6dimm` and their like where
// the machine lacks them; `memory-mode:near=SIZE`, which is always emulated, gets its profile's
// name. All other words stay as they are, unknown ones too: make_medium() reports these. With
// options.pmem_dir app-direct stays: the directory is used or refused.
PresentMedium present_medium(const std::string& word, const MediumOptions& options,
                             const Machine& machine, const PmemProbe& probe);

// The same on this machine.
PresentMedium present_medium(const std::string& word, const MediumOptions& options);

}  // namespace hdbench::pmem
