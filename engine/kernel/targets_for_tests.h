// For kernel tests: iterates over the instruction sets that this machine supports.
#pragma once

#include <hwy/targets.h>

#include "engine/base/catch.h"
#include "engine/kernel/core_habit.h"

namespace hdbench {

// Runs a check on each instruction set by hiding the better ones, and under each habit of a core.
template <typename Check>
void on_every_target(const Check& check) {
  for (const CoreHabit* const habit : kCoreHabits) {
    testing::set_core_habit(habit);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      INFO(hwy::TargetName(target) << ", as " << habit->name << " likes it");
      check();
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  testing::set_core_habit(nullptr);
}

}  // namespace hdbench
