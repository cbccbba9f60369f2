// How far ahead scans prefetch: a few named strategies, of which `hdbench run` times each and takes
// the fastest. Changes how fast results are computed, never the results.
#pragma once

#include <cstddef>
#include <string_view>

namespace hdbench {

struct CpuTuning {
  const char* name;
  // Distances in bytes; 0: nothing is prefetched. Lines are prefetched to the second-level cache
  // and, from there, to the first.
  std::size_t second_level;
  std::size_t first_level;
};

// The plainest first: the hardware's prefetchers alone; lines less than a page ahead, which adds to
// them; and lines several pages ahead, for hardware that stops at the end of a page.
inline constexpr CpuTuning kCpuTunings[] = {
    {"hardware", 0, 0}, {"near", 0, 1024}, {"far", 16384, 1024}};

// The strategy in use: the plainest one until another is set.
const CpuTuning& cpu_tuning();

// Requires: no kernel is running; `tuning` outlives its use.
void set_cpu_tuning(const CpuTuning& tuning);

}  // namespace hdbench
