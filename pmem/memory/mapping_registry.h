// The mappings of a store that are still in use.
//
// The store returns a TrackedMapping as the keep-alive of each mapping and keeps a weak reference
// here, so that the medium can evict, populate and count exactly what is in use. Thread-safe.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "pmem/base/region_source.h"

namespace hdbench::pmem {

struct TrackedMapping {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  // unmaps, when the last holder has gone
  std::filesystem::path path;         // the file behind, absolute; empty: an unnamed one
  int descriptor = -1;                // of an unnamed file; belongs to the owner
  dev_t device = 0;                   // with the inode: what `path` led to when it was mapped
  ino_t inode = 0;
};

class MappingRegistry {
 public:
  // Tracks the bytes while the returned keep-alive is held.
  std::shared_ptr<const TrackedMapping> add(TrackedMapping held);
  // The same region, tracked while its keep-alive is held. `descriptor`: of its unnamed file.
  Region track(const Region& region, int descriptor = -1);

  // The bytes in use, in the order in which they were added.
  std::vector<std::shared_ptr<const TrackedMapping>> live() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<const TrackedMapping>> held_;
  std::size_t clean_at_ = 64;
};

// The source's regions, each tracked in the registry while it is held.
RegionSource tracked(RegionSource source, std::shared_ptr<MappingRegistry> registry);

}  // namespace hdbench::pmem
