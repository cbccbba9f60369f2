#include "pmem/memory/region_heap.h"

#include <cstring>
#include <map>
#include <thread>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"

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

TEST_CASE("small blocks are cut from slabs, big ones are regions aligned to 2 MiB") {
  std::vector<std::size_t> asked;
  RegionHeap heap([&](std::size_t bytes) {
    asked.push_back(bytes);
    return map_huge_memory(bytes);
  });
  void* none = heap.allocate(0);
  void* small = heap.allocate(2 * kMiB - 1);
  CHECK(asked == std::vector<std::size_t>{SlabResource::kSlabBytes});
  void* big = heap.allocate(2 * kMiB + 1);
  CHECK(asked == std::vector<std::size_t>{SlabResource::kSlabBytes, 4 * kMiB});
  CHECK(reinterpret_cast<std::size_t>(big) % kHugePageBytes == 0);
  heap.deallocate(none, 0);
  heap.deallocate(small, 2 * kMiB - 1);
  heap.deallocate(big, 2 * kMiB + 1);
}

// A heap that counts the bytes mapped for it.
struct CountedHeap {
  std::size_t mapped = 0;
  RegionHeap heap{[this](std::size_t bytes) {
    mapped += bytes;
    return map_huge_memory(bytes);
  }};
};

TEST_CASE("what a query has freed serves the next, whatever sizes that asks for") {
  CountedHeap counted;
  RegionHeap& heap = counted.heap;
  void* first = heap.allocate(20 * kMiB);
  heap.deallocate(first, 20 * kMiB);
  CHECK(heap.cached_bytes() == 20 * kMiB);
  void* nearly = heap.allocate(17 * kMiB);
  CHECK(nearly == first);
  CHECK(heap.cached_bytes() == 2 * kMiB);
  void* rest = heap.allocate(2 * kMiB);
  CHECK(rest == static_cast<std::byte*>(first) + 18 * kMiB);
  CHECK(heap.cached_bytes() == 0);
  CHECK(counted.mapped == 20 * kMiB);
  // They are joined again, whichever goes first.
  heap.deallocate(nearly, 17 * kMiB);
  heap.deallocate(rest, 2 * kMiB);
  CHECK(heap.allocate(20 * kMiB) == first);
  heap.deallocate(first, 20 * kMiB);
  std::vector<void*> parts;
  for (int part = 0; part < 10; ++part) parts.push_back(heap.allocate(2 * kMiB));
  for (const std::size_t part : {1u, 3u, 2u, 0u, 9u, 7u, 8u, 5u, 4u, 6u})
    heap.deallocate(parts[part], 2 * kMiB);
  CHECK(heap.allocate(20 * kMiB) == first);
  heap.deallocate(first, 20 * kMiB);
  CHECK(counted.mapped == 20 * kMiB);
}

TEST_CASE("the smallest free block that is large enough is taken") {
  RegionHeap heap(map_huge_memory);
  void* large = heap.allocate(30 * kMiB);
  void* small = heap.allocate(10 * kMiB);
  heap.deallocate(large, 30 * kMiB);
  heap.deallocate(small, 10 * kMiB);
  CHECK(heap.allocate(8 * kMiB) == small);
  CHECK(heap.allocate(12 * kMiB) == large);
  heap.deallocate(small, 8 * kMiB);
  heap.deallocate(large, 12 * kMiB);
  CHECK(heap.cached_bytes() == 40 * kMiB);
}

TEST_CASE("beyond the cap whole regions are given back, and all of them when it is trimmed") {
  RegionHeap heap(map_huge_memory, 8 * kMiB);
  void* first = heap.allocate(6 * kMiB);
  void* second = heap.allocate(6 * kMiB);
  heap.deallocate(first, 6 * kMiB);
  heap.deallocate(second, 6 * kMiB);
  CHECK(heap.cached_bytes() == 6 * kMiB);
  void* part = heap.allocate(2 * kMiB);
  heap.trim();
  CHECK(heap.cached_bytes() == 4 * kMiB);
  heap.deallocate(part, 2 * kMiB);
  heap.trim();
  CHECK(heap.cached_bytes() == 0);
}

TEST_CASE("before a heap gives up it gives back what it keeps") {
  bool has_room = true;
  RegionHeap* self = nullptr;
  RegionHeap heap([&](std::size_t bytes) -> Result<Region> {
    if (!has_room && self->cached_bytes() > 0) return data_error("full");
    if (bytes > 100 * kMiB) return data_error("far too much");
    return map_huge_memory(bytes);
  });
  self = &heap;
  heap.deallocate(heap.allocate(4 * kMiB), 4 * kMiB);
  has_room = false;
  void* block = heap.allocate(16 * kMiB);
  CHECK(heap.cached_bytes() == 0);
  heap.deallocate(block, 16 * kMiB);
  CHECK_THROWS_AS(heap.allocate(200 * kMiB), OutOfMedium);
  CHECK_THROWS_WITH(heap.allocate(200 * kMiB), "far too much");
}

TEST_CASE("eight threads allocate and free big blocks") {
  RegionHeap heap(map_huge_memory, 32 * kMiB);
  std::vector<std::size_t> wrong(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t) {
      threads.emplace_back([&, t] {
        const auto mark = static_cast<std::byte>(t + 1);
        for (std::size_t i = 0; i < 100; ++i) {
          const std::size_t bytes = (2 + (i + t) % 3) * kMiB;
          auto* block = static_cast<std::byte*>(heap.allocate(bytes));
          block[0] = block[bytes - 1] = mark;
          std::this_thread::yield();
          wrong[t] += block[0] != mark || block[bytes - 1] != mark;
          heap.deallocate(block, bytes);
        }
      });
    }
  }
  CHECK(wrong == std::vector<std::size_t>(8));
  heap.trim();
  CHECK(heap.cached_bytes() == 0);
}

}  // namespace
}  // namespace hdbench::pmem
