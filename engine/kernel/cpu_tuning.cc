#include "engine/kernel/cpu_tuning.h"

namespace hdbench {
namespace {

const CpuTuning* tuning_in_use = &kCpuTunings[0];

}  // namespace

const CpuTuning& cpu_tuning() { return *tuning_in_use; }

void set_cpu_tuning(const CpuTuning& tuning) { tuning_in_use = &tuning; }

}  // namespace hdbench
