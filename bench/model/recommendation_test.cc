#include "bench/model/recommendation.h"

#include "engine/base/catch.h"

namespace hdbench::bench {

TEST_CASE("a recommendation names the tiers that hold bytes, the time and the price") {
  const Recommendation recommendation{{{"DRAM", 1'000}, {"CXL", 0}, {"NVMe", 3'000}}, 0.125, 2, 8};
  CHECK(recommendation_text(recommendation) ==
        "25 % of the bytes in DRAM, 75 % of the bytes in NVMe: the queries take 12.5 % longer than "
        "with all in DRAM, and the memory costs 2 instead of 8 (-75 %).");
}

TEST_CASE("prices have four digits, and from a thousand on no fractions") {
  CHECK(price_text(0.66428637) == "0.6643");
  CHECK(price_text(12345.6) == "12,346");
}

TEST_CASE("a recommendation without bytes or price is still a sentence") {
  CHECK(recommendation_text({}).ends_with("costs 0 instead of 0."));
}

}  // namespace hdbench::bench
