#include "pmem/memory/mapping_registry.h"

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("a live set lists what is held, in order, and forgets what is let go") {
  MappingRegistry set;
  CHECK(set.live().empty());
  const std::byte bytes[3] = {};
  const auto first = set.add({std::span(bytes, 1), nullptr, "/a", -1});
  auto second = set.add({std::span(bytes, 2), nullptr, "/b", -1});
  const auto third = set.add({std::span(bytes, 3), nullptr, "/c", -1});
  CHECK(set.live().size() == 3);
  second.reset();
  const auto live = set.live();
  REQUIRE(live.size() == 2);
  CHECK(live[0]->path == "/a");
  CHECK(live[1]->bytes.size() == 3);
}

TEST_CASE("thousands of short-lived mappings leave the living ones") {
  MappingRegistry set;
  const auto kept = set.add({{}, nullptr, "/kept", -1});
  for (int i = 0; i < 10000; ++i) set.add({{}, nullptr, {}, -1});
  REQUIRE(set.live().size() == 1);
  CHECK(set.live()[0] == kept);
}

}  // namespace
}  // namespace hdbench::pmem
