#include "engine/base/store.h"

#include <sys/stat.h>

#include <algorithm>
#include <limits>

#include "engine/base/catch.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

TEST_CASE("a mapping outlives its store") {
  const ScratchDirectory scratch;
  write_bytes(scratch / "file", bytes_of("abc"));
  const auto mapping = make_page_cache_store()->map(scratch / "file");
  REQUIRE(mapping.ok());
  CHECK(as_text(mapping->bytes) == "abc");
}

TEST_CASE("what is no regular file is an error that names it") {
  const ScratchDirectory scratch;
  const auto store = make_page_cache_store();
  CHECK(store->map(scratch / "none").error().message ==
        (scratch / "none").string() + ": cannot open: No such file or directory");
  CHECK(store->map(scratch.path()).error().message ==
        scratch.path().string() + ": not a regular file");
  REQUIRE(::mkfifo((scratch / "fifo").c_str(), 0600) == 0);
  CHECK(store->map(scratch / "fifo").error().message ==
        (scratch / "fifo").string() + ": not a regular file");
}

TEST_CASE("a region is zero-filled, page-aligned and takes copies") {
  const auto store = make_page_cache_store();
  auto region = store->allocate(10000);
  REQUIRE(region.ok());
  CHECK(reinterpret_cast<std::uintptr_t>(region->bytes.data()) % 4096 == 0);
  CHECK(std::all_of(region->bytes.begin(), region->bytes.end(),
                    [](std::byte byte) { return byte == std::byte{0}; }));
  store->copy_in(region->bytes.data() + 5000, bytes_of("abc"));
  CHECK(as_text(region->bytes).substr(5000, 3) == "abc");
  CHECK(store->allocate(0)->bytes.empty());
  CHECK_FALSE(store->allocate(std::numeric_limits<std::size_t>::max() / 2).ok());
}

}  // namespace
}  // namespace hdbench
