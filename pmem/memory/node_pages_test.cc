#include "pmem/memory/node_pages.h"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/testing/test_files.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("the nodes of CPUs are those that have memory; none where sysfs shows none") {
  testing::FakeMachine machine;
  CHECK(nodes_of_cpus({0, 1}, machine.paths()).empty());
  for (const auto& [cpu, node] : {std::pair(0, 0), {1, 0}, {2, 8}, {3, 9}}) {
    machine.sys("devices/system/cpu/cpu" + std::to_string(cpu) + "/node" + std::to_string(node) +
                    "/cpulist",
                "");
  }
  machine.sys("devices/system/node/has_memory", "0,2,8\n");
  CHECK(nodes_of_cpus({0, 1}, machine.paths()) == std::vector<int>{0});
  CHECK(nodes_of_cpus({3, 2, 0}, machine.paths()) == std::vector<int>{0, 8});
  CHECK(nodes_of_cpus({3}, machine.paths()).empty());
}

TEST_CASE("memory can be used after it was spread, even over nodes that are not there") {
  for (const std::vector<int>& nodes :
       {std::vector<int>{}, {-1}, {0}, {0, 1}, {0, 1023}, {4095}, own_nodes()}) {
    const auto region = map_huge_memory(1 << 20);
    REQUIRE(region.ok());
    spread_over(region->bytes, nodes);
    std::memset(region->bytes.data(), 5, region->bytes.size());
    CHECK(region->bytes.back() == std::byte{5});
  }
}

// The kernel's policy for a page; nothing where the kernel does not tell.
std::optional<int> policy_of_page(const std::byte* page) {
  int mode = -1;
  if (::syscall(SYS_get_mempolicy, &mode, nullptr, 0, page, MPOL_F_ADDR) != 0) return std::nullopt;
  return mode;
}

TEST_CASE("memory that was spread has the policy before it is touched") {
  const auto region = map_huge_memory(1 << 20);
  REQUIRE(region.ok());
  if (!policy_of_page(region->bytes.data())) {
    WARN("the kernel tells no policy of memory");
    return;
  }
  spread_over(region->bytes, {0});
  CHECK(policy_of_page(region->bytes.data()) == MPOL_PREFERRED);
  if (set_node_policy(region->bytes, {NodeSpread::kInterleave, {0}}).ok()) {
    CHECK(policy_of_page(region->bytes.data()) == MPOL_INTERLEAVE);
  }
}

// Page k, counted over all that is asked, lies where the function says.
PageLocator located_by(const std::function<int(std::size_t)>& node_of, std::size_t& asked) {
  return [node_of, &asked](std::span<const std::byte* const> pages, std::span<int> nodes) {
    for (std::size_t i = 0; i < pages.size(); ++i) nodes[i] = node_of(asked++);
    return ok_status();
  };
}

TEST_CASE("nothing has no pages, and the kernel is not asked") {
  std::size_t asked = 0;
  const auto locate = located_by([](std::size_t) { return 0; }, asked);
  for (const ByteSpans& spans : {ByteSpans{}, ByteSpans{{}, {}}}) {
    const auto census = count_pages(spans, locate);
    REQUIRE(census.ok());
    CHECK(census->pages_total == 0);
    CHECK(census->by_node.empty());
    CHECK(describe(*census) == "none of 0 pages on a node");
  }
  CHECK(asked == 0);
}

TEST_CASE("every page of every span is asked once, in batches") {
  const auto region = map_huge_memory(std::size_t{40} << 20);
  REQUIRE(region.ok());
  const std::span<const std::byte> bytes = region->bytes;
  std::size_t asked = 0;
  const auto locate = located_by(
      [](std::size_t page) { return page % 4 == 3 ? -2 : static_cast<int>(page % 2); }, asked);
  const auto census =
      count_pages({bytes.first(std::size_t{16} << 20), bytes.last(4096 * 3 + 1)}, locate);
  REQUIRE(census.ok());
  CHECK(census->pages_total == 4096 + 4);
  CHECK(census->pages_looked_at == 4100);
  CHECK(asked == 4100);
  CHECK(census->pages_absent == 1025);
  CHECK(census->pages_present() == 3075);
  CHECK(census->by_node == std::map<int, std::uint64_t>{{0, 2050}, {1, 1025}});
  CHECK(describe(*census) == "2050 of 3075 pages on node 0, 1025 on node 1");
}

TEST_CASE("beyond the most that is asked, pages are taken evenly over the spans") {
  const auto region = map_huge_memory(std::size_t{1} << 20);
  REQUIRE(region.ok());
  const std::span<const std::byte> bytes = region->bytes;
  ByteSpans spans;
  for (std::size_t at = 0; at < bytes.size(); at += 8192) spans.push_back(bytes.subspan(at, 8192));
  std::size_t asked = 0;
  const auto locate = located_by([](std::size_t) { return 0; }, asked);
  const auto census = count_pages(spans, locate, 100);
  REQUIRE(census.ok());
  CHECK(census->pages_total == 256);
  CHECK(census->pages_looked_at == 86);
  CHECK(count_pages(spans, locate, 256)->pages_looked_at == 256);
}

TEST_CASE("a node that cannot be is refused with its number") {
  const auto region = map_huge_memory(4096);
  REQUIRE(region.ok());
  for (const int node : {-1, 1024, 1023}) {
    const Status bound = set_node_policy(region->bytes, {NodeSpread::kBind, {node}});
    REQUIRE_FALSE(bound.ok());
    CHECK(bound.error().kind == ErrorKind::kData);
    CHECK(testing::contains(bound.error().message, "node " + std::to_string(node)));
  }
}

TEST_CASE("pages lie on the node that they were bound to, once they are touched") {
  const auto region = map_huge_memory(std::size_t{4} << 20);
  REQUIRE(region.ok());
  for (const NodeSpread spread :
       {NodeSpread::kBind, NodeSpread::kInterleave, NodeSpread::kWeighted}) {
    const Status bound = set_node_policy(region->bytes, {spread, {0}});
    if (!bound.ok()) {
      CHECK(testing::contains(bound.error().message, "cannot bind memory to node 0"));
      continue;
    }
    auto census = count_pages({region->bytes}, locate_pages);
    REQUIRE(census.ok());
    if (spread == NodeSpread::kBind) CHECK(census->pages_absent == 1024);
    std::memset(region->bytes.data(), 1, region->bytes.size());
    census = count_pages({region->bytes}, locate_pages);
    REQUIRE(census.ok());
    CHECK(census->by_node == std::map<int, std::uint64_t>{{0, 1024}});
  }
}

}  // namespace
}  // namespace hdbench::pmem
