#include "datagen/domain_list.h"

#include <algorithm>
#include <set>
#include <string>

#include "engine/base/catch.h"

namespace hdbench::datagen {

TEST_CASE("both paper profiles share one domain and taq has tickers, then conditions") {
  CHECK(domain_list(Profile::kPaper) == domain_list(Profile::kPaper3y));
  const auto taq = domain_list(Profile::kTaq);
  REQUIRE(taq.size() == 8000 + 10);
  CHECK(taq[8000].empty());
  CHECK(taq[8001] == "F");
  CHECK(std::set<std::string>(taq.begin(), taq.end()).size() == taq.size());
}

TEST_CASE("the values that the published queries name are there") {
  const auto symbols = domain_list(Profile::kPaper);
  for (const auto* name : {"val1", "val2", "val3", "val4"}) {
    CHECK(std::count(symbols.begin(), symbols.end(), name) == 1);
  }
}

}  // namespace hdbench::datagen
