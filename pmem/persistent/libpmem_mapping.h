// Mappings and copies through libpmem. In a build without it, every call reports that.
//
// On a DAX filesystem libpmem maps with MAP_SYNC and reports persistent memory: stores reach the
// medium through the CPU's caches alone. On other filesystems the same calls use the page cache.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "engine/base/result.h"
#include "engine/base/store.h"

namespace hdbench::pmem {

// Why there is no libpmem in this build; nullptr when there is.
const char* persistent_absence();

struct PersistentRegion {
  Region region;
  bool is_pmem = false;  // by libpmem: MAP_SYNC held
};

// Bytes of an unnamed file in `directory`: nothing is left behind, whatever happens. Errors: kData,
// naming the directory, with libpmem's reason.
Result<PersistentRegion> map_persistent(const std::filesystem::path& directory, std::size_t bytes);

// Bytes of a file with a name: one that is there, whole, or a new one of so many bytes. Errors:
// kData, naming the path.
Result<PersistentRegion> open_persistent(const std::filesystem::path& path,
                                         std::size_t new_bytes = 0);

// Non-temporal stores; not settled before the next drain.
void copy_persistent(std::byte* destination, std::span<const std::byte> source);
void drain_persistent();

// Plain stores, out of the CPU's lines; nothing where those survive a power cut. Not settled before
// the next drain.
void flush_persistent(std::span<const std::byte> bytes);

}  // namespace hdbench::pmem
