#include "bench/machine/filled_file.h"

#include <sys/stat.h>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {

TEST_CASE("a filled file has its bytes and no name") {
  const testing::TemporaryDirectory folder(testing::directory_on_disk());
  const std::atomic<bool> stop{false};
  const auto file = filled_file(folder.path(), (std::uint64_t{5} << 20) + 4096, stop);
  REQUIRE(file.ok());
  struct stat status{};
  REQUIRE(fstat(file->descriptor(), &status) == 0);
  CHECK(status.st_size == (5 << 20) + 4096);
  CHECK(status.st_nlink == 0);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("no directory, no room and a stop are errors") {
  const testing::TemporaryDirectory folder;
  std::atomic<bool> stop{false};
  CHECK(!filled_file(folder.path() / "none", 4096, stop).ok());
  CHECK(!filled_file(folder.path(), std::uint64_t{1} << 60, stop).ok());
  stop = true;
  CHECK(filled_file(folder.path(), 4096, stop).error().message == "interrupted");
}

}  // namespace hdbench::bench
