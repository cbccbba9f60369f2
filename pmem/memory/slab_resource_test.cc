#include "pmem/memory/slab_resource.h"

#include <cstring>
#include <map>
#include <thread>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/out_of_medium.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("blocks of every small size are aligned and apart") {
  SlabResource slabs(map_huge_memory);
  std::map<std::byte*, std::size_t> blocks;
  for (const std::size_t bytes : {0, 1, 63, 64, 65, 4096, 100000, 1 << 20, 1 << 21}) {
    for (const std::size_t alignment : {1, 64, 4096}) {
      auto* block = static_cast<std::byte*>(slabs.allocate(bytes, alignment));
      CHECK(reinterpret_cast<std::size_t>(block) % alignment == 0);
      std::memset(block, 1, bytes);
      blocks[block] = bytes;
    }
  }
  CHECK(blocks.size() == 27);
  std::byte* end = nullptr;
  for (const auto& [block, bytes] : blocks) {
    CHECK(block >= end);
    end = block + bytes;
  }
}

TEST_CASE("a freed block is used again for its size") {
  SlabResource slabs(map_huge_memory);
  void* first = slabs.allocate(1000);
  void* second = slabs.allocate(1000);
  slabs.deallocate(first, 1000);
  CHECK(slabs.allocate(10) != first);
  CHECK(slabs.allocate(1024) == first);
  CHECK(slabs.allocate(1000) != second);
}

TEST_CASE("a medium that is full throws the medium's reason") {
  SlabResource slabs([](std::size_t) -> Result<Region> { return data_error("full of bytes"); });
  CHECK_THROWS_AS(slabs.allocate(1), std::bad_alloc);
  CHECK_THROWS_WITH(slabs.allocate(1), "full of bytes");
}

TEST_CASE("eight threads allocate and free small blocks") {
  SlabResource slabs(map_huge_memory);
  std::vector<std::size_t> wrong(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t) {
      threads.emplace_back([&, t] {
        const auto mark = static_cast<std::byte>(t + 1);
        for (std::size_t i = 0; i < 2000; ++i) {
          const std::size_t bytes = 1 + (i * 7919) % 3000;
          auto* block = static_cast<std::byte*>(slabs.allocate(bytes));
          std::memset(block, static_cast<int>(t + 1), bytes);
          wrong[t] += block[0] != mark || block[bytes - 1] != mark;
          slabs.deallocate(block, bytes);
        }
      });
    }
  }
  CHECK(wrong == std::vector<std::size_t>(8));
}

}  // namespace
}  // namespace hdbench::pmem
