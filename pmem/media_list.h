// Which media a machine has, and why: list_media() over a machine that a test can make up.
#pragma once

#include <string>
#include <vector>

#include "pmem/app_direct_place.h"
#include "pmem/medium.h"
#include "pmem/topology.h"

namespace hdbench {

std::vector<MediumStatus> list_media(const MediumOptions& options, const Machine& machine,
                                     const PmemProbe& probe);

MediumStatus memory_mode_status(const Machine& machine);
MediumStatus cxl_status(const Machine& machine);

}  // namespace hdbench
