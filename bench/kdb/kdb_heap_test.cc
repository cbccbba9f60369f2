#include "bench/kdb/kdb_heap.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

TEST_CASE("a vector's block is the power of two that holds its header") {
  CHECK(kdb_block_bytes(0) == 16);
  CHECK(kdb_block_bytes(1) == 32);
  CHECK(kdb_block_bytes(16) == 32);
  CHECK(kdb_block_bytes(17) == 64);
  // til 10000000
  CHECK(kdb_block_bytes(80'000'000) == 134'217'728);
  // A header makes an exact power of two take the next one.
  CHECK(kdb_block_bytes(64 * kMib) == 128 * kMib);
}

TEST_CASE("small blocks are cut from slabs, freed ones are used again") {
  KdbHeap heap(true);
  {
    const KdbVector first = heap.vector(1000, 8, "a");
    CHECK(heap.peaks() == KdbPeaks{8192, 64 * kMib, 64 * kMib});
  }
  // What is left of the slab holds the rest of its size.
  std::vector<KdbVector> vectors;
  for (int i = 0; i < 63; ++i) vectors.push_back(heap.vector(kMib - 16, 1, "b"));
  CHECK(heap.peaks().heap == 64 * kMib);
  vectors.push_back(heap.vector(2 * kMib, 1, "c"));
  CHECK(heap.peaks().heap == 128 * kMib);
}

TEST_CASE("a large block stays with -g 0 and goes with -g 1, and -w needs what is in use") {
  for (const bool keeps : {true, false}) {
    KdbHeap heap(keeps);
    {
      const KdbVector one = heap.vector(100 * kMib, 1, "one");
    }
    {
      const KdbVector other = heap.vector(200 * kMib, 1, "other");
    }
    CHECK(heap.peaks().used == 256 * kMib);
    CHECK(heap.peaks().heap == (keeps ? 384 : 256) * kMib);
    CHECK(heap.peaks().least_limit == 256 * kMib);
  }
}

TEST_CASE("what is held at the peak is told by its label, the largest first") {
  KdbHeap heap(true);
  heap.record(true);
  {
    const KdbVector a = heap.vector(1, 1, "small");
    const KdbVector b = heap.vector(1000, 8, "large");
    const KdbVector c = heap.vector(1000, 8, "large");
  }
  const KdbVector later = heap.vector(10, 1, "later");
  const std::vector<KdbHolding> held = heap.held_at_peak();
  REQUIRE(held.size() == 2);
  CHECK((held[0].what == "large" && held[0].blocks == 2 && held[0].bytes == 16384));
  CHECK((held[1].what == "small" && held[1].bytes == 32));
  CHECK(heap.events().size() == 7);
  CHECK(heap.events().back().used_after == 32);
}

}  // namespace
}  // namespace hdbench::bench
