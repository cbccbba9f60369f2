#include "bench/base/name_pattern.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a pattern is looked for anywhere in a name") {
  const auto pattern = NamePattern::make("--tests", "Q0[12]/.*flat$");
  REQUIRE(pattern.ok());
  CHECK(pattern->chooses("Q02/medium:dram/layout:flat"));
  CHECK_FALSE(pattern->chooses("Q02/medium:dram/layout:flat/cache:warm"));
  CHECK_FALSE(pattern->chooses("Q03/medium:dram/layout:flat"));
}

TEST_CASE("a leading minus chooses the names without the pattern") {
  const auto pattern = NamePattern::make("--tests", "-/engine:memory");
  REQUIRE(pattern.ok());
  CHECK(pattern->chooses("read/sequential"));
  CHECK_FALSE(pattern->chooses("read/engine:memory"));
}

TEST_CASE("what is no regular expression is refused with its flag and the reason") {
  const auto pattern = NamePattern::make("--tests", "Q(0");
  REQUIRE_FALSE(pattern.ok());
  CHECK(pattern.error().kind == ErrorKind::kUsage);
  CHECK(pattern.error().message.starts_with("--tests: 'Q(0' is no regular expression: "));
}

TEST_CASE("an expression that would take all memory, or seconds, is refused") {
  const std::string nested = "(((a{255}){255}){255}){255}";
  const std::string open = "((a{2,255}){2,}){1,200}b{9}{9}";
  const std::string doubled = "a" + std::string(40, '+');
  const std::string slow = "=d#*+++?++++++";
  for (const std::string& text : {nested, open, doubled, slow, "x" + std::string(5000, '(')}) {
    const auto pattern = NamePattern::make("--tests", text);
    REQUIRE_FALSE(pattern.ok());
    CHECK(pattern.error().message.starts_with("--tests: a regular expression of "));
  }
  CHECK(NamePattern::make("--tests", "Q[0-9]{2}/.{1,3}").ok());
  CHECK(NamePattern::make("--tests", "(a|b)+/(c|d)+/[e-g]+h+i+j+").ok());
}

}  // namespace
}  // namespace hdbench::bench
