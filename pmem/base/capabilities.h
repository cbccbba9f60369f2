// Linux capabilities of this thread: the parts of root's power, one bit each (1 << CAP_SYS_ADMIN).
//
// The kernel keeps them for each thread: they are lowered while the process has one thread.
#pragma once

#include <cstdint>

#include "engine/base/result.h"

namespace hdbench::pmem {

struct CapabilitySets {
  std::uint64_t effective = 0;
  std::uint64_t permitted = 0;
};

constexpr std::uint64_t capability_bit(int capability) { return std::uint64_t{1} << capability; }

// Empty where the kernel does not tell.
CapabilitySets read_capabilities();
bool has_capability(int capability);

// Makes some of the permitted ones effective, others not. Errors: kData: not permitted.
Status set_effective(std::uint64_t effective);

// From here on this thread, and what it starts, has at most these, whatever it executes: the
// permitted, effective, inheritable, ambient and bounding sets lose all others. Cannot be undone.
// Errors: kData, the kernel's.
Status keep_capabilities(std::uint64_t kept);

}  // namespace hdbench::pmem
