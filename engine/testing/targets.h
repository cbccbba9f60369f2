// For kernel tests: iterates over the instruction sets that this machine supports.
#pragma once

#include <hwy/targets.h>

#include "engine/base/catch.h"
#include "engine/kernel/cpu_tuning.h"

namespace hdbench {

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
