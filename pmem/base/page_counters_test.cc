#include "pmem/base/page_counters.h"

#include <cstring>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("without /proc/self/io there is no figure for device bytes, only for faults") {
  const testing::TemporaryDirectory proc;
  const PageCounters counted = read_page_counters(proc.path());
  CHECK_FALSE(counted.device_bytes_read.has_value());
  CHECK(counted.minor_faults > 0);
  CHECK_FALSE(read_page_counters().since(counted).device_bytes_read.has_value());
}

TEST_CASE("read_bytes is what the devices were asked for, not rchar") {
  const testing::TemporaryDirectory proc;
  testing::write_text(proc.path() / "self/io",
                      "rchar: 999\nwchar: 1\nsyscr: 2\nsyscw: 3\nread_bytes: 8192\n"
                      "write_bytes: 5\ncancelled_write_bytes: 0\n");
  PageCounters earlier;
  earlier.device_bytes_read = 4096;
  CHECK(read_page_counters(proc.path()).since(earlier).device_bytes_read == 4096);
}

TEST_CASE("touching fresh memory is counted as minor faults") {
  const auto memory = map_huge_memory(1 << 20);
  REQUIRE(memory.ok());
  const PageCounters before = read_page_counters();
  std::memset(memory->bytes.data(), 1, memory->bytes.size());
  const PageCounters counted = read_page_counters().since(before);
  CHECK(counted.minor_faults >= 1);
  CHECK(counted.major_faults == 0);
}

}  // namespace
}  // namespace hdbench::pmem
