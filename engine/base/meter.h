// The touches seam: what a morsel read and wrote, reported to whoever charges for it.
//
// Real media have no meter: the executor's pointer is null and nothing is paid but one predictable
// branch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

enum class TouchKind : std::uint8_t { kRead, kWrite };
enum class TouchPattern : std::uint8_t { kSequential, kGather };

// `bytes` from `address` on were scanned (kSequential), or `bytes` in all were picked from within
// `extent_bytes` (kGather).
struct Touch {
  const std::byte* address = nullptr;
  std::uint64_t bytes = 0;
  std::uint64_t extent_bytes = 0;
  TouchKind kind = TouchKind::kRead;
  TouchPattern pattern = TouchPattern::kSequential;
  std::uint64_t dependent_accesses = 0;
};

class AccessMeter {
 public:
  virtual ~AccessMeter() = default;
  // Called by the worker that did the touching, after each morsel.
  virtual void touch(const Touch& touch) = 0;
};

}  // namespace hdbench
