#include "pmem/memory/numa_binding.h"

#include <cstring>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench {
namespace {

TEST_CASE("a machine has at least one node, and the calling thread runs on one") {
  CHECK(node_count() >= 1);
  CHECK(local_node() >= 0);
}

TEST_CASE("memory can be used after a node was preferred, even one that is not there") {
  const auto region = map_huge_memory(1 << 20);
  REQUIRE(region.ok());
  for (const int node : {-1, 0, local_node(), 4095}) prefer_node(region->bytes, node);
  std::memset(region->bytes.data(), 5, region->bytes.size());
  CHECK(region->bytes.back() == std::byte{5});
}

}  // namespace
}  // namespace hdbench
