#include "pmem/persistent/libpmem_mapping.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

TEST_CASE("a build without libpmem says so") {
  if (persistent_absence() == nullptr) return;
  const auto region = map_persistent("/tmp", 4096);
  REQUIRE_FALSE(region.ok());
  CHECK(testing::contains(region.error().message, "this build has no libpmem"));
}

TEST_CASE("bytes copied through libpmem are there, and nothing is left in the directory") {
  if (persistent_absence() != nullptr) return;
  const TemporaryDirectory directory;
  CHECK(map_persistent(directory.path(), 0)->region.bytes.empty());
  const auto mapped = map_persistent(directory.path(), 300000);
  REQUIRE(mapped.ok());
  REQUIRE(mapped->region.bytes.size() == 300000);
  for (const std::size_t count : {0, 1, 63, 64, 1000, 300000}) {
    const auto bytes = testing::known_bytes(count, count + 1);
    copy_persistent(mapped->region.bytes.data(), bytes);
    drain_persistent();
    CHECK(testing::equal_bytes(mapped->region.bytes.first(count), bytes));
  }
  CHECK(testing::entries_in(directory.path()) == 0);
}

}  // namespace
}  // namespace hdbench::pmem
