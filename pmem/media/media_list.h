// Lists the media of a machine with their states and reasons: list_media() over a machine that a
// test can define.
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

// The profiles that stand in for a medium that this machine lacks (present_medium.h). Memory Mode's
// profile leaves the near cache's size open.
inline constexpr const char* kAppDirectProfile = "optane-100-6dimm";
inline constexpr const char* kMemoryModeProfile = "optane-memory-mode";
inline constexpr const char* kMemoryModeNear = "2GiB";
inline constexpr const char* kCxlProfile = "cxl-asic-ddr5";

// The reason in one line why this machine lacks app-direct, memory-mode or cxl; empty: it has the
// medium. --pmem-dir is not considered.
std::string why_absent(const std::string& name, const Machine& machine, const PmemProbe& probe);

MediumStatus memory_mode_status(const Machine& machine);
MediumStatus cxl_status(const Machine& machine);

// The nodes of `numa:N` or `cxl`. Errors: kData: choose_nodes()'s, or cxl is absent, with what is
// missing and what emulates it.
Result<NodeChoice> choose_present_nodes(const MediumSpec& word, const Machine& machine);

}  // namespace hdbench::pmem
