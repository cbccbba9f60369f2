#include <cmath>

#include "engine/operator/aggregator.h"
#include "engine/testing/aggregator_checks.h"

using namespace hdbench;

namespace {

MakeAggregator maker(QType type, bool is_max) {
  return aggregate_of(is_max ? Aggregate::kMax : Aggregate::kMin, type);
}

}  // namespace

TEST_CASE("of zeros min and max give the one without a sign") {
  PackedValues values{QType::kFloat, {}};
  for (const double zero : {-0.0, 0.0, -0.0}) values.push_back(zero);
  const GroupedRows rows{values, {}, {0, 0, 1}, 2};
  for (const bool is_max : {false, true}) {
    FedAggregator fed(rows, maker(QType::kFloat, is_max));
    fed.take_runs(0, 3);
    const std::vector<std::byte> found = fed.results(8);
    REQUIRE_FALSE(std::signbit(load_element<double>(found.data())));
    REQUIRE_FALSE(std::signbit(load_element<double>(found.data() + 8)));
  }
}
