#include "queries/literal/symbol_codes.h"

#include <string_view>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

namespace hdbench::queries {

using Codes = std::vector<std::uint64_t>;

TEST_CASE("without a domain no code is a member") {
  const std::string_view texts[] = {"a"};
  const CodeTest test = codes_in(nullptr, texts);
  CHECK(test.member.empty());
  CHECK(test.codes.empty());
}

TEST_CASE("the null symbol is a member where the empty text passes") {
  const auto domain = make_domain("sym", {});
  CHECK(codes_where(domain.get(), [](std::string_view) { return true; }).codes == Codes{0});
  const auto one = make_domain("sym", {"a"});
  const std::string_view texts[] = {""};
  CHECK(codes_in(one.get(), texts).codes == Codes{1});
}

TEST_CASE("member and codes say the same, codes rising") {
  const auto domain = make_domain("sym", {"b", "a", "c"});
  const std::string_view texts[] = {"c", "nowhere", "b", "c"};
  const CodeTest test = codes_in(domain.get(), texts);
  CHECK(test.member == std::vector<std::uint8_t>{1, 0, 1, 0});
  CHECK(test.codes == Codes{0, 2});
}

TEST_CASE("every code of a text that the domain has twice is a member") {
  const auto domain = make_domain("sym", {"a", "b", "a"});
  const std::string_view texts[] = {"a"};
  CHECK(codes_in(domain.get(), texts).codes == Codes{0, 2});
}

}  // namespace hdbench::queries
