#include "pmem/topology.h"

#include "engine/base/catch.h"
#include "pmem/test_files.h"

namespace hdbench {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

TEST_CASE("a container that shows nothing makes empty lists") {
  const TemporaryDirectory root;
  const Machine machine = read_machine({root.path() / "sys", root.path() / "proc"});
  CHECK(machine.mounts.empty());
  CHECK(machine.nodes.empty());
  CHECK_FALSE(machine.memory_bytes.has_value());
  CHECK(machine.transparent_huge_pages.empty());
  CHECK(machine.pmem.regions.empty());
}

TEST_CASE("nodes with and without CPUs and a memory-side cache are read") {
  const TemporaryDirectory root;
  const auto nodes = root.path() / "sys/devices/system/node";
  write_text(nodes / "node0/cpulist", "0-3\n");
  write_text(nodes / "node0/meminfo", "Node 0 MemTotal:  2097152 kB\nNode 0 MemFree: 5 kB\n");
  write_text(nodes / "node10/cpulist", "\n");
  write_text(nodes / "node10/meminfo", "\nNode 10 MemTotal:  1048576 kB\n");
  write_text(nodes / "node2/cpulist", "\n");
  write_text(nodes / "node10/memory_side_cache/index1/size", "134217728\n");
  write_text(nodes / "node10/memory_side_cache/index1/line_size", "64\n");
  write_text(nodes / "online", "0,2,10\n");
  write_text(root.path() / "sys/kernel/mm/transparent_hugepage/enabled",
             "always [madvise] never\n");
  write_text(root.path() / "proc/meminfo", "MemTotal:  3145728 kB\n");

  const Machine machine = read_machine({root.path() / "sys", root.path() / "proc"});
  REQUIRE(machine.nodes.size() == 3);
  CHECK(machine.nodes[0].number == 0);
  CHECK(machine.nodes[0].has_cpus);
  CHECK(machine.nodes[0].memory_bytes == std::uint64_t{2} << 30);
  CHECK(machine.nodes[0].memory_side_caches.empty());
  CHECK(machine.nodes[1].number == 2);
  CHECK(machine.nodes[1].memory_bytes == 0);
  CHECK(machine.nodes[2].number == 10);
  CHECK_FALSE(machine.nodes[2].has_cpus);
  CHECK(machine.nodes[2].memory_bytes == std::uint64_t{1} << 30);
  REQUIRE(machine.nodes[2].memory_side_caches.size() == 1);
  CHECK(machine.nodes[2].memory_side_caches[0].bytes == 134217728);
  CHECK(machine.nodes[2].memory_side_caches[0].line_bytes == 64);
  CHECK(machine.memory_bytes == std::uint64_t{3} << 30);
  CHECK(machine.transparent_huge_pages == "madvise");
}

TEST_CASE("the real machine is read without privileges") {
  const Machine machine = read_machine();
  CHECK(machine.memory_bytes.has_value());
  CHECK_FALSE(machine.pmem.source.empty());
}

}  // namespace
}  // namespace hdbench
