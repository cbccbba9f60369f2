// The best that the scratch directory's device can do, if it is not the database's: a flat table on
// nvme is a scratch file, and its cells are compared with the device of that file.
//
// Measured like the database's device (device_ceilings.h), on a file that is written for it and
// removed.
#pragma once

#include <filesystem>
#include <vector>

#include "bench/machine/device_ceilings.h"

namespace hdbench::bench {

// Whether the directory lies on another filesystem or device than the database's column files.
// False without any, or where it cannot be told.
bool is_other_device(const std::filesystem::path& scratch_dir,
                     const std::vector<std::filesystem::path>& column_files);

// Once more, onto what was measured before: writes half a GiB, then reads it as measure_device()
// does. Where the directory cannot be written, or has no room, the reason is kept.
void measure_scratch_device(const std::filesystem::path& scratch_dir, DeviceCeilings& ceilings);

}  // namespace hdbench::bench
