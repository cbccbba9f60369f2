#include "pmem/machine/memory_blocks.h"

#include <charconv>
#include <string>

#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {
namespace {

void count_block(const std::filesystem::path& block, MemoryBlocks& blocks) {
  const std::string state = first_line(block / "state");
  if (state.empty()) return;
  // Of an online block its zone; of an offline one those that it may join.
  if (state == "offline") {
    ++blocks.offline;
  } else {
    ++(first_line(block / "valid_zones").starts_with("Movable") ? blocks.movable : blocks.kernel);
  }
}

}  // namespace

std::uint64_t memory_block_bytes(const std::filesystem::path& sysfs) {
  // The only figure here that the kernel writes in hexadecimal without 0x.
  const std::string text = first_line(sysfs / "devices/system/memory/block_size_bytes");
  std::uint64_t bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes, 16);
  return bytes;
}

MemoryBlocks read_memory_blocks(const std::filesystem::path& sysfs, std::uint64_t start,
                                std::uint64_t bytes) {
  MemoryBlocks blocks;
  const std::uint64_t each = memory_block_bytes(sysfs);
  if (each == 0) return blocks;
  const std::uint64_t end = start / each + (bytes + start % each) / each;
  for (std::uint64_t block = start / each + (start % each != 0 ? 1 : 0); block < end; ++block) {
    const std::string name = "memory" + std::to_string(block);
    count_block(sysfs / "devices/system/memory" / name, blocks);
  }
  return blocks;
}

MemoryBlocks read_memory_blocks(const std::filesystem::path& sysfs, int node) {
  MemoryBlocks blocks;
  const auto place = sysfs / "devices/system/node" / ("node" + std::to_string(node));
  for (const auto& [number, block] : numbered(place, "memory")) count_block(block, blocks);
  return blocks;
}

}  // namespace hdbench::pmem
