#include "bench/advise/advice.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

Advice placed(const std::vector<std::pair<std::string, std::size_t>>& tier_of_column) {
  Advice advice;
  advice.tiers.resize(2);
  advice.tiers[0].medium = "dram";
  advice.tiers[0].bytes = 1;
  advice.tiers[1].medium = "cxl:cxl-cz122";
  advice.tiers[1].bytes = 2;
  for (const auto& [column, tier] : tier_of_column)
    advice.columns.push_back({"quote", column, 1, tier});
  return advice;
}

}  // namespace

TEST_CASE("the flags name the columns of every tier but the one that holds most") {
  const Advice::Run run = run_of(placed({{"time", 0}, {"bid", 1}, {"ask", 0}}));
  CHECK(run.medium == "cxl:cxl-cz122");
  CHECK(run.places == std::vector<std::string>{"quote.time,quote.ask=dram"});
}

TEST_CASE("newest partitions are named only where they lie apart from the older ones") {
  CHECK(run_of(placed({{"bid@last5", 0}, {"bid", 0}, {"ask", 1}})).places ==
        std::vector<std::string>{"quote.bid=dram"});
  CHECK(run_of(placed({{"bid@last5", 0}, {"bid", 1}, {"ask@last5", 1}, {"ask", 1}})).places ==
        std::vector<std::string>{"quote.bid@last5=dram"});
}

}  // namespace hdbench::bench
