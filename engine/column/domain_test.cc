#include "engine/column/domain.h"

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

namespace hdbench {
namespace {

TEST_CASE("an empty domain has no symbols and no ranks") {
  const auto domain = make_domain("sym", {});
  CHECK(domain->size() == 0);
  CHECK(domain->ranks().empty());
  CHECK_FALSE(domain->find("").has_value());
}

TEST_CASE("ranks follow the bytes of the texts") {
  const auto domain = make_domain("sym", {"MSFT", "", "AAPL", "aapl", "\xc3\xa9", "AAP"});
  const auto ranks = domain->ranks();
  CHECK(std::vector<std::uint32_t>(ranks.begin(), ranks.end()) ==
        std::vector<std::uint32_t>{3, 0, 2, 4, 5, 1});
}

TEST_CASE("equal texts share a rank and the first code is found") {
  const auto domain = make_domain("sym", {"b", "a", "b", "c"});
  const auto ranks = domain->ranks();
  CHECK(std::vector<std::uint32_t>(ranks.begin(), ranks.end()) ==
        std::vector<std::uint32_t>{1, 0, 1, 2});
  CHECK(domain->find("b") == 0U);
  CHECK(domain->find("c") == 3U);
  CHECK_FALSE(domain->find("d").has_value());
}

TEST_CASE("a domain keeps its texts alive") {
  const auto domain = make_domain("exchange", {"a text too long for the small string buffer"});
  CHECK(domain->name() == "exchange");
  CHECK(domain->text(0) == "a text too long for the small string buffer");
}

}  // namespace
}  // namespace hdbench
