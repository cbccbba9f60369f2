#include "engine/operator/touch_log.h"

#include <algorithm>

#include "engine/kernel/selection.h"

namespace hdbench {

void TouchLog::read(const Slice& slice, std::size_t field, RowRange rows,
                    const std::uint64_t* bits) {
  const Column* column = slice.columns[field];
  if (column == nullptr || rows.rows() == 0) return;
  const std::uint64_t bytes =
      bits == nullptr ? rows.rows() * column->width
                      : touched_bytes({bits, static_cast<std::size_t>(rows.rows())}, column->width);
  read_by_field_[field] += bytes;
  if (meter_ == nullptr || bytes == 0) return;
  meter_->touch({column->data + rows.begin * column->width, rows.rows(), column->width, bits, bytes,
                 TouchKind::kRead, 0});
}

void TouchLog::read_row(const Slice& slice, std::size_t field, std::uint64_t row) {
  const Column* column = slice.columns[field];
  if (column == nullptr) return;
  const std::uint64_t bytes = std::min<std::uint64_t>(kLineBytes, slice.rows * column->width);
  read_by_field_[field] += bytes;
  if (meter_ == nullptr) return;
  meter_->touch(
      {column->data + row * column->width, 1, column->width, nullptr, bytes, TouchKind::kRead, 0});
}

void TouchLog::write(const std::byte* out, std::uint64_t bytes) {
  written_ += bytes;
  if (meter_ == nullptr || bytes == 0) return;
  meter_->touch({out, bytes, 1, nullptr, bytes, TouchKind::kWrite, 0});
}

}  // namespace hdbench
