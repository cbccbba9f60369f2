// Decides whether a block device may be overwritten: never one that is in use, and one with content
// only after explicit confirmation.
#pragma once

#include <string>

#include "bench/base/layers.h"
#include "engine/base/result.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::bench {

// Gives the device's own path, links resolved. In use is what device_use.h finds a user of, what
// the kernel refuses to open exclusively, and a loop device whose file is either or lies in a
// database. Asks on the terminal before it allows an empty device; yes: the user has said so
// already. Errors: kUsage: no block device, in use, holds something and yes is not set, or
// "interrupted"; kData: it cannot be opened.
Result<std::string> allow_device(const std::string& path, bool yes,
                                 const MachinePaths& machine = {});

}  // namespace hdbench::bench
