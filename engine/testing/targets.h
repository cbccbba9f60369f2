// For kernel tests: the instruction sets that this machine supports, and blocks of rows.
#pragma once

#include <hwy/targets.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/cpu_tuning.h"

namespace hdbench {

// Around one word of selected rows, and several.
constexpr std::size_t kRowCounts[] = {0, 1, 63, 64, 65, 200, 1000};

// Whether a row is selected; no bits represent all rows.
inline bool is_in(const std::vector<std::uint64_t>& bits, std::size_t row) {
  return bits.empty() || (bits[row / kWordRows] >> (row % kWordRows) & 1) != 0;
}

// Runs a check on each instruction set by hiding the better ones, and under each strategy of
// prefetching.
template <typename Check>
void on_every_target(const Check& check) {
  for (const CpuTuning& tuning : kCpuTunings) {
    set_cpu_tuning(tuning);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      INFO(hwy::TargetName(target) << ", prefetching: " << tuning.name);
      check();
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  set_cpu_tuning(kCpuTunings[0]);
}

}  // namespace hdbench
