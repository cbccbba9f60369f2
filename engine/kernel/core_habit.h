// How this machine's cores like to be fed from memory: ahead of their own prefetchers or left to
// them, in which order, and compared at which width. A habit changes when bytes come and what they
// cost, never what is computed.
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
  // Of codes of 8 bytes, a set of at most so many is compared as they are; for others they are cut
  // to ids first, a vector of which has more rows.
  std::size_t compared_wide;
  // Keys of groups that are known from the piece before are compared as they lie, of whatever
  // width, and no ids are made of them; else only those as narrow as ids.
  bool known_as_they_lie;
  // While a pass over what is in the caches leaves memory idle, lines of what is read next are
  // fetched to the second level.
  bool fetches_between;

  const FetchDistances& scan_of(std::size_t width) const { return width < 4 ? narrow_scan : scan; }
};

// An Intel core's prefetcher stops at the page's end, is late at the next page and knows nothing of
// the array that is read after this one. Measured on Emerald Rapids: scans of memory 1.1 times as
// fast on one thread as with lines fetched to the first level 4 KiB ahead, 1.01 to 1.15 on two; 8
// to 32 KiB, and 1 to 2 KiB, differ by less than the noise. Packing: 16 KiB ahead to the second
// level first is 0.9 times as fast. Lines less than a page ahead, as below, were not tried there.
inline constexpr CoreHabit kIntelCore{"Intel", {16384, 1024}, {16384, 1024}, 4096, true,
                                      0,       false,         false};

// A Redwood Cove core (Granite Rapids, it seems: a hypervisor hides the model, the caches are its
// own). Lines asked for less than a page ahead, to both levels, come beside those of its own
// prefetcher; from a page on they are in its way. Measured by bench/validation/core_habits.cc at
// scale 0.2, on one thread and on two; times in terms of these:
//   kIntelCore: scans of 8-byte codes 1.09 to 1.22, but of half a ms 1.02 to 1.07; of 1-byte codes
//   0.97 to 1.12
//   lines to the first level alone, 8-byte codes: 1 KiB ahead 1.08 to 1.25, 3 KiB 1.03 to 1.14
//   2.5 to 3.8 KiB to the second level, 0.5 to 2 KiB to the first: no more than noise
//   codes cut to ids before they are compared 1.00 to 1.04, known keys too 0.99 to 1.04
//   large results: 1 to 4 KiB ahead no more than noise, front to back 1.12 to 1.16
inline constexpr CoreHabit kRedwoodCore{"Redwood Cove", {3584, 1536}, {3584, 1536}, 1024, true, 4,
                                        true,           false};

// Prefetchers that cross pages: lines that a program asks for far ahead are in their way
// (kIntelCore's distances); 1 KiB ahead they are not. Codes of 1 byte, a line of which
// takes longer to test, are fetched further ahead. (docs/measurements/2026-11-25-aggregates.md)
inline constexpr CoreHabit kZenCore{"Zen", {0, 1024}, kIntelCore.narrow_scan, 0, true, 0,
                                    false, false};

// A Zen 5 core (family 26, model 2; beside busy neighbours, so that ranges are wide): scans of
// 8-byte codes take 0.91 to 0.97 times as long on one thread with lines fetched to the first level
// 8 KiB ahead as with none (one query of six 1.04), on two 0.88 to 0.99; on one thread 16 KiB
// ahead 1.08 to 1.11 times as long as 8, kIntelCore 1.21 to 1.22. Codes of 1 byte: 0.93 to 1.03
// times as long as with kIntelCore's, on two threads 0.88 to 0.97. Large results: four stretches in
// turn take 1.9 to 2.1 times as long as front to back, on two threads 1.4. Codes compared as they
// are and lines fetched between passes: scans take 0.86 to 0.97 times as long as with neither on
// one thread, 0.85 to 1.05 on two; with the one alone 0.85 to 1.01, with the other 0.91 to 1.06.
inline constexpr CoreHabit kZen5Core{"Zen 5", {0, 8192}, {0, 8192}, 0, false, 4, false, true};

// The figures of Intel and Zen 4 are of an engine whose scans fetched to the first level within one
// column only, and that took the pieces of a last-row scan back to front.

// All of them, for tests and for bench/validation/core_habits.cc, which measures them on a machine.
inline constexpr const CoreHabit* kCoreHabits[] = {&kIntelCore, &kRedwoodCore, &kZenCore,
                                                   &kZen5Core};

// This machine's: on AMD kZen5Core from family 26 on and kZenCore before it; on Intel kRedwoodCore
// with AVX-512 and a first-level instruction cache of 64 KiB, which Granite Rapids is the first to
// have (hypervisors give other models' numbers, but the caches as they are); else kIntelCore. Other
// cores than those named were not measured.
const CoreHabit& core_habit();

namespace testing {
// For tests, whose kernels are to give the same under each, and for
// bench/validation/core_habits.cc. Null: this machine's again. Not while others run.
void set_core_habit(const CoreHabit* habit);
}  // namespace testing

}  // namespace hdbench
