// The page cache of an emulated disk: each window once, and no further than the file.
#include "pmem/emulator/page_windows.h"

#include "engine/base/catch.h"

using namespace hdbench;
using namespace hdbench::pmem;

TEST_CASE("a file ends in a window as short as what is left of it") {
  const PageWindows one(1, 4096);
  CHECK(one.count() == 1);
  CHECK(one.bytes_of(0) == 1);
  const PageWindows file(10'000, 4096);
  CHECK(file.count() == 3);
  CHECK(file.bytes_of(1) == 4096);
  CHECK(file.bytes_of(2) == 10'000 - 2 * 4096);
}

TEST_CASE("a window is read by one caller, until all is forgotten") {
  PageWindows file(std::uint64_t{200} * 4096, 4096);
  CHECK_FALSE(file.was_read(130));
  CHECK(file.read(130));
  CHECK(file.was_read(130));
  CHECK_FALSE(file.read(130));
  CHECK(file.read(129));
  file.set_all(false);
  CHECK(file.read(130));
}
