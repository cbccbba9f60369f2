// How this machine's cores like to be fed from memory: ahead of their own prefetchers, or left to
// them. A habit changes when bytes come, never what is computed.
#pragma once

#include <cstddef>

namespace hdbench {

// Distances in bytes; 0: nothing is fetched ahead.
struct FetchDistances {
  std::size_t second_level;  // of the lines fetched to the second-level cache
  std::size_t first_level;   // and, from there, to the first
};

struct FetchHabit {
  FetchDistances scan;         // of elements of 4 bytes and more
  FetchDistances narrow_scan;  // of 1 and 2 bytes
  std::size_t packing;         // what is packed, to the first-level cache
  bool packing_interleaved;    // several stretches of it in turn, or front to back

  const FetchDistances& scan_of(std::size_t width) const { return width < 4 ? narrow_scan : scan; }
};

// An Intel core's prefetcher stops at the page's end, is late at the next page and knows nothing of
// the array that is read after this one. Measured on Emerald Rapids: scans of memory 1.1 times as
// fast on one thread as with lines fetched to the first level 4 KiB ahead, 1.01 to 1.15 on two; 8
// to 32 KiB, and 1 to 2 KiB, differ by less than the noise. Packing: 16 KiB ahead to the second
// level first is 0.9 times as fast.
inline constexpr FetchHabit kIntelFetch{{16384, 1024}, {16384, 1024}, 4096, true};

// A Zen 4 core's prefetchers cross pages, and lines that a program asks for are in their way. The
// eleven queries with kIntelFetch took, in terms of these (family 25, model 17; 8-byte codes):
// scans 1.08 to 1.28 times as long on one thread and 1.00 to 1.18 on two, large results 1.07
// to 1.24 and 0.99 to 1.16, with narrow codes 1.27 to 1.30 and 1.02 to 1.08. Codes of 1 byte, a
// line of which takes longer to test, are fetched ahead: without, their scans take 1.5 times as
// long on one thread and 1.3 on two; 8 KiB ahead, 1.05.
inline constexpr FetchHabit kZenFetch{{0, 0}, kIntelFetch.narrow_scan, 0, true};

// A Zen 5 core (family 26, model 2): scans of 8-byte codes take 0.91 to 0.97 times as long on one
// thread with lines fetched to the first level 8 KiB ahead as with none (one query of six 1.04), on
// two 0.88 to 0.99; 16 KiB ahead 1.08 to 1.11 times as long as with 8, kIntelFetch 1.19 to 1.22;
// codes of 1 byte 0.93 to 0.95 times as long as with kIntelFetch's, on two threads 0.88 to 0.97.
// Large results: four stretches in turn take 2.0 times as long as front to back, on two
// threads 1.4.
inline constexpr FetchHabit kZen5Fetch{{0, 8192}, {0, 8192}, 0, false};

// This machine's: on AMD kZen5Fetch from family 26 on and kZenFetch before it, else kIntelFetch;
// other cores than those named were not measured.
const FetchHabit& fetch_habit();

namespace testing {
// For tests: kernels are to give the same under each. Null: this machine's again. Not while others
// run.
void set_fetch_habit(const FetchHabit* habit);
}  // namespace testing

}  // namespace hdbench
