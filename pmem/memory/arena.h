// Memory for many files in few regions.
//
// An arena allocates from chunks that its source maps. Chunks start small and double in size, so
// that a small database stays small and a large one needs few mappings (and can have huge pages). A
// large file gets a region of its own. A chunk is freed with its last file. Thread-safe; only the
// allocation happens under the lock.
#pragma once

#include <cstddef>
#include <mutex>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "pmem/base/region_source.h"

namespace hdbench::pmem {

class Arena {
 public:
  static constexpr std::size_t kFirstChunkBytes = std::size_t{16} << 20;
  static constexpr std::size_t kChunkBytesMax = std::size_t{256} << 20;

  explicit Arena(RegionSource source) : source_(std::move(source)) {}

  // A zero-filled piece, 4096-aligned; each byte is given out once. Errors: the source's.
  Result<Region> take(std::size_t bytes);

 private:
  Result<Region> cut(std::size_t bytes);

  RegionSource source_;
  std::mutex mutex_;
  Region chunk_;
  std::size_t used_bytes_ = 0;
  std::size_t next_chunk_bytes_ = kFirstChunkBytes;
};

}  // namespace hdbench::pmem
