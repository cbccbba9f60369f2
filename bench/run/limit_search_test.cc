#include "bench/run/limit_search.h"

#include <vector>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

// A query that needs so many bytes and, when stopped, has taken half of its limit.
struct FakeQuery {
  std::uint64_t needs_bytes = 0;
  std::vector<std::uint64_t> tried_mib;

  Result<SmallestLimit> search(std::uint64_t unlimited_peak_bytes) {
    return find_smallest_limit(unlimited_peak_bytes, [&](std::uint64_t mib) -> Result<LimitTry> {
      tried_mib.push_back(mib);
      if (mib * kMib >= needs_bytes) return LimitTry{true, needs_bytes};
      return LimitTry{false, mib * kMib / 2};
    });
  }
};

TEST_CASE("the smallest limit is found for every need") {
  for (std::uint64_t mib = 1; mib <= 70; ++mib) {
    FakeQuery query{mib * kMib, {}};
    const auto found = query.search(mib * kMib);
    REQUIRE(found.ok());
    CHECK(found->limit_mib == mib);
    CHECK(found->peak_bytes == mib * kMib);
    CHECK(found->stopped_at_bytes.has_value() == (mib > 1));
    if (mib > 1) CHECK(*found->stopped_at_bytes == (mib - 1) * kMib / 2);
    CHECK(query.tried_mib.size() <= 9);
  }
}

TEST_CASE("a need above the unlimited peak is found by doubling") {
  FakeQuery query{37 * kMib, {}};
  const auto found = query.search(10 * kMib);
  REQUIRE(found.ok());
  CHECK(found->limit_mib == 37);
  CHECK(found->stopped_at_bytes == 18 * kMib);
}

TEST_CASE("a query that no limit satisfies is an error") {
  FakeQuery query{1000 * kMib, {}};
  const auto found = query.search(10 * kMib);
  REQUIRE_FALSE(found.ok());
  CHECK(found.error().kind == ErrorKind::kLimit);
  CHECK(found.error().message == "stops at -w 160, though it took 10 MiB without a limit");
}

}  // namespace
}  // namespace hdbench::bench
