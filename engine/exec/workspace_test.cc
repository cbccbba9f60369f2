#include "engine/exec/workspace.h"

#include <vector>

#include "engine/base/catch.h"

using hdbench::Workspace;
using hdbench::WorkspaceLimit;

TEST_CASE("a workspace counts what is used and keeps the peak") {
  Workspace workspace(0, *std::pmr::new_delete_resource());
  {
    std::pmr::vector<std::byte> a(1000, &workspace);
    std::pmr::vector<std::byte> b(500, &workspace);
    REQUIRE(workspace.used_bytes() == 1500);
  }
  REQUIRE(workspace.used_bytes() == 0);
  REQUIRE(workspace.peak_bytes() == 1500);
}

TEST_CASE("exactly the limit fits, one byte more throws and leaves nothing") {
  Workspace workspace(4096, *std::pmr::new_delete_resource());
  void* all = workspace.allocate(4096);
  REQUIRE_THROWS_AS(workspace.allocate(1), WorkspaceLimit);
  REQUIRE(workspace.used_bytes() == 4096);
  workspace.deallocate(all, 4096);
  void* again = workspace.allocate(4096);
  workspace.deallocate(again, 4096);
  REQUIRE(workspace.peak_bytes() == 4096);
}

TEST_CASE(
    "where the upstream resource is full a spill resource takes over, without one it throws") {
  std::pmr::unsynchronized_pool_resource spill;
  Workspace spilling(0, *std::pmr::null_memory_resource(), &spill);
  void* block = spilling.allocate(64);
  CHECK(spilling.spilled_bytes() == 64);
  spilling.deallocate(block, 64);
  CHECK(spilling.used_bytes() == 0);
  Workspace alone(0, *std::pmr::null_memory_resource());
  CHECK_THROWS_AS(alone.allocate(64), std::bad_alloc);
  CHECK(alone.used_bytes() == 0);
}

TEST_CASE("a spill resource that is full throws what it says, and leaves nothing counted") {
  Workspace workspace(100, *std::pmr::new_delete_resource(), std::pmr::null_memory_resource());
  void* within = workspace.allocate(100);
  CHECK_THROWS_AS(workspace.allocate(64), std::bad_alloc);
  CHECK(workspace.used_bytes() == 100);
  CHECK(workspace.spilled_bytes() == 0);
  workspace.deallocate(within, 100);
}

TEST_CASE("beyond the limit a spill resource takes over and gets its blocks back") {
  std::pmr::unsynchronized_pool_resource spill;
  Workspace workspace(100, *std::pmr::new_delete_resource(), &spill);
  void* within = workspace.allocate(100);
  void* beyond = workspace.allocate(64);
  REQUIRE(workspace.spilled_bytes() == 64);
  REQUIRE(workspace.peak_bytes() == 164);
  workspace.deallocate(within, 100);
  workspace.deallocate(beyond, 64);
  REQUIRE(workspace.used_bytes() == 0);
}
