// Memory for results beyond `-w`: unnamed files in a directory, mapped shared (`--on-limit spill`).
//
// Slower than memory once the kernel writes pages back, but the query completes. Leaves nothing
// behind. Thread-safe.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/base/result.h"
#include "pmem/memory/region_heap.h"

namespace hdbench::pmem {

// Its allocations throw OutOfMedium when the disk is full. Errors: kData, when scratch files cannot
// be made in the directory.
Result<std::unique_ptr<RegionHeap>> make_spill_resource(const std::filesystem::path& directory);

}  // namespace hdbench::pmem
