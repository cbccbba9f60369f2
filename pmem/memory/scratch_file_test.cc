#include "pmem/memory/scratch_file.h"

#include <fcntl.h>

#include <utility>
#include <vector>

#include "engine/base/catch.h"
#include "pmem/memory/region_heap.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

TEST_CASE("a scratch region is zeroed, writable, and has no name in its directory") {
  const TemporaryDirectory directory;
  auto scratch = make_scratch_region(directory.path(), 100000);
  REQUIRE(scratch.ok());
  const auto bytes = scratch->region.bytes;
  REQUIRE(bytes.size() == 100000);
  CHECK(reinterpret_cast<std::size_t>(bytes.data()) % 4096 == 0);
  CHECK(std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; }));
  bytes[99999] = std::byte{7};
  CHECK(bytes[99999] == std::byte{7});
  CHECK(testing::entries_in(directory.path()) == 0);
  const int descriptor = scratch->descriptor;
  CHECK(::fcntl(descriptor, F_GETFD) != -1);
  scratch->region = {};
  CHECK(::fcntl(descriptor, F_GETFD) == -1);
}

TEST_CASE("there may be more scratch regions than a process may usually open files") {
  const TemporaryDirectory directory;
  std::vector<ScratchRegion> regions;
  for (int i = 0; i < 1500; ++i) {
    auto scratch = make_scratch_region(directory.path(), 1);
    if (!scratch.ok()) {
      // A machine whose administrator allows no more: the message says so.
      CHECK(scratch.error().message.find("open files") != std::string::npos);
      return;
    }
    regions.push_back(std::move(*scratch));
  }
  CHECK(regions.size() == 1500);
}

TEST_CASE("a full disk or a missing directory is an error now, not a signal later") {
  const TemporaryDirectory directory;
  const auto too_large = make_scratch_region(directory.path(), std::size_t{1} << 60);
  REQUIRE_FALSE(too_large.ok());
  CHECK(testing::contains(too_large.error().message, "1152921504606846976 bytes wanted"));
  CHECK_FALSE(make_scratch_region(directory.path() / "nowhere", 1).ok());
}

TEST_CASE("a directory that cannot hold scratch files is refused at once") {
  const auto spill = make_spill_resource("/nowhere");
  REQUIRE_FALSE(spill.ok());
  CHECK(spill.error().message == "/nowhere: not a directory");
}

TEST_CASE("results spill to unnamed files, small ones and big ones") {
  const TemporaryDirectory directory;
  auto spill = make_spill_resource(directory.path());
  REQUIRE(spill.ok());
  std::pmr::vector<std::uint64_t> small(100, 3, spill->get());
  std::pmr::vector<std::uint64_t> big(spill->get());
  for (std::uint64_t i = 0; i < 1000000; ++i) big.push_back(i);
  CHECK(small.back() == 3);
  CHECK(big[123456] == 123456);
  CHECK(big.back() == 999999);
  CHECK(testing::entries_in(directory.path()) == 0);
}

TEST_CASE("a disk that is full throws with both figures") {
  const TemporaryDirectory directory;
  auto spill = make_spill_resource(directory.path());
  REQUIRE(spill.ok());
  CHECK_THROWS_AS((*spill)->allocate(std::size_t{1} << 50), OutOfMedium);
  try {
    (*spill)->deallocate((*spill)->allocate(std::size_t{1} << 50), std::size_t{1} << 50);
  } catch (const OutOfMedium& full) {
    CHECK(testing::contains(full.what(), "1125899906842624 bytes wanted"));
  }
}

}  // namespace
}  // namespace hdbench::pmem
