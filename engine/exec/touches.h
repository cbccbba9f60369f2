// What workers touched, counted a field: for the figures of a run, and for a meter where there is
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/exec/execute.h"
#include "engine/operator/slice.h"

namespace hdbench {

// One worker's counts. Padded by being its own allocation a worker.
struct TouchCounts {
  std::vector<std::uint64_t> read_by_field;
  std::uint64_t written = 0;
};

// Reports what a morsel read of a field and wrote of a result to the meter, if there is one.
inline void report_read(AccessMeter* meter, const Column& column, RowRange rows,
                        std::uint64_t bytes) {
  if (meter == nullptr || bytes == 0) return;
  const std::uint64_t extent = rows.rows() * column.width;
  meter->touch({column.data + rows.begin * column.width, bytes, extent, TouchKind::kRead,
                bytes == extent ? TouchPattern::kSequential : TouchPattern::kGather, 0});
}
// Reports what a step over rows of a slice reads of each field, as counted by its worker, when the
// step is done.
class StepReads {
 public:
  StepReads(AccessMeter* meter, const TouchCounts& touched) : meter_(meter), touched_(touched) {
    if (meter != nullptr) before_ = touched.read_by_field;
  }
  void report(const Slice& slice, RowRange rows) const {
    for (std::size_t field = 0; field < before_.size(); ++field) {
      if (slice.columns[field] == nullptr) continue;
      report_read(meter_, *slice.columns[field], rows,
                  touched_.read_by_field[field] - before_[field]);
    }
  }

 private:
  AccessMeter* meter_;
  const TouchCounts& touched_;
  std::vector<std::uint64_t> before_;
};

inline void report_write(AccessMeter* meter, const std::byte* out, std::uint64_t bytes) {
  if (meter == nullptr || bytes == 0) return;
  meter->touch({out, bytes, bytes, TouchKind::kWrite, TouchPattern::kSequential, 0});
}

}  // namespace hdbench
