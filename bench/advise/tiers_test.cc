#include "bench/advise/tiers.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::string refused(std::string_view text) {
  const auto tiers = parse_tiers(text, "t.toml");
  return tiers.ok() ? "" : tiers.error().message;
}

constexpr std::string_view kDram = "[[tier]]\nname='D'\nmedium='dram'\nprice_per_gb=30\n";

TEST_CASE("a file without tiers, or without DRAM, is refused") {
  CHECK(refused("") == "t.toml:1: no [[tier]]");
  CHECK(refused("[[tier]]\nname='C'\nmedium='cxl:cxl-cz122'\nprice_per_gb=1\n") ==
        "t.toml:1: no tier whose medium is dram: times are compared with it");
  CHECK(refused("x=1") == "t.toml:1: 'x' is no name here: known are tier");
  CHECK(refused("[[tier]]\n") == "t.toml:1: a [[tier]] without 'name'");
}

TEST_CASE("what is wrong with a tier is told with its line") {
  const std::string two = std::string(kDram) + "[[tier]]\nname='C'\n";
  CHECK(refused(two + "medium='cxl:none-such'\nprice_per_gb=1")
            .starts_with("t.toml:7: no device profile 'none-such'"));
  CHECK(refused(two + "medium='numa:1'\nprice_per_gb=1") ==
        "t.toml:7: 'medium': numa:1: expected dram, or a medium with a profile, such as "
        "cxl:cxl-cz122");
  CHECK(refused(two + "medium='cxl:cxl-cz122'\nprice_per_gb=-1") ==
        "t.toml:8: 'price_per_gb': expected a number from 0 to 1000000000");
  CHECK(refused(two + "medium='cxl:cxl-cz122+interleave=auto'\nprice_per_gb=1")
            .ends_with("not 'auto', which query and run search for their --medium"));
  CHECK(refused(two + "medium='cxl:cxl-cz122'") == "t.toml:5: tier 'C' without 'price_per_gb'");
  CHECK(refused(two + "medium='cxl:cxl-cz122'\nprice_per_gb=1\ncapacity='many'")
            .starts_with("t.toml:9: "));
  CHECK(refused(std::string(kDram) + std::string(kDram)) ==
        "t.toml:5: tier 'D': its name or medium is there twice");
}

TEST_CASE("tiers are read in their order, with capacities and prices") {
  const auto tiers = parse_tiers(
      std::string(kDram) +
          "[[tier]]\nname='C'\nmedium='cxl:cxl-cz122'\nprice_per_gb=12.5\ncapacity='2GiB'\n"
          "price_once=100\nsource='s'\n",
      "t.toml");
  REQUIRE(tiers.ok());
  REQUIRE(tiers->size() == 2);
  CHECK_FALSE((*tiers)[0].capacity_bytes.has_value());
  CHECK((*tiers)[1].capacity_bytes == std::uint64_t{2} << 30);
  CHECK(price_of((*tiers)[1], 0) == 0);
  CHECK(price_of((*tiers)[1], 2'000'000'000) == Approx(125));
}

TEST_CASE("the example that comes with the program reads") {
  const auto tiers = read_tiers(HDBENCH_SOURCE_DIR "/examples/tiers.toml");
  REQUIRE(tiers.ok());
  for (const Tier& tier : *tiers) CHECK_FALSE(tier.source.empty());
}

}  // namespace
}  // namespace hdbench::bench
