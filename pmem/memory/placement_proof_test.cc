#include "pmem/memory/placement_proof.h"

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

// The first `counts[0]` pages lie on the first node, and so on.
PageLocator dealt(std::vector<std::pair<int, std::size_t>> counts) {
  auto left = std::make_shared<std::vector<std::pair<int, std::size_t>>>(std::move(counts));
  return [left](std::span<const std::byte* const> pages, std::span<int> nodes) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      while (left->size() > 1 && left->front().second == 0) left->erase(left->begin());
      nodes[i] = left->front().first;
      --left->front().second;
    }
    return ok_status();
  };
}

ByteSpans pages(const Region& region, std::size_t count) {
  return {std::span<const std::byte>(region.bytes).first(count * 4096)};
}

TEST_CASE("a medium that holds nothing keeps every promise") {
  const auto proof = prove_placement({"cxl", {1}, {}}, {}, dealt({{0, 1}}));
  REQUIRE(proof.ok());
  CHECK(proof->claim == "every page on node 1");
  CHECK(describe(PlacementProof{}) == "nothing is held");
}

TEST_CASE("pages elsewhere are an error with counts by node") {
  const auto region = map_huge_memory(4096 * 4096);
  REQUIRE(region.ok());
  const auto held = pages(*region, 4096);
  const auto one = prove_placement({"cxl", {1}, {}}, held, dealt({{1, 4059}, {0, 37}}));
  REQUIRE_FALSE(one.ok());
  CHECK(one.error().kind == ErrorKind::kData);
  CHECK(one.error().message == "cxl: expected node 1, found 37 of 4096 pages on node 0");
  const auto two = prove_placement({"cxl", {1, 2}, {1, 1}}, held,
                                   dealt({{1, 2000}, {0, 90}, {3, 6}, {2, 2000}}));
  REQUIRE_FALSE(two.ok());
  CHECK(two.error().message ==
        "cxl: expected nodes 1, 2, found 90 of 4096 pages on node 0, 6 on node 3");
  // One page is enough.
  CHECK_FALSE(prove_placement({"cxl", {1}, {}}, held, dealt({{1, 4095}, {0, 1}})).ok());
}

TEST_CASE("pages that were never touched are counted apart and prove nothing") {
  const auto region = map_huge_memory(100 * 4096);
  REQUIRE(region.ok());
  const auto proof =
      prove_placement({"numa:0", {0}, {}}, pages(*region, 100), dealt({{0, 60}, {-2, 40}}));
  REQUIRE(proof.ok());
  CHECK(proof->pages.pages_absent == 40);
  CHECK(describe(*proof) == "every page on node 0: 60 of 60 pages on node 0");
}

TEST_CASE("a proportion that is off by more than rounds can explain is an error") {
  const std::size_t count = 65536;
  const auto region = map_huge_memory(count * 4096);
  REQUIRE(region.ok());
  const PlacementClaim claim{"cxl:interleave=3:1", {0, 2}, {3, 1}};
  const auto held = pages(*region, count);
  const auto good = prove_placement(claim, held, dealt({{0, 49152}, {2, 16384}}));
  REQUIRE(good.ok());
  CHECK(good->claim == "pages 3:1 over nodes 0, 2");
  CHECK(prove_placement(claim, held, dealt({{0, 50000}, {2, 15536}})).ok());
  const auto half = prove_placement(claim, held, dealt({{0, 32768}, {2, 32768}}));
  REQUIRE_FALSE(half.ok());
  CHECK(half.error().message ==
        "cxl:interleave=3:1: expected 3:1 over nodes 0, 2, found 32768 of 65536 pages on node 0, "
        "32768 on node 2");
  CHECK_FALSE(prove_placement(claim, held, dealt({{0, 65536}})).ok());
  // A single huge page lies on one node, whatever the proportion.
  CHECK(prove_placement(claim, pages(*region, 512), dealt({{0, 512}})).ok());
}

TEST_CASE("a promise is not kept where the kernel does not tell; a count says why") {
  const std::vector<std::byte> bytes(10);
  const PageLocator silent = [](auto, auto) -> Status { return data_error("not known"); };
  const auto proof = prove_placement({"numa:0", {0}, {}}, {bytes}, silent);
  REQUIRE_FALSE(proof.ok());
  CHECK(proof.error().message == "numa:0: not known");
  const PlacementProof counted = count_placement({bytes}, silent);
  CHECK(counted.unknown == "not known");
  CHECK(describe(counted) == "not known");
}

}  // namespace
}  // namespace hdbench::pmem
