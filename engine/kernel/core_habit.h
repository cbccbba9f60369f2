// Tuning per microarchitecture: prefetch distances, packing order, comparison width. Changes how
// fast results are computed, never the results.
//
// The figures behind each constant are in docs/measurements/2026-11-25-figures-from-comments.md.
#pragma once

#include <cstddef>

namespace hdbench {

// Distances in bytes; 0: nothing is fetched ahead.
struct FetchDistances {
  std::size_t second_level;  // of the lines fetched to the second-level cache
  std::size_t first_level;   // and, from there, to the first
};

struct CoreHabit {
  const char* name;
  FetchDistances scan;         // of elements of 4 bytes and more
  FetchDistances narrow_scan;  // of 1 and 2 bytes
  std::size_t packing;         // what is packed, to the first-level cache
  bool packing_interleaved;    // several stretches of it in turn, or front to back
  // Largest set of 8-byte codes that is compared directly. For larger ones codes are first cut to
  // ids, of which a vector holds more rows.
  std::size_t compared_wide;
  // Whether keys of groups known from the previous piece are compared as stored at any width,
  // without making ids; otherwise only keys as narrow as ids.
  bool known_as_they_lie;
  // Whether lines that are read next are prefetched to the second level during a pass over cached
  // data, which leaves memory idle.
  bool fetches_between;

  const FetchDistances& scan_of(std::size_t width) const { return width < 4 ? narrow_scan : scan; }
};

// The hardware prefetcher stops at the end of a page, starts late in the next one and knows nothing
// of the array that is read after this one, so lines are fetched several pages ahead.
inline constexpr CoreHabit kIntelCore{"Intel", {16384, 1024}, {16384, 1024}, 4096, true,
                                      0,       false,         false};

// Lines fetched less than a page ahead, to both levels, add to those of the hardware prefetcher;
// from a page on they interfere with it.
inline constexpr CoreHabit kRedwoodCore{"Redwood Cove", {3584, 1536}, {3584, 1536}, 1024, true, 4,
                                        true,           false};

// The hardware prefetchers cross pages: lines prefetched far ahead (kIntelCore's distances)
// interfere with them, 1 KiB ahead they do not. Codes of 1 byte, a line of which takes longer to
// test, are prefetched further ahead. (docs/measurements/2026-11-25-aggregates.md)
inline constexpr CoreHabit kZenCore{"Zen", {0, 1024}, kIntelCore.narrow_scan, 0, true, 0,
                                    false, false};

// Lines are fetched to the first level, codes compared as they are, results packed from front to
// back, and lines fetched between passes.
inline constexpr CoreHabit kZen5Core{"Zen 5", {0, 8192}, {0, 8192}, 0, false, 4, false, true};

// All of them, for tests and for bench/validation/core_habits.cc, which measures them on a machine.
inline constexpr const CoreHabit* kCoreHabits[] = {&kIntelCore, &kRedwoodCore, &kZenCore,
                                                   &kZen5Core};

// This machine's, by the CPU's vendor and family, its vector instructions and its first-level
// instruction cache: hypervisors may report other models' numbers, but report the caches as they
// are.
const CoreHabit& core_habit();

namespace testing {
// For tests, whose kernels are to give the same under each, and for
// bench/validation/core_habits.cc. Null: this machine's again. Not while others run.
void set_core_habit(const CoreHabit* habit);
}  // namespace testing

}  // namespace hdbench
