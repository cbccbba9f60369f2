#include "engine/base/map_budget.h"

#include "engine/base/catch.h"

namespace hdbench {

TEST_CASE("the kernel's limit on maps is known, and no limit refuses nothing") {
  REQUIRE(map_count_max());
  CHECK(*map_count_max() > 1000);
  MapBudget none(std::nullopt);
  CHECK(none.take(std::uint64_t{1} << 40));
}

TEST_CASE("maps are taken until three quarters of the limit are, and given back") {
  MapBudget budget(1'000'000);
  CHECK(budget.limit() == 1'000'000);
  CHECK_FALSE(budget.take(750'000));  // this process has some
  CHECK(budget.take(700'000));
  CHECK_FALSE(budget.take(50'000));
  budget.give_back(100'000);
  CHECK(budget.take(50'000));
  MapBudget nothing(4);
  CHECK(nothing.take(0));
  CHECK_FALSE(nothing.take(1));
}

TEST_CASE("the advice names a limit that is enough") {
  CHECK(map_limit_advice(65530, 72000) ==
        "vm.max_map_count is 65530: as root: sysctl -w vm.max_map_count=131072");
  CHECK(map_limit_advice(65530, 98304) ==
        "vm.max_map_count is 65530: as root: sysctl -w vm.max_map_count=196608");
}

}  // namespace hdbench
