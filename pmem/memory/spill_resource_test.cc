#include "pmem/memory/spill_resource.h"

#include <vector>

#include "engine/base/catch.h"
#include "pmem/memory/out_of_medium.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

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
