#include "pmem/media/copy_store.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

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
    "without space for a chunk a piece gets exactly its bytes, and the source's error is "
    "reported") {
  Arena arena([](std::size_t bytes) -> Result<Region> {
    if (bytes > 10000) return data_error("full");
    return map_huge_memory(bytes);
  });
  CHECK(arena.take(9000).ok());
  const auto refused = arena.take(20000);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == "full");
}

using testing::TemporaryDirectory;

TEST_CASE("an empty file and a region of no bytes hold nothing") {
  const TemporaryDirectory directory;
  testing::write_bytes(directory.path() / "empty", {});
  CopyStore store(map_huge_memory);
  CHECK(store.map(directory.path() / "empty")->bytes.empty());
  CHECK(store.allocate(0)->bytes.empty());
  CHECK(store.held().empty());
}

TEST_CASE("a copy keeps its bytes when the file changes, and is counted while it is held") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "bid";
  const auto bytes = testing::known_bytes(70000);
  testing::write_bytes(path, bytes);
  CopyStore store(map_huge_memory);
  {
    const auto mapping = store.map(path);
    REQUIRE(mapping.ok());
    testing::write_bytes(path, testing::known_bytes(100));
    CHECK(testing::equal_bytes(mapping->bytes, bytes));
    CHECK(count_resident(store.held()).bytes_total == 70000);
  }
  CHECK(store.held().empty());
}

TEST_CASE("a missing file is an error that names it") {
  CopyStore store(map_huge_memory);
  const auto mapping = store.map("/nowhere/bid");
  REQUIRE_FALSE(mapping.ok());
  CHECK(testing::contains(mapping.error().message, "/nowhere/bid: cannot open"));
}

TEST_CASE("eight threads load files and allocate at once") {
  const TemporaryDirectory directory;
  constexpr std::size_t kFiles = 64;
  std::vector<std::vector<std::byte>> expected;
  for (std::size_t i = 0; i < kFiles; ++i) {
    expected.push_back(testing::known_bytes(i * 1777, i + 1));
    testing::write_bytes(directory.path() / std::to_string(i), expected.back());
  }
  CopyStore store(map_huge_memory);
  std::vector<std::size_t> wrong(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = 0; i < kFiles; ++i) {
          const auto mapping = store.map(directory.path() / std::to_string(i));
          wrong[t] += !mapping.ok() || !testing::equal_bytes(mapping->bytes, expected[i]);
          const auto region = store.allocate(expected[i].size());
          if (!region->bytes.empty()) store.copy_in(region->bytes.data(), expected[i]);
          wrong[t] += !testing::equal_bytes(region->bytes, expected[i]);
        }
      });
    }
  }
  CHECK(wrong == std::vector<std::size_t>(8));
}

}  // namespace
}  // namespace hdbench::pmem
