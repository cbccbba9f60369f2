#include "pmem/media/memory_medium.h"

#include <algorithm>

#include "engine/base/catch.h"
#include "pmem/base/machine_paths.h"
#include "pmem/machine/numa_nodes.h"
#include "pmem/testing/test_files.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;
using testing::TemporaryDirectory;

TEST_CASE("dram is real, has no cache, and refuses a cold run as a usage error") {
  const auto dram = make_dram_medium();
  CHECK(dram->name() == "dram");
  CHECK_FALSE(dram->emulated());
  CHECK_FALSE(dram->has_cache());
  CHECK(testing::contains(dram->label(), "real (anonymous memory"));
  const auto cold = dram->prepare(Cache::kCold);
  REQUIRE_FALSE(cold.ok());
  CHECK(cold.error().kind == ErrorKind::kUsage);
}

TEST_CASE("files copied to dram are resident, and huge pages are counted") {
  const TemporaryDirectory directory;
  const auto bytes = testing::known_bytes((std::size_t{5} << 20) + 17);
  testing::write_bytes(directory.path() / "bid", bytes);
  const auto dram = make_dram_medium();
  const auto mapping = dram->store()->map(directory.path() / "bid");
  REQUIRE(mapping.ok());
  CHECK(reinterpret_cast<std::size_t>(mapping->bytes.data()) % 64 == 0);
  CHECK(testing::equal_bytes(mapping->bytes, bytes));
  const auto region = dram->store()->allocate(std::size_t{3} << 20);
  REQUIRE(region.ok());
  dram->store()->copy_in(region->bytes.data(), std::span(bytes).first(region->bytes.size()));
  const auto warm = dram->prepare(Cache::kWarm);
  REQUIRE(warm.ok());
  CHECK(warm->bytes_total == bytes.size() + region->bytes.size());
  CHECK(warm->bytes_resident == warm->bytes_total);
  REQUIRE(warm->bytes_in_huge_pages.has_value());
  CHECK(*warm->bytes_in_huge_pages <= warm->bytes_total);
  const auto proof = dram->verify_placement();
  REQUIRE(proof.ok());
  REQUIRE(proof->bytes_in_huge_pages.has_value());
  CHECK(*proof->bytes_in_huge_pages <= proof->bytes_total);
}

TEST_CASE("dram that lies on a node without CPUs is an error, and unseen where nobody tells") {
  const auto on_node = [](int node) -> PageLocator {
    return [node](std::span<const std::byte* const>, std::span<int> nodes) {
      std::fill(nodes.begin(), nodes.end(), node);
      return ok_status();
    };
  };
  const auto refusing = [](std::span<const std::byte* const>, std::span<int>) -> Status {
    return data_error("move_pages: Operation not permitted");
  };
  const auto far = make_dram_medium({}, on_node(977));
  const auto held = far->store()->allocate(8192);
  REQUIRE(held.ok());
  const auto proof = far->verify_placement();
  if (!read_numa_nodes().empty()) {
    REQUIRE_FALSE(proof.ok());
    CHECK(proof.error().kind == ErrorKind::kData);
    CHECK(testing::contains(proof.error().message, "of 2 pages on node 977"));
  }
  const auto anywhere = make_dram_medium({"memory-mode", {}, true}, on_node(977));
  const auto held_anywhere = anywhere->store()->allocate(8192);
  REQUIRE(anywhere->verify_placement().ok());
  CHECK(anywhere->verify_placement()->bytes_total == 8192);
  const auto unseen = make_dram_medium({}, refusing);
  const auto held_unseen = unseen->store()->allocate(8192);
  REQUIRE(unseen->verify_placement().ok());
  CHECK(unseen->verify_placement()->unknown == "move_pages: Operation not permitted");
}

TEST_CASE("a node without CPUs is dram's in its tier, and not where it is known to be CXL memory") {
  testing::FakeMachine cxl;
  testing::make_cxl(cxl);
  cxl.sys("devices/virtual/memory_tiering/memory_tier4/nodelist", "0,2");
  cxl.sys("devices/virtual/memory_tiering/memory_tier22/nodelist", "");
  CHECK(ordinary_nodes(cxl.paths()) == std::vector<int>{0});
  testing::FakeMachine unknown;
  testing::make_two_sockets(unknown);
  unknown.node(2, "", 32768);
  unknown.node(3, "", 32768);
  unknown.sys("devices/virtual/memory_tiering/memory_tier4/nodelist", "0-2");
  CHECK(ordinary_nodes(unknown.paths()) == std::vector<int>{0, 1, 2});
  testing::FakeMachine container;
  testing::make_container(container);
  CHECK(ordinary_nodes(container.paths()).empty());
}

NodeChoice choice_over(const std::string& name, const std::vector<int>& nodes,
                       const std::vector<int>& weights) {
  NodeChoice choice;
  choice.name = name;
  choice.policy.nodes = nodes;
  choice.weights = weights;
  return choice;
}

// The first node with memory that this process may use; nothing in a container that forbids it.
std::optional<NodeChoice> usable_node() {
  const Machine machine = read_machine();
  for (const NumaNode& node : machine.nodes) {
    if (!node.unusable.empty()) continue;
    return *choose_nodes(*parse_medium_spec("numa:" + std::to_string(node.number)), machine);
  }
  return std::nullopt;
}

TEST_CASE("room is asked of each node for its share") {
  FakeMachine fake;
  fake.node(0, "0", 1024);
  fake.node(2, "", 64);
  const NodeChoice bound = choice_over("numa:2", {2}, {});
  const std::size_t available = (std::size_t{32} << 20) + (3 << 20);
  CHECK(require_room_on_nodes(bound, available, fake.paths()).ok());
  const Status full = require_room_on_nodes(bound, available + 4096, fake.paths());
  REQUIRE_FALSE(full.ok());
  CHECK(full.error().kind == ErrorKind::kData);
  CHECK(full.error().message == "numa:2: 36704256 bytes wanted on node 2, 36700160 available");
  const NodeChoice weighed = choice_over("cxl", {0, 2}, {3, 1});
  CHECK(require_room_on_nodes(weighed, available * 4, fake.paths()).ok());
  CHECK_FALSE(require_room_on_nodes(weighed, available * 5, fake.paths()).ok());
  // Where the kernel does not tell, the kernel decides.
  const NodeChoice unknown = choice_over("numa:9", {9}, {});
  CHECK(require_room_on_nodes(unknown, available * 1000, fake.paths()).ok());
}

TEST_CASE("a node that the kernel refuses makes no medium") {
  const auto medium = make_node_medium(choice_over("numa:1023", {1023}, {}));
  REQUIRE_FALSE(medium.ok());
  CHECK(medium.error().kind == ErrorKind::kData);
  CHECK(testing::contains(medium.error().message, "numa:1023: cannot bind memory to node 1023"));
}

TEST_CASE("files, regions and results lie on the node, and every page of them is found there") {
  const auto choice = usable_node();
  if (!choice) return;
  const TemporaryDirectory directory;
  const auto bytes = testing::known_bytes((std::size_t{5} << 20) + 17);
  testing::write_bytes(directory.path() / "bid", bytes);
  auto made = make_node_medium(*choice);
  REQUIRE(made.ok());
  Medium& medium = **made;
  CHECK(medium.name() == choice->name);
  CHECK_FALSE(medium.emulated());
  CHECK_FALSE(medium.has_cache());
  CHECK(medium.prepare(Cache::kCold).error().kind == ErrorKind::kUsage);
  const auto mapping = medium.store()->map(directory.path() / "bid");
  REQUIRE(mapping.ok());
  CHECK(testing::equal_bytes(mapping->bytes, bytes));
  const std::pmr::vector<std::uint64_t> small(10, &medium.results());
  const std::pmr::vector<std::uint64_t> big(std::size_t{1} << 20, 7, &medium.results());
  const auto warm = medium.prepare(Cache::kWarm);
  REQUIRE(warm.ok());
  CHECK(warm->bytes_resident == bytes.size());
  const auto proof = medium.verify_placement();
  REQUIRE(proof.ok());
  const int node = choice->policy.nodes.front();
  CHECK(proof->claim == "every page on node " + std::to_string(node));
  CHECK(proof->pages.by_node.size() == 1);
  // The file, 8 MiB of result, and a page or more of small blocks.
  CHECK(proof->pages.by_node.at(node) >= (5 + 8) * 256 + 2);
  CHECK(proof->pages.pages_looked_at == proof->pages.pages_total);
}

}  // namespace
}  // namespace hdbench::pmem
