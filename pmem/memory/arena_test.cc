#include "pmem/memory/arena.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("an arena gives nothing for nothing") {
  Arena arena([](std::size_t) -> Result<Region> { return data_error("not to be called"); });
  const auto piece = arena.take(0);
  REQUIRE(piece.ok());
  CHECK(piece->bytes.empty());
}

TEST_CASE("small pieces share a chunk, large ones have a region of their own") {
  std::vector<std::size_t> asked;
  Arena arena([&](std::size_t bytes) {
    asked.push_back(bytes);
    return map_huge_memory(bytes);
  });
  std::vector<Region> pieces;
  for (const std::size_t bytes : {1, 4096, 4097, 100000}) {
    auto piece = arena.take(bytes);
    REQUIRE(piece.ok());
    CHECK(piece->bytes.size() == bytes);
    CHECK(reinterpret_cast<std::size_t>(piece->bytes.data()) % kRegionAlignment == 0);
    pieces.push_back(*piece);
  }
  CHECK(asked == std::vector<std::size_t>{Arena::kFirstChunkBytes});
  REQUIRE(arena.take(Arena::kChunkBytesMax / 4).ok());
  CHECK(asked.back() == Arena::kChunkBytesMax / 4);
}

TEST_CASE("chunks double, and a chunk lives as long as its last piece") {
  std::vector<std::weak_ptr<const void>> chunks;
  std::vector<std::size_t> asked;
  Region kept;
  {
    Arena arena([&](std::size_t bytes) {
      auto chunk = map_huge_memory(bytes);
      chunks.push_back(chunk->keep_alive);
      asked.push_back(bytes);
      return chunk;
    });
    const std::size_t whole = Arena::kFirstChunkBytes;
    kept = *arena.take(whole - 8192);
    REQUIRE(arena.take(8192).ok());  // the last bytes of the first chunk
    REQUIRE(arena.take(1).ok());
    REQUIRE(asked == std::vector<std::size_t>{whole, 2 * whole});
    CHECK_FALSE(chunks[0].expired());
  }
  CHECK_FALSE(chunks[0].expired());
  CHECK(chunks[1].expired());
  kept = {};
  CHECK(chunks[0].expired());
}

TEST_CASE(
    "without room for a chunk a piece gets exactly its bytes, and the source's error is told") {
  Arena arena([](std::size_t bytes) -> Result<Region> {
    if (bytes > 10000) return data_error("full");
    return map_huge_memory(bytes);
  });
  CHECK(arena.take(9000).ok());
  const auto refused = arena.take(20000);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == "full");
}

TEST_CASE("eight threads get pieces that do not overlap") {
  constexpr std::size_t kThreads = 8;
  constexpr std::size_t kPieces = 200;
  Arena arena(map_huge_memory);
  std::vector<std::vector<Region>> pieces(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = 0; i < kPieces; ++i) {
          pieces[t].push_back(*arena.take(1 + (i * 7919 + t * 104729) % 50000));
          std::memset(pieces[t].back().bytes.data(), static_cast<int>(t + 1),
                      pieces[t].back().bytes.size());
        }
      });
    }
  }
  std::size_t wrong = 0;
  for (std::size_t t = 0; t < kThreads; ++t) {
    for (const Region& piece : pieces[t]) {
      for (const std::byte byte : piece.bytes) wrong += byte != static_cast<std::byte>(t + 1);
    }
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace hdbench::pmem
