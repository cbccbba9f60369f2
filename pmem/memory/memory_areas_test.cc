#include "pmem/memory/memory_areas.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

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

TEST_CASE("the memory of this process is not called synchronous") {
  const auto bytes = testing::known_bytes(100000);
  const auto found = synchronous_bytes({bytes});
  if (found) CHECK(*found == 0);
}

}  // namespace
}  // namespace hdbench::pmem
