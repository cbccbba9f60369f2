#include "bench/base/name_pattern.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("a pattern is found anywhere in a name") {
  const auto pattern = NamePattern::make("--tests", "Q0[12]/.*flat$");
  REQUIRE(pattern.ok());
  CHECK(pattern->found_in("Q02/medium:dram/layout:flat"));
  CHECK_FALSE(pattern->found_in("Q02/medium:dram/layout:flat/cache:warm"));
  CHECK_FALSE(pattern->found_in("Q03/medium:dram/layout:flat"));
}

TEST_CASE("no pattern is found everywhere") {
  CHECK(NamePattern().found_in("any"));
  const auto pattern = NamePattern::make("--tests", "");
  REQUIRE(pattern.ok());
  CHECK(pattern->is_everywhere());
  CHECK(pattern->found_in(""));
}

TEST_CASE("what is no regular expression is refused with its flag and the reason") {
  const auto pattern = NamePattern::make("--tests", "Q(0");
  REQUIRE_FALSE(pattern.ok());
  CHECK(pattern.error().kind == ErrorKind::kUsage);
  CHECK(pattern.error().message.starts_with("--tests: 'Q(0' is no regular expression: "));
}

}  // namespace
}  // namespace hdbench
