// Lists the media of a machine with their states and reasons: list_media() over a machine that a
// test can define.
#pragma once

#include <string>
#include <vector>

#include "pmem/machine/topology.h"
#include "pmem/media/medium.h"
#include "pmem/media/node_choice.h"
#include "pmem/persistent/app_direct_place.h"

namespace hdbench {

std::vector<MediumStatus> list_media(const MediumOptions& options, const Machine& machine,
                                     const PmemProbe& probe);

// The profile that is suggested where CXL memory is absent.
inline constexpr const char* kCxlProfile = "cxl-asic-ddr5";

MediumStatus memory_mode_status(const Machine& machine);
MediumStatus cxl_status(const Machine& machine);

// The nodes of `numa:N` or `cxl`. Errors: kData: choose_nodes()'s, or cxl is absent, with what is
// missing and what emulates it.
Result<NodeChoice> choose_present_nodes(const MediumWord& word, const Machine& machine);

}  // namespace hdbench
