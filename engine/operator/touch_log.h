// What one worker touched: counted a field, for the figures of a run, and reported to a meter where
// there is one (meter.h).
//
// Reads are counted in memory's lines of 64 bytes: whole lines that hold at least one element that
// was asked for, but not more than the elements in all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/meter.h"
#include "engine/operator/slice.h"

namespace hdbench {

class alignas(64) TouchLog {
 public:
  // The meter may be null.
  TouchLog(std::size_t fields, AccessMeter* meter) : meter_(meter), read_by_field_(fields, 0) {}

  // Rows of a field were read: all, or those whose bit is set (bit 0: the first of the range). The
  // virtual field has no bytes. Call before the bits change.
  void read(const Slice& slice, std::size_t field, RowRange rows,
            const std::uint64_t* bits = nullptr);
  // One row, found by its number.
  void read_row(const Slice& slice, std::size_t field, std::uint64_t row);
  // Bytes of a result.
  void write(const std::byte* out, std::uint64_t bytes);

  std::span<const std::uint64_t> read_by_field() const { return read_by_field_; }
  std::uint64_t written() const { return written_; }

 private:
  AccessMeter* meter_;
  std::vector<std::uint64_t> read_by_field_;
  std::uint64_t written_ = 0;
};

}  // namespace hdbench
