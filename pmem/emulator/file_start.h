// The time of a file's first bytes on a disk, which nothing has read ahead.
//
// A profile holds rates of whole files by their size. The time of a file's first b bytes is what a
// file of b bytes takes: linear between the sizes that were measured, from nothing at no bytes, and
// at the stream's rate beyond the largest. No stretch is faster than the stream.
#pragma once

#include <cstdint>
#include <vector>

#include "pmem/emulator/device_profile.h"

namespace hdbench::pmem {

// Nanoseconds of a transfer: what one thread alone takes, and what the disk takes of its time.
struct StartTimes {
  double one_thread_ns = 0;
  double device_ns = 0;
};

class FileStart {
 public:
  // As if no file's size had been measured, of a disk that takes no time.
  FileStart() = default;
  FileStart(const DeviceProfile& profile, StartTimes stream_a_byte);

  // What the first read of a file waits beside the transfer, with nothing in flight: the disk's
  // latency, or what of it the smallest file's time leaves room for.
  double wait_ns() const { return wait_ns_; }

  // Beyond so many bytes a file is a stream. 0: no size was measured.
  std::uint64_t bytes() const { return points_.empty() ? 0 : points_.back().bytes; }

  // The transfer of a file's bytes from `begin` to `end`, without the wait.
  StartTimes between(std::uint64_t begin, std::uint64_t end) const;

  // The same of a thread that needs one page of a window of so many bytes, all of which is read: it
  // goes on when half of them are there, on the average, but what the smallest file has comes in
  // one piece.
  double page_ns(std::uint64_t window_bytes) const;

 private:
  struct Point {
    std::uint64_t bytes = 0;
    StartTimes until;  // of all bytes to here
  };
  StartTimes until(std::uint64_t bytes) const;

  StartTimes stream_a_byte_;
  double wait_ns_ = 0;
  std::vector<Point> points_;  // rising
};

}  // namespace hdbench::pmem
