#include "pmem/media/copy_store.h"

#include <algorithm>
#include <cstring>

#include "pmem/memory/huge_memory.h"
#include "pmem/memory/placement_proof.h"

namespace hdbench::pmem {

Result<Region> Arena::take(std::size_t bytes) {
  if (bytes == 0) return Region{};
  if (bytes < kChunkBytesMax / 4) {
    auto piece = cut(bytes);
    if (piece.ok()) return piece;
  }
  // Too large for a chunk, or there is no space for a whole one: then exactly what is needed.
  return source_(bytes);
}

Result<Region> Arena::cut(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (chunk_.bytes.size() - used_bytes_ < bytes) {
    const std::size_t chunk_bytes = std::max(next_chunk_bytes_, round_up(bytes, kFirstChunkBytes));
    HDB_ASSIGN(chunk_, source_(chunk_bytes));
    used_bytes_ = 0;
    next_chunk_bytes_ = std::min(next_chunk_bytes_ * 2, kChunkBytesMax);
  }
  Region piece{chunk_.bytes.subspan(used_bytes_, bytes), chunk_.keep_alive};
  used_bytes_ = std::min(round_up(used_bytes_ + bytes, kRegionAlignment), chunk_.bytes.size());
  return piece;
}

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
