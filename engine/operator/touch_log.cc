#include "engine/operator/touch_log.h"

namespace hdbench {

void TouchLog::report(const Column& column, const Selected& selected, std::uint64_t bytes) {
  const RowRange rows = selected.rows();
  meter_->touch({column.data + rows.begin * column.width, rows.rows(), column.width,
                 selected.bits(), bytes, TouchKind::kRead, 0});
}

void TouchLog::report_row(const Column& column, std::uint64_t row, std::uint64_t bytes) {
  meter_->touch(
      {column.data + row * column.width, 1, column.width, nullptr, bytes, TouchKind::kRead, 0});
}

void TouchLog::write(const std::byte* out, std::uint64_t bytes) {
  written_ += bytes;
  if (meter_ == nullptr || bytes == 0) return;
  meter_->touch({out, bytes, 1, nullptr, bytes, TouchKind::kWrite, 0});
}

}  // namespace hdbench
