#include "pmem/media/nvme_store.h"

#include <chrono>
#include <thread>

#include "engine/base/catch.h"
#include "pmem/memory/cache_state.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

TEST_CASE("an empty file and a region of no bytes map to nothing") {
  const TemporaryDirectory directory;
  testing::write_bytes(directory.path() / "empty", {});
  NvmeStore store(directory.path());
  CHECK(store.map(directory.path() / "empty")->bytes.empty());
  CHECK(store.allocate(0)->bytes.empty());
  CHECK(store.held().empty());
  CHECK(store.places().empty());
}

TEST_CASE("mapped bytes are the file's, read-only files included, and outlive the store") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "bid";
  const auto bytes = testing::known_bytes(12345);
  testing::write_bytes(path, bytes);
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  Mapping kept;
  {
    NvmeStore store(directory.path());
    const auto mapping = store.map(path);
    REQUIRE(mapping.ok());
    kept = *mapping;
    CHECK(store.places() == std::vector<std::filesystem::path>{path});
  }
  CHECK(testing::equal_bytes(kept.bytes, bytes));
}

TEST_CASE("a region is an unnamed file of the scratch directory") {
  const TemporaryDirectory directory;
  NvmeStore store(directory.path());
  const auto region = store.allocate(5000);
  REQUIRE(region.ok());
  CHECK(reinterpret_cast<std::size_t>(region->bytes.data()) % 4096 == 0);
  store.copy_in(region->bytes.data(), testing::known_bytes(5000));
  CHECK(testing::equal_bytes(region->bytes, testing::known_bytes(5000)));
  CHECK(testing::entries_in(directory.path()) == 0);
  CHECK(store.held().size() == 1);
}

TEST_CASE("evicted bytes that will be needed are read before they are touched") {
  const TemporaryDirectory directory(testing::directory_on_disk());
  if (!testing::on_disk(directory.path())) return;
  testing::write_bytes(directory.path() / "bid", testing::known_bytes(std::size_t{1} << 20));
  NvmeStore store(directory.path());
  const auto mapping = store.map(directory.path() / "bid");
  REQUIRE(mapping.ok());
  CHECK_FALSE(store.will_need({}));
  REQUIRE(make_cold(store.held()).ok());
  CHECK(store.will_need(mapping->bytes));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (resident_bytes(mapping->bytes) < mapping->bytes.size() &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  CHECK(resident_bytes(mapping->bytes) == mapping->bytes.size());
  CHECK_FALSE(store.will_need(mapping->bytes));
}

TEST_CASE("a file that was truncated under its mapping may be asked for") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "bid";
  testing::write_bytes(path, testing::known_bytes(std::size_t{4} << 20));
  NvmeStore store(directory.path());
  const auto mapping = store.map(path);
  REQUIRE(mapping.ok());
  std::filesystem::resize_file(path, 5000);
  CHECK(store.will_need(mapping->bytes));
  store.will_need(mapping->bytes.last(4096));
  CHECK(testing::equal_bytes(mapping->bytes.first(4096), testing::known_bytes(4096)));
}

TEST_CASE("missing files and scratch directories are errors that name them") {
  NvmeStore store("/nowhere");
  const auto mapping = store.map("/nowhere/bid");
  REQUIRE_FALSE(mapping.ok());
  CHECK(testing::contains(mapping.error().message, "/nowhere/bid: cannot open"));
  const auto region = store.allocate(1);
  REQUIRE_FALSE(region.ok());
  CHECK(region.error().message == "/nowhere: not a directory");
}

}  // namespace
}  // namespace hdbench::pmem
