// Decides whether a block device may be overwritten: never one that is in use, and one with content
// only after explicit confirmation.
#pragma once

#include <string>

#include "engine/base/result.h"

namespace hdbench {

// In use is what the kernel refuses to open exclusively: a device or a partition of it is mounted,
// is swap, or a volume or RAID lies on it. Asks on the terminal before it allows an empty device;
// yes: the user has said so already. Errors: kUsage: no block device, in use, or holds something
// and yes is not set; kData: it cannot be opened.
Status allow_device(const std::string& path, bool yes);

}  // namespace hdbench
