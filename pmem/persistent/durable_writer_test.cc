#include "pmem/persistent/durable_writer.h"

#include <cstring>

#include "engine/base/catch.h"
#include "pmem/persistent/libpmem_mapping.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("what is written and drained through libpmem is in the file") {
  if (persistent_absence() != nullptr) return;
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "pool";
  const auto bytes = testing::known_bytes(5000, 1);
  {
    const auto made = open_persistent(path, 8192);
    REQUIRE(made.ok());
    LibpmemWriter persist;
    REQUIRE(persist.write(made->region.bytes.data() + 8, {}).ok());
    REQUIRE(persist.write(made->region.bytes.data() + 8, bytes).ok());
    REQUIRE(persist.write_word(made->region.bytes.data(), 0x0102030405060708).ok());
    REQUIRE(persist.drain().ok());
  }
  const auto opened = open_persistent(path);
  REQUIRE(opened.ok());
  REQUIRE(opened->region.bytes.size() == 8192);
  std::uint64_t word = 0;
  std::memcpy(&word, opened->region.bytes.data(), sizeof(word));
  CHECK(word == 0x0102030405060708);
  CHECK(testing::equal_bytes(opened->region.bytes.subspan(8, 5000), bytes));
}

TEST_CASE("a file that is there is not made again, one that is not cannot be opened") {
  if (persistent_absence() != nullptr) return;
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "pool";
  CHECK(testing::contains(open_persistent(path).error().message, path.string()));
  REQUIRE(open_persistent(path, 4096).ok());
  CHECK(testing::contains(open_persistent(path, 4096).error().message, path.string()));
}

}  // namespace
}  // namespace hdbench::pmem
