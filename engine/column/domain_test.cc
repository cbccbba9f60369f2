#include "engine/column/domain.h"

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

namespace hdbench {
namespace {

TEST_CASE("an empty domain has the null symbol and no other") {
  const auto domain = make_domain("sym", {});
  CHECK(domain->stored_size() == 0);
  CHECK(domain->size() == 1);
  CHECK(domain->ranks().size() == 1);
  CHECK(domain->find("") == 0U);
  CHECK(domain->null_code() == 0);
}

TEST_CASE("the null symbol is the list's empty one, or comes after it") {
  const auto with = make_domain("sym", {"b", "", "a"});
  CHECK(with->null_code() == 1);
  CHECK(with->size() == 3);
  CHECK(with->stored_size() == 3);
  const auto without = make_domain("sym", {"b", "a"});
  CHECK(without->null_code() == 2);
  CHECK(without->size() == 3);
  CHECK(without->stored_size() == 2);
  CHECK(without->text(2).empty());
  CHECK(without->ranks()[2] == 0);
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
        std::vector<std::uint32_t>{2, 1, 2, 3, 0});
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
