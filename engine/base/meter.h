// The accesses seam: operators report what a morsel read and wrote to an AccessMeter.
//
// Real media have no meter. The executor's pointer is then null, and a report costs one predictable
// branch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

enum class AccessKind : std::uint8_t { kRead, kWrite };
// Elements of one array that are read or written together: all of `elements`, or those whose bit is
// set in `selected` (bit i: element i; valid only during the call). A meter derives from these the
// lines of its own device, whatever their size.
struct Access {
  const std::byte* address = nullptr;  // of the first element
  std::uint64_t elements = 0;
  std::uint32_t element_bytes = 1;
  const std::uint64_t* selected = nullptr;
  std::uint64_t bytes = 0;  // as the run's statistics count them: whole lines of 64 bytes
  AccessKind kind = AccessKind::kRead;
  // Of the accesses, those that could not begin before another had ended.
  std::uint64_t dependent_accesses = 0;
};

class AccessMeter {
 public:
  virtual ~AccessMeter() = default;
  // Called by the worker thread that accesses the bytes, several times a morsel: before the access,
  // or after it if there are dependent accesses. Written bytes are reported after the bytes that
  // were read to produce them; a grouping query's results are reported at its end.
  virtual void access(const Access& access) = 0;

  // Whether memory that a query works with, other than its columns and its result's, lies where
  // accesses cost something. It is accessed row by row, which takes longer to report than to do.
  // Asked when a query begins.
  virtual bool meters_working_memory() const { return true; }
};

}  // namespace hdbench
