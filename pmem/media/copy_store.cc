#include "pmem/media/copy_store.h"

#include <cstring>

#include "pmem/memory/huge_memory.h"
#include "pmem/memory/placement_proof.h"

namespace hdbench::pmem {

Result<Mapping> CopyStore::map(const std::filesystem::path& path) {
  HDB_ASSIGN(const OpenFile file, open_file(path));
  HDB_ASSIGN(Region region, arena_.take(file.bytes));
  if (region.bytes.empty()) return Mapping{};
  HDB_TRY(fill(file, region.bytes, path));
  region = hand_out(region);
  return Mapping{region.bytes, std::move(region.keep_alive)};
}

Result<Region> CopyStore::allocate(std::size_t bytes) {
  HDB_ASSIGN(const Region region, arena_.take(bytes));
  return hand_out(region);
}

void CopyStore::copy_in(std::byte* destination, std::span<const std::byte> source) {
  if (!source.empty()) std::memcpy(destination, source.data(), source.size());
}

Status CopyStore::fill(const OpenFile& file, std::span<std::byte> target,
                       const std::filesystem::path& path) {
  return read_fully(file.handle, 0, target, path);
}

Result<CacheProof> CopyStore::prepare(Cache cache, const std::string& medium) const {
  if (cache == Cache::kCold) return usage_error(medium + ": memory has no cold state; use warm");
  const Held mapped = held();
  HDB_ASSIGN(CacheProof proof, make_warm(mapped));
  proof.bytes_in_huge_pages = huge_page_bytes(spans_of(mapped));
  return proof;
}

}  // namespace hdbench::pmem
