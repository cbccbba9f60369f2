// An unnamed file, mapped shared: scratch space on a disk that leaves nothing behind.
//
// The file never has a name (O_TMPFILE; where a filesystem lacks it, the name is removed at once).
// Its blocks are reserved when it is created, so that a full disk is an error then and not a signal
// during a query.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "pmem/memory/region_heap.h"

namespace hdbench::pmem {

struct ScratchRegion {
  Region region;
  int descriptor = -1;  // valid as long as region.keep_alive is held
};

// Errors: kData, naming the directory: it is missing, not writable, or has too little space (with
// both figures).
Result<ScratchRegion> make_scratch_region(const std::filesystem::path& directory,
                                          std::size_t bytes);

// A heap in unnamed files of a directory. Its allocations throw OutOfMedium when the disk is full.
// Errors: kData, when scratch files cannot be made in the directory.
Result<std::unique_ptr<RegionHeap>> make_spill_resource(const std::filesystem::path& directory);

}  // namespace hdbench::pmem
