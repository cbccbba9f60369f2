// A store that copies files into a medium's memory; the base of the stores of dram and app-direct.
//
// Each file is copied by the thread that maps it, without a lock while bytes move, so a database is
// loaded by as many threads as call map(). Where the medium requires it there is one arena for each
// NUMA node.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/base/file_handle.h"
#include "engine/base/store.h"
#include "pmem/memory/arena.h"
#include "pmem/memory/cache_state.h"
#include "pmem/memory/mapping_registry.h"

namespace hdbench {

class CopyStore : public Store {
 public:
  Result<Mapping> map(const std::filesystem::path& path) final;
  Result<Region> allocate(std::size_t bytes) final;

  // Everything that is mapped or allocated, and still held.
  Held held() const { return live_.live(); }

 protected:
  // arenas >= 1: as many as NUMA nodes, or one.
  CopyStore(const RegionSource& source, std::size_t arenas);

  // Brings the whole file, which has as many bytes as the target, into the medium.
  virtual Status fill(const OpenFile& file, std::span<std::byte> target,
                      const std::filesystem::path& path) = 0;

 private:
  Arena& arena();

  std::vector<std::unique_ptr<Arena>> arenas_;
  MappingRegistry live_;
};

}  // namespace hdbench
