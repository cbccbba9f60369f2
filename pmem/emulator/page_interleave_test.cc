#include "pmem/emulator/page_interleave.h"

#include "engine/base/catch.h"

namespace hdbench::pmem {

TEST_CASE("without a ratio every byte lies on the device") {
  const PageInterleave all;
  CHECK_FALSE(all.is_shared());
  CHECK(all.is_far(0));
  CHECK(all.far_bytes(100, 100) == 0);
  CHECK(all.far_bytes(100, 9000) == 8900);
}

TEST_CASE("pages take turns: three of the host, then one of the device") {
  const PageInterleave shared{3, 1};
  CHECK_FALSE(shared.is_far(0));
  CHECK_FALSE(shared.is_far(3 * 4096 - 1));
  CHECK(shared.is_far(3 * 4096));
  CHECK_FALSE(shared.is_far(4 * 4096));
  CHECK(shared.far_bytes(0, 3 * 4096) == 0);
  CHECK(shared.far_bytes(3 * 4096 - 10, 3 * 4096 + 10) == 10);
  CHECK(shared.far_bytes(0, 400 * 4096) == 100 * 4096);
  // Byte by byte the same.
  std::uint64_t counted = 0;
  for (std::uintptr_t at = 5000; at < 70'000; ++at) counted += shared.is_far(at) ? 1 : 0;
  CHECK(shared.far_bytes(5000, 70'000) == counted);
}

}  // namespace hdbench::pmem
