// For kernel tests: every instruction set that this machine has.
#pragma once

#include <hwy/targets.h>

#include "engine/base/catch.h"

namespace hdbench {

// Runs a check on each instruction set by hiding the better ones.
template <typename Check>
void on_every_target(const Check& check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    INFO(hwy::TargetName(target));
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace hdbench
