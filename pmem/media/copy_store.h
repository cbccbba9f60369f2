// A store that copies files into a medium's memory: plain memory, or what a derived store makes of
// it.
//
// Each file is copied by the thread that maps it, without a lock while bytes move, so a database is
// loaded by as many threads as call map().
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"
#include "engine/base/store.h"
#include "pmem/base/region_source.h"
#include "pmem/memory/cache_state.h"
#include "pmem/memory/mapping_registry.h"

namespace hdbench::pmem {

// Memory for many files in few regions.
//
// Chunks of the source's memory start small and double in size, so that a small database stays
// small and a large one needs few mappings (and can have huge pages). A large file gets a region of
// its own. A chunk is freed with its last file. Thread-safe; only the allocation happens under the
// lock.
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

class CopyStore : public Store {
 public:
  explicit CopyStore(RegionSource source) : arena_(std::move(source)) {}

  Result<Mapping> map(const std::filesystem::path& path) final;
  Result<Region> allocate(std::size_t bytes) final;
  void copy_in(std::byte* destination, std::span<const std::byte> source) override;

  // Everything that is mapped or allocated, and still held.
  Held held() const { return live_.live(); }

  // Medium::prepare() of a medium in huge pages that is always warm, and is named in errors.
  Result<CacheProof> prepare(Cache cache, const std::string& medium) const;

 protected:
  // What is handed out of a piece of the medium's memory, which holds the piece.
  virtual Region hand_out(const Region& piece) { return live_.track(piece); }

 private:
  // Brings the whole file, which has as many bytes as the target, into the medium.
  virtual Status fill(const OpenFile& file, std::span<std::byte> target,
                      const std::filesystem::path& path);

  Arena arena_;
  MappingRegistry live_;
};

}  // namespace hdbench::pmem
