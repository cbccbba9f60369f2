// Demoting: lines that were read leave this core's own caches for the one that all cores share,
// where whoever writes them next, a device or the thread of a hypervisor that stands for one, finds
// them. Left alone they seem to be dropped when their turn comes, so that the writer has to fetch
// them from memory; what was measured is the time.
//
// CLDEMOTE, which Intel's server cores have from Sapphire Rapids on. To others it is a
// no-operation, and so is this on machines that are not x86. Granite Rapids, a virtual machine's
// disk read past the page cache into 8 MiB used again and again: 3.1 to 3.3 GB/s where nobody looks
// at the bytes, 0.73 to 0.83 of that where a CPU sums them, 0.90 to 0.97 where it demotes them too,
// 4 KiB at a time or line by line; when all of 512 KiB was summed, 0.86 to 0.90. While that disk
// was slow (2.4 to 2.5 GB/s), 0.65 to 0.68 summed, 0.65 to 0.74 demoted too.
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
