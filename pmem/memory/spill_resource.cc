#include "pmem/memory/spill_resource.h"

#include "engine/base/write_guard.h"
#include "pmem/memory/scratch_file.h"

namespace hdbench {
namespace {

constexpr std::size_t kCachedBytesMax = std::size_t{256} << 20;

}  // namespace

Result<std::unique_ptr<SpillResource>> SpillResource::make(const std::filesystem::path& directory) {
  HDB_TRY(check_outside_databases("spill directory", directory));
  HDB_TRY(make_scratch_region(directory, kRegionAlignment));
  return std::unique_ptr<SpillResource>(new SpillResource(directory));
}

SpillResource::SpillResource(const std::filesystem::path& directory)
    : heap_(scratch_source(directory), kCachedBytesMax) {}

void* SpillResource::do_allocate(std::size_t bytes, std::size_t alignment) {
  return heap_.allocate(bytes, alignment);
}

void SpillResource::do_deallocate(void* address, std::size_t bytes, std::size_t alignment) {
  heap_.deallocate(address, bytes, alignment);
}

}  // namespace hdbench
