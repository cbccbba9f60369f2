// Demotes cache lines: moves lines that were read from this core's own caches to the cache that all
// cores share, where their next writer (a device, or a hypervisor's thread that acts for one) finds
// them.
//
// Uses the instruction CLDEMOTE. On processors without it the instruction does nothing; on machines
// that are not x86 these functions do nothing. Never changes what memory holds. (Figures:
// docs/measurements/2026-11-25-figures-from-comments.md)
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

// Of bytes [begin, end), which were read as part of a pass from front to back: the last line is
// left to the next call if the pass reads on in it.
[[gnu::always_inline]] inline void demote_lines([[maybe_unused]] const std::byte* begin,
                                                [[maybe_unused]] const std::byte* end) {
#if defined(__x86_64__)
  constexpr std::size_t kLineBytes = 64;
  const std::byte* line = begin - reinterpret_cast<std::uintptr_t>(begin) % kLineBytes;
  for (; line + kLineBytes <= end; line += kLineBytes) asm volatile("cldemote %0" : : "m"(*line));
#endif
}

}  // namespace hdbench
