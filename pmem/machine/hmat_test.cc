#include "pmem/machine/hmat.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

TEST_CASE("a node of which the firmware tells nothing has no classes and no caches") {
  const TemporaryDirectory node;
  CHECK(read_memory_side_caches(node.path()).empty());
  CHECK(read_memory_access(node.path()).empty());
  CHECK(read_memory_access(node.path() / "absent").empty());
}

TEST_CASE("a memory-side cache without its details is still a cache") {
  const TemporaryDirectory node;
  write_text(node.path() / "memory_side_cache/index1/size", "134217728\n");
  const auto caches = read_memory_side_caches(node.path());
  REQUIRE(caches.size() == 1);
  CHECK(caches[0].bytes == 134217728);
  CHECK(caches[0].line_bytes == 0);
  CHECK(caches[0].indexing.empty());
  CHECK(caches[0].write_policy.empty());
}

TEST_CASE("size, line, indexing and write policy of a cache are read") {
  const TemporaryDirectory node;
  const auto cache = node.path() / "memory_side_cache/index1";
  write_text(cache / "size", "206158430208\n");
  write_text(cache / "line_size", "64\n");
  write_text(cache / "indexing", "0\n");
  write_text(cache / "write_policy", "0\n");
  write_text(node.path() / "memory_side_cache/index2/indexing", "1\n");
  write_text(node.path() / "memory_side_cache/index2/write_policy", "2\n");
  const auto caches = read_memory_side_caches(node.path());
  REQUIRE(caches.size() == 2);
  CHECK(caches[0].level == 1);
  CHECK(caches[0].bytes == std::uint64_t{192} << 30);
  CHECK(caches[0].line_bytes == 64);
  CHECK(caches[0].indexing == "direct");
  CHECK(caches[0].write_policy == "write-back");
  CHECK(caches[1].indexing == "indexed");
  CHECK(caches[1].write_policy == "other");
}

TEST_CASE("access classes have their initiators; a figure of zero is not told") {
  const TemporaryDirectory node;
  const auto nearest = node.path() / "access0/initiators";
  write_text(nearest / "read_bandwidth", "31000\n");
  write_text(nearest / "write_bandwidth", "0\n");
  write_text(nearest / "read_latency", "250\n");
  write_text(nearest / "node0/cpulist", "0-3\n");
  write_text(node.path() / "access1/initiators/read_latency", "260\n");
  write_text(node.path() / "access1/initiators/node1/cpulist", "4-7\n");
  const auto access = read_memory_access(node.path());
  REQUIRE(access.size() == 2);
  CHECK(access[0].access_class == 0);
  CHECK(access[0].initiators == std::vector<int>{0});
  CHECK(access[0].read_bandwidth_mb_s == 31000u);
  CHECK_FALSE(access[0].write_bandwidth_mb_s.has_value());
  CHECK(access[0].read_latency_ns == 250u);
  CHECK_FALSE(access[0].write_latency_ns.has_value());
  CHECK(access[1].access_class == 1);
  CHECK(access[1].initiators == std::vector<int>{1});
  CHECK(access[1].read_latency_ns == 260u);
}

}  // namespace
}  // namespace hdbench::pmem
