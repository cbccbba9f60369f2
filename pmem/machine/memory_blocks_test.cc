#include "pmem/machine/memory_blocks.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;

TEST_CASE("a kernel without memory hotplug has no blocks") {
  const FakeMachine fake;
  CHECK(memory_block_bytes(fake.paths().sysfs) == 0);
  CHECK(read_memory_blocks(fake.paths().sysfs, 0, 1 << 30).all() == 0);
  CHECK(read_memory_blocks(fake.paths().sysfs, 2).all() == 0);
}

TEST_CASE("blocks are counted by state and zone, those of a range that lie within it") {
  FakeMachine fake;
  fake.blocks(2, 32, {"Movable", "Movable", "Normal Movable", "none", "offline"});
  const auto sysfs = fake.paths().sysfs;
  const std::uint64_t each = testing::FakeMachine::kBlockBytes;
  CHECK(memory_block_bytes(sysfs) == each);
  CHECK(read_memory_blocks(sysfs, 2) == MemoryBlocks{2, 2, 1});
  CHECK(read_memory_blocks(sysfs, 32 * each, 5 * each) == MemoryBlocks{2, 2, 1});
  CHECK(read_memory_blocks(sysfs, 32 * each + 1, 3 * each) == MemoryBlocks{1, 1, 0});
  CHECK(read_memory_blocks(sysfs, 33 * each, 2 * each - 1) == MemoryBlocks{1, 0, 0});
  CHECK(read_memory_blocks(sysfs, 40 * each, each).all() == 0);
}

}  // namespace
}  // namespace hdbench::pmem
