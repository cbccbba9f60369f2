#include "engine/kernel/core_habit.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace hdbench {
namespace {

#if defined(__x86_64__)
// The processor family as AMD counts it: CPUID function 1, bits 8 to 11 of eax; where they are all
// set, bits 20 to 27 are added.
unsigned cpu_family() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return 0;
  constexpr unsigned kExtended = 15;
  const unsigned family = (eax >> 8) & 15;
  return family == kExtended ? family + ((eax >> 20) & 255) : family;
}

// Bytes of the first-level instruction cache as Intel tells it (CPUID function 4: type 2 and level
// 1 in eax; ways, partitions and line in ebx, sets in ecx, each less one); 0 where it does not.
unsigned instruction_cache_bytes() {
  constexpr unsigned kNone = 0;
  constexpr unsigned kInstruction = 2;
  constexpr unsigned kCachesMax = 16;
  for (unsigned cache = 0; cache < kCachesMax; ++cache) {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (__get_cpuid_count(4, cache, &eax, &ebx, &ecx, &edx) == 0) return 0;
    const unsigned type = eax & 31;
    if (type == kNone) return 0;
    if (type != kInstruction || ((eax >> 5) & 7) != 1) continue;
    return ((ebx >> 22) + 1) * (((ebx >> 12) & 1023) + 1) * ((ebx & 4095) + 1) * (ecx + 1);
  }
  return 0;
}
#endif

const CoreHabit& of_this_machine() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  constexpr unsigned kZen5 = 26;
  if (__builtin_cpu_is("amd")) return cpu_family() >= kZen5 ? kZen5Core : kZenCore;
  constexpr unsigned kRedwoodInstructions = 64 << 10;
  if (__builtin_cpu_is("intel") && __builtin_cpu_supports("avx512f") &&
      instruction_cache_bytes() == kRedwoodInstructions) {
    return kRedwoodCore;
  }
#endif
  return kIntelCore;
}

const CoreHabit*& chosen() {
  static const CoreHabit* one = &of_this_machine();
  return one;
}

}  // namespace

const CoreHabit& core_habit() { return *chosen(); }

void testing::set_core_habit(const CoreHabit* habit) {
  chosen() = habit == nullptr ? &of_this_machine() : habit;
}

}  // namespace hdbench
