#include "pmem/memory/arena.h"

#include <algorithm>

namespace hdbench::pmem {

Result<Region> Arena::take(std::size_t bytes) {
  if (bytes == 0) return Region{};
  if (bytes < kChunkBytesMax / 4) {
    auto piece = cut(bytes);
    if (piece.ok()) return piece;
  }
  // Too large for a chunk, or there is no room for a whole one: then exactly what is needed.
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

}  // namespace hdbench::pmem
