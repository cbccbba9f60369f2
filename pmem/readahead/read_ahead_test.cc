// Passes over files on a disk; where the temporary directory is none, or the kernel gives no huge
// pages, there is nothing to test.
#include "pmem/readahead/read_ahead.h"

#include <fstream>
#include <random>
#include <thread>

#include "engine/base/bytes.h"
#include "engine/base/catch.h"
#include "pmem/media/nvme_medium.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

std::size_t buffer_mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);)
    count += testing::contains(line, "hdbench-buffers") ? 1 : 0;
  return count;
}

// A file of an odd size, mapped and cold, its blocks beginning past a header.
struct Case {
  explicit Case(std::size_t bytes, std::size_t slots = 4, std::size_t slot_bytes = 2 * kMiB)
      : directory(testing::directory_on_disk()),
        store(directory.path()),
        path(directory.path() / "bid"),
        expected(testing::known_bytes(bytes)) {
    testing::write_bytes(path, expected);
    mapping = *store.map(path);
    auto made = ReadAheadBuffers::make(slots, slot_bytes);
    if (made.ok() && testing::on_disk(directory.path())) buffers = std::move(*made);
    if (buffers) REQUIRE(make_cold(store.held()).ok());
  }
  PassOrder order(std::size_t block_bytes, std::size_t header = 16) const {
    PassOrder made;
    for (std::size_t at = header; at < expected.size(); at += block_bytes)
      made.blocks.push_back(mapping.bytes.subspan(at, std::min(block_bytes, expected.size() - at)));
    return made;
  }
  bool is_right(std::span<const std::byte> bytes) const {
    const auto at = bytes.data() - mapping.bytes.data();
    return std::equal(bytes.begin(), bytes.end(), expected.begin() + at);
  }
  std::unique_ptr<ReadAhead> pass(const PassOrder& of) {
    return std::make_unique<ReadAhead>(of, store.held(), *buffers, shadows, std::span<const int>());
  }

  TemporaryDirectory directory;
  NvmeStore store;
  std::filesystem::path path;
  std::vector<std::byte> expected;
  Mapping mapping;
  std::unique_ptr<ReadAheadBuffers> buffers;
  ShadowMappings shadows;
};

TEST_CASE("no blocks, strangers' blocks and small ones need no buffers") {
  Case one(100000);
  const Held held = one.store.held();
  CHECK(ReadAhead::slots_needed({}, held, 2 * kMiB) == 0);
  CHECK(ReadAhead::slots_needed({{one.expected}, 1}, held, 2 * kMiB) == 0);
  CHECK(ReadAhead::slots_needed(one.order(1000), held, 2 * kMiB) == 0);
  if (!one.buffers) return;
  CHECK_NOTHROW(one.pass({}));
}

TEST_CASE("all bytes are right through windows of any size, and none is left shown") {
  for (const std::size_t bytes : {5 * kMiB + 123, 23 * kMiB, 16 * kMiB + 4097}) {
    for (const std::size_t block : {kMiB - 8, 2 * kMiB, 3 * kMiB + 40}) {
      const bool is_small = block < kMiB;
      Case one(bytes, is_small ? 12 : 6, is_small ? kMiB / 2 : 2 * kMiB);
      if (!one.buffers) return;
      const PassOrder order = one.order(block);
      {
        const auto pass = one.pass(order);
        for (std::size_t b = 0; b < order.blocks.size(); ++b) {
          pass->await(b);
          CHECK(one.is_right(order.blocks[b]));
          pass->release(b);
        }
      }
      CHECK(buffer_mappings() == 1);
      // All came past the page cache.
      CHECK(count_resident(one.store.held()).bytes_resident < kMiB);
      CHECK(one.is_right(one.mapping.bytes));
    }
  }
}

TEST_CASE("neighbouring blocks are right in any order of being read and let go") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 4; ++round) {
    Case one(9 * kMiB + 99, 8, kMiB / 2);
    if (!one.buffers) return;
    const PassOrder order = one.order(kMiB / 2);
    {
      const auto pass = one.pass(order);
      // Up to three are held, and go in no order.
      std::vector<std::size_t> held;
      for (std::size_t b = 0; b < order.blocks.size(); ++b) {
        pass->await(b);
        held.push_back(b);
        while (held.size() > random() % 4) {
          const std::size_t at = random() % held.size();
          CHECK(one.is_right(order.blocks[held[at]]));
          pass->release(held[at]);
          held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
        }
      }
    }
    CHECK(buffer_mappings() == 1);
    // All came past the page cache.
    CHECK(count_resident(one.store.held()).bytes_resident < kMiB);
    CHECK(one.is_right(one.mapping.bytes));
  }
}

TEST_CASE("two readers at once find the right bytes") {
  Case one(40 * kMiB + 5);
  if (!one.buffers) return;
  const PassOrder order = one.order(kMiB);
  const auto pass = one.pass(order);
  std::atomic<std::size_t> wrong{0};
  const auto read = [&](std::size_t from) {
    for (std::size_t b = from; b < order.blocks.size(); b += 2) {
      pass->await(b);
      if (!one.is_right(order.blocks[b])) ++wrong;
      pass->release(b);
    }
  };
  {
    const std::jthread odd(read, 1);
    read(0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("who reads too early or too late finds the file") {
  Case one(30 * kMiB + 1000);
  if (!one.buffers) return;
  const PassOrder order = one.order(2 * kMiB);
  const auto pass = one.pass(order);
  const std::size_t last = order.blocks.size() - 1;
  pass->await(last);  // its turn has not come
  CHECK(one.is_right(order.blocks[last]));
  for (std::size_t b = 0; b < last; ++b) {
    pass->await(b);
    pass->release(b);
  }
  for (const auto block : order.blocks) CHECK(one.is_right(block));
}

TEST_CASE("a file that was cut off is left to its mapping") {
  Case one(8 * kMiB);
  if (!one.buffers) return;
  std::filesystem::resize_file(one.path, 2 * kMiB + 5000);
  const PassOrder order = one.order(2 * kMiB, 0);
  const auto pass = one.pass(order);
  for (std::size_t b = 0; b < order.blocks.size(); ++b) pass->await(b);
  CHECK(one.is_right(one.mapping.bytes.first(2 * kMiB + 5000)));
  CHECK(buffer_mappings() == 2);
}

TEST_CASE("another file of the same name is not read in its place") {
  Case one(4 * kMiB);
  if (!one.buffers) return;
  const auto other = one.directory.path() / "other";
  testing::write_bytes(other, testing::known_bytes(4 * kMiB, 9));
  std::filesystem::rename(other, one.path);
  const PassOrder order = one.order(2 * kMiB);
  const auto pass = one.pass(order);
  pass->await(0);
  CHECK(one.is_right(order.blocks[0]));
}

TEST_CASE("a pass that is broken off leaves the file's mappings only") {
  Case one(20 * kMiB);
  if (!one.buffers) return;
  one.pass(one.order(2 * kMiB)).reset();
  CHECK(buffer_mappings() == 1);
  CHECK(one.is_right(one.mapping.bytes));
}

TEST_CASE("a region's pass is read from its unnamed file, once its store expects one") {
  const TemporaryDirectory directory(testing::directory_on_disk());
  NvmeStore store(directory.path());
  const auto region = store.allocate(4 * kMiB);
  REQUIRE(region.ok());
  store.copy_in(region->bytes.data(), testing::known_bytes(4 * kMiB));
  const PassOrder order{{region->bytes.first(kMiB), region->bytes.subspan(kMiB)}, 1};
  CHECK(store.read_pass(order) == nullptr);
  if (!store.expect_passes({}).empty() || !testing::on_disk(directory.path())) return;
  REQUIRE(make_cold(store.held()).ok());
  {
    const auto pass = store.read_pass(order);
    REQUIRE(pass != nullptr);
    CHECK(store.read_pass(order) == nullptr);
    pass->await(0);
    pass->await(1);
    CHECK(testing::equal_bytes(region->bytes, testing::known_bytes(4 * kMiB)));
    CHECK(count_resident(store.held()).bytes_resident > 0);
  }
  CHECK(count_resident(store.held()).bytes_resident < kMiB);
  store.release_passes();
  CHECK(store.read_pass(order) == nullptr);
  CHECK(store.expect_passes({}).empty());
  CHECK(store.read_pass(order) != nullptr);
}

}  // namespace
}  // namespace hdbench::pmem
