// Memory blocks, the units in which the kernel takes memory online: devices/system/memory.
//
// Nothing here fails; what cannot be read counts as no block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace hdbench::pmem {

// How many blocks are in which state.
struct MemoryBlocks {
  std::size_t movable = 0;  // online in ZONE_MOVABLE: user pages alone, so they can go offline
  std::size_t kernel = 0;   // online in another zone, which may hold the kernel's own data
  std::size_t offline = 0;

  std::size_t all() const { return movable + kernel + offline; }
  bool operator==(const MemoryBlocks&) const = default;
};

// Bytes of a block; 0: the kernel has no memory hotplug.
std::uint64_t memory_block_bytes(const std::filesystem::path& sysfs);

// Those that lie wholly within these addresses.
MemoryBlocks read_memory_blocks(const std::filesystem::path& sysfs, std::uint64_t start,
                                std::uint64_t bytes);

// Those of a node.
MemoryBlocks read_memory_blocks(const std::filesystem::path& sysfs, int node);

}  // namespace hdbench::pmem
