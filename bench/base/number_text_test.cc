#include "bench/base/number_text.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("milliseconds show what matters of them") {
  CHECK(format_ms(0) == "0.000");
  CHECK(format_ms(0.1234) == "0.123");
  CHECK(format_ms(12.345) == "12.35");
  CHECK(format_ms(99.999) == "100.0");
  CHECK(format_ms(1234.56) == "1234.6");
  CHECK(format_ms(1234567) == "1,234,567");
}

TEST_CASE("ratios keep three digits, also where they are rounded up") {
  CHECK(format_ratio(0.847) == "0.85x");
  CHECK(format_ratio(9.996) == "10.0x");
  CHECK(format_ratio(99.96) == "100x");
}

TEST_CASE("commas stand before every third digit") {
  CHECK(with_commas(0) == "0");
  CHECK(with_commas(999) == "999");
  CHECK(with_commas(1000) == "1,000");
  CHECK(with_commas(191113021) == "191,113,021");
}

}  // namespace
}  // namespace hdbench
