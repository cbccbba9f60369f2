#include "bench/machine/cpu_tuning_choice.h"

#include <algorithm>
#include <iterator>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("one of the strategies is chosen, and the plainest stays in use") {
  const CpuTuning& chosen = fastest_cpu_tuning(0);
  CHECK(std::any_of(std::begin(kCpuTunings), std::end(kCpuTunings),
                    [&](const CpuTuning& one) { return &one == &chosen; }));
  CHECK(&cpu_tuning() == &kCpuTunings[0]);
}

}  // namespace
}  // namespace hdbench::bench
