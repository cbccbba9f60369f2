// A store that copies files into a medium's memory: plain memory, or what a derived store makes of
// it.
//
// Each file is copied by the thread that maps it, without a lock while bytes move, so a database is
// loaded by as many threads as call map().
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "engine/base/file_handle.h"
#include "engine/base/store.h"
#include "pmem/memory/arena.h"
#include "pmem/memory/cache_state.h"
#include "pmem/memory/mapping_registry.h"

namespace hdbench::pmem {

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
