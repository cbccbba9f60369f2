#include "pmem/memory/spill_resource.h"

#include "engine/base/write_guard.h"
#include "pmem/memory/scratch_file.h"

namespace hdbench::pmem {

Result<std::unique_ptr<RegionHeap>> make_spill_resource(const std::filesystem::path& directory) {
  constexpr std::size_t kCachedBytesMax = std::size_t{256} << 20;
  HDB_TRY(check_outside_databases("spill directory", directory));
  HDB_TRY(make_scratch_region(directory, kRegionAlignment));
  const auto source = [directory](std::size_t bytes) -> Result<Region> {
    HDB_ASSIGN(ScratchRegion scratch, make_scratch_region(directory, bytes));
    return std::move(scratch.region);
  };
  return std::make_unique<RegionHeap>(source, kCachedBytesMax);
}

}  // namespace hdbench::pmem
