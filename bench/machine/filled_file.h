// An unnamed file with all of its bytes written: nothing remains of it after the process ends, and
// later reads and writes do not include the first allocation.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Written past the page cache where the filesystem can, and synced. The bytes are random: a device
// that packs or recognises what it holds gains nothing by them. Errors: kData: too little room, not
// writable; kUsage "interrupted" once stop is set.
Result<FileHandle> filled_file(const std::filesystem::path& directory, std::uint64_t bytes,
                               const std::atomic<bool>& stop);

}  // namespace hdbench::bench
