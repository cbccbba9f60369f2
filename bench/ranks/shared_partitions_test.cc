#include "bench/ranks/shared_partitions.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("partitions are shared out in runs of neighbours") {
  const auto owners = contiguous_owners({5, 1, 2, 2, 9, 7, 8}, 3);
  CHECK(owners ==
        std::map<std::int64_t, std::size_t>{{1, 0}, {2, 0}, {5, 1}, {7, 1}, {8, 2}, {9, 2}});
  CHECK(contiguous_owners({}, 3).empty());
  CHECK(contiguous_owners({4}, 3) == std::map<std::int64_t, std::size_t>{{4, 0}});
}

}  // namespace
}  // namespace hdbench::bench
