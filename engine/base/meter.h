// The touches seam: what a morsel read and wrote, reported to whoever charges for it.
//
// Real media have no meter: the executor's pointer is null and nothing is paid but one predictable
// branch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

enum class TouchKind : std::uint8_t { kRead, kWrite };
// Elements of one array that were read or written at once: all of `elements`, or those whose bit is
// set in `selected` (bit i: element i; only valid during the call). From these a meter counts the
// lines of its own device, whatever their size.
struct Touch {
  const std::byte* address = nullptr;  // of the first element
  std::uint64_t elements = 0;
  std::uint32_t element_bytes = 1;
  const std::uint64_t* selected = nullptr;
  std::uint64_t bytes = 0;  // as the run's statistics count them: whole lines of 64 bytes
  TouchKind kind = TouchKind::kRead;
  // Of the accesses, those that could not begin before another had ended.
  std::uint64_t dependent_accesses = 0;
};

class AccessMeter {
 public:
  virtual ~AccessMeter() = default;
  // Called by the worker that touches, some times a morsel: right before it does, or right after
  // where there are dependent accesses. Bytes that are written are reported after those read that
  // they are made of; a group query's few, when all are.
  virtual void touch(const Touch& touch) = 0;
};

}  // namespace hdbench
