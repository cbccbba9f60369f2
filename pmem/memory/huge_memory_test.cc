#include "pmem/memory/huge_memory.h"

#include <cstring>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

TEST_CASE("memory is zeroed and aligned: to a page, from 2 MiB on to 2 MiB") {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{5000}, kHugePageBytes - 1}) {
    const auto region = map_huge_memory(bytes);
    REQUIRE(region.ok());
    CHECK(region->bytes.size() == bytes);
    CHECK(reinterpret_cast<std::size_t>(region->bytes.data()) % kRegionAlignment == 0);
    CHECK(all_zero(region->bytes));
  }
  for (const std::size_t bytes : {kHugePageBytes, kHugePageBytes + 1, 5 * kHugePageBytes}) {
    const auto region = map_huge_memory(bytes);
    REQUIRE(region.ok());
    CHECK(region->bytes.size() == bytes);
    CHECK(reinterpret_cast<std::size_t>(region->bytes.data()) % kHugePageBytes == 0);
    CHECK(all_zero(region->bytes));
  }
}

TEST_CASE("more memory than the machine has is an error with both figures") {
  const auto refused = map_huge_memory(std::size_t{1} << 60);
  REQUIRE_FALSE(refused.ok());
  CHECK(testing::contains(refused.error().message, "1152921504606846976 bytes of memory wanted"));
}

TEST_CASE("huge pages are counted within the spans only") {
  const TemporaryDirectory proc;
  CHECK_FALSE(huge_page_bytes({}, proc.path()).has_value());
  testing::write_text(proc.path() / "self/smaps",
                      "00200000-00a00000 rw-p 00000000 00:00 0 \n"
                      "Size:               8192 kB\n"
                      "AnonHugePages:      4096 kB\n"
                      "VmFlags: rd wr\n"
                      "00a00000-00c00000 rw-p 00000000 00:00 0 [heap]\n"
                      "AnonHugePages:      2048 kB\n");
  const auto span_at = [](std::size_t address, std::size_t bytes) {
    return std::span(reinterpret_cast<const std::byte*>(address), bytes);
  };
  CHECK(huge_page_bytes({}, proc.path()) == 0);
  CHECK(huge_page_bytes({span_at(0x200000, 0x800000)}, proc.path()) == 4096 * 1024);
  CHECK(huge_page_bytes({span_at(0x200000, 0x1000)}, proc.path()) == 0x1000);
  CHECK(huge_page_bytes({span_at(0xb00000, 0x100000), span_at(0x200000, 0x800000)}, proc.path()) ==
        4096 * 1024 + 0x100000);
  CHECK(huge_page_bytes({span_at(0x900000, 0x200000)}, proc.path()) == 0x200000);
}

TEST_CASE("the kernel's own smaps is understood") {
  const auto region = map_huge_memory(4 * kHugePageBytes);
  REQUIRE(region.ok());
  std::memset(region->bytes.data(), 1, region->bytes.size());
  const auto huge = huge_page_bytes({region->bytes});
  REQUIRE(huge.has_value());
  CHECK(*huge <= region->bytes.size());
}

using Bytes = std::span<const std::byte>;

Bytes bytes_at(std::uintptr_t address, std::size_t count) {
  return {reinterpret_cast<const std::byte*>(address), count};
}

TEST_CASE("where smaps cannot be read, nothing is told of mappings") {
  const testing::TemporaryDirectory procfs;
  CHECK_FALSE(synchronous_bytes({}, procfs.path()));
  testing::write_text(procfs.path() / "self/smaps", "1000-2000 rw-p 0 00:00 0\nSize: 4 kB\n");
  CHECK_FALSE(synchronous_bytes({bytes_at(0x1000, 16)}, procfs.path()));
}

TEST_CASE("bytes in areas mapped with MAP_SYNC are counted, and no others") {
  const testing::TemporaryDirectory procfs;
  testing::write_text(procfs.path() / "self/smaps",
                      "10000-20000 rw-s 0 00:06 1 /dev/dax0.0\n"
                      "VmFlags: rd wr sh mr mw me ms sf dd\n"
                      "20000-30000 rw-p 0 00:00 0\n"
                      "VmFlags: rd wr mr mw me ac\n"
                      "30000-31000 rw-s 0 00:06 1 /mnt/pmem/#1\n"
                      "VmFlags: rd wr sf\n");
  CHECK(synchronous_bytes({}, procfs.path()) == 0);
  CHECK(synchronous_bytes({Bytes{}}, procfs.path()) == 0);
  CHECK(synchronous_bytes({bytes_at(0x1f000, 0x2000)}, procfs.path()) == 0x1000);
  CHECK(synchronous_bytes({bytes_at(0x30800, 0x800), bytes_at(0x10000, 0x10)}, procfs.path()) ==
        0x810);
}

}  // namespace
}  // namespace hdbench::pmem
