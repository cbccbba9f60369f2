#include "engine/kernel/cpu_tuning.h"

#include "engine/base/catch.h"

using namespace hdbench;

TEST_CASE("nothing is prefetched until a strategy is set") {
  REQUIRE(cpu_tuning().first_level == 0);
  REQUIRE(cpu_tuning().second_level == 0);
  set_cpu_tuning(kCpuTunings[2]);
  REQUIRE(&cpu_tuning() == &kCpuTunings[2]);
  set_cpu_tuning(kCpuTunings[0]);
}
