#include "pmem/media/copy_store.h"

#include <thread>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

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
