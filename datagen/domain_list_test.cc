#include "datagen/domain_list.h"

#include <algorithm>

#include "engine/base/catch.h"

namespace hdbench::datagen {

TEST_CASE("both paper profiles share one domain and taq has its tickers") {
  CHECK(domain_list(Profile::kPaper) == domain_list(Profile::kPaper3y));
  CHECK(domain_list(Profile::kTaq).size() == 8000);
}

TEST_CASE("the values that the published queries name are there") {
  const auto symbols = domain_list(Profile::kPaper);
  for (const auto* name : {"val1", "val2", "val3", "val4"}) {
    CHECK(std::count(symbols.begin(), symbols.end(), name) == 1);
  }
}

}  // namespace hdbench::datagen
