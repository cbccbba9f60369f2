#include "pmem/memory/region_heap.h"

#include <cstring>
#include <thread>
#include <vector>

#include "engine/base/catch.h"
#include "engine/base/units.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/out_of_medium.h"

namespace hdbench {
namespace {

RegionHeap make_heap(std::size_t cached_bytes_max) {
  return RegionHeap(map_huge_memory, cached_bytes_max);
}

TEST_CASE("small blocks are cut from slabs, big ones are regions aligned to 2 MiB") {
  std::vector<std::size_t> asked;
  RegionHeap heap(
      [&](std::size_t bytes) {
        asked.push_back(bytes);
        return map_huge_memory(bytes);
      },
      64 * kMiB);
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

TEST_CASE("a freed big block is kept and serves the next of nearly its size") {
  RegionHeap heap = make_heap(64 * kMiB);
  void* first = heap.allocate(20 * kMiB);
  heap.deallocate(first, 20 * kMiB);
  CHECK(heap.cached_bytes() == 20 * kMiB);
  void* larger = heap.allocate(24 * kMiB);
  CHECK(larger != first);
  void* much_smaller = heap.allocate(4 * kMiB);
  CHECK(heap.cached_bytes() == 20 * kMiB);
  void* nearly = heap.allocate(17 * kMiB);
  CHECK(nearly == first);
  CHECK(heap.cached_bytes() == 0);
  heap.deallocate(larger, 24 * kMiB);
  heap.deallocate(much_smaller, 4 * kMiB);
  heap.deallocate(nearly, 17 * kMiB);
  CHECK(heap.cached_bytes() == 48 * kMiB);
}

TEST_CASE("what is kept never passes the cap") {
  RegionHeap heap = make_heap(8 * kMiB);
  void* first = heap.allocate(6 * kMiB);
  void* second = heap.allocate(6 * kMiB);
  heap.deallocate(first, 6 * kMiB);
  heap.deallocate(second, 6 * kMiB);
  CHECK(heap.cached_bytes() == 6 * kMiB);
}

TEST_CASE("before a heap gives up it gives back what it keeps") {
  bool has_room = true;
  RegionHeap* self = nullptr;
  RegionHeap heap(
      [&](std::size_t bytes) -> Result<Region> {
        if (!has_room && self->cached_bytes() > 0) return data_error("full");
        if (bytes > 100 * kMiB) return data_error("far too much");
        return map_huge_memory(bytes);
      },
      64 * kMiB);
  self = &heap;
  heap.deallocate(heap.allocate(4 * kMiB), 4 * kMiB);
  has_room = false;
  void* block = heap.allocate(16 * kMiB);
  CHECK(heap.cached_bytes() == 0);
  heap.deallocate(block, 16 * kMiB);
  CHECK_THROWS_AS(heap.allocate(200 * kMiB), OutOfMedium);
  CHECK_THROWS_WITH(heap.allocate(200 * kMiB), "far too much");
}

TEST_CASE("a small block too takes back what the heap keeps") {
  bool has_room = true;
  RegionHeap* self = nullptr;
  RegionHeap heap(
      [&](std::size_t bytes) -> Result<Region> {
        if (!has_room && self->cached_bytes() > 0) return data_error("full");
        return map_huge_memory(bytes);
      },
      64 * kMiB);
  self = &heap;
  heap.deallocate(heap.allocate(4 * kMiB), 4 * kMiB);
  has_room = false;
  void* block = heap.allocate(64);
  CHECK(heap.cached_bytes() == 0);
  heap.deallocate(block, 64);
}

TEST_CASE("eight threads allocate and free big blocks") {
  RegionHeap heap = make_heap(32 * kMiB);
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
  CHECK(heap.cached_bytes() <= 32 * kMiB);
}

}  // namespace
}  // namespace hdbench
