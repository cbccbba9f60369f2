#include "pmem/media/copy_store.h"

#include "pmem/memory/numa_binding.h"

namespace hdbench {

CopyStore::CopyStore(const RegionSource& source, std::size_t arenas) {
  for (std::size_t i = 0; i < arenas; ++i) arenas_.push_back(std::make_unique<Arena>(source));
}

Result<Mapping> CopyStore::map(const std::filesystem::path& path) {
  HDB_ASSIGN(const OpenFile file, open_file(path));
  if (file.bytes == 0) return Mapping{};
  HDB_ASSIGN(const Region region, arena().take(file.bytes));
  HDB_TRY(fill(file, region.bytes, path));
  auto held = live_.add({region.bytes, region.keep_alive, {}, -1});
  return Mapping{region.bytes, std::move(held)};
}

Result<Region> CopyStore::allocate(std::size_t bytes) {
  if (bytes == 0) return Region{};
  HDB_ASSIGN(const Region region, arena().take(bytes));
  auto held = live_.add({region.bytes, region.keep_alive, {}, -1});
  return Region{region.bytes, std::move(held)};
}

Arena& CopyStore::arena() {
  return *arenas_[static_cast<std::size_t>(local_node()) % arenas_.size()];
}

}  // namespace hdbench
