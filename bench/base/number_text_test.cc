#include "bench/base/number_text.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
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

TEST_CASE("a noun follows its count") {
  CHECK(counted(0, "row") == "0 rows");
  CHECK(counted(1, "row") == "1 row");
  CHECK(counted(1062, "row") == "1,062 rows");
}

TEST_CASE("bytes have decimal units") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(1000) == "1.0 kB");
  CHECK(bytes_text(999'999) == "1.0 MB");
  CHECK(bytes_text(245'400'000) == "245 MB");
}

}  // namespace
}  // namespace hdbench::bench
