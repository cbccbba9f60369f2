#include "engine/operator/access_log.h"

namespace hdbench {

void AccessLog::report(const Column& column, const Selected& selected, std::uint64_t bytes) {
  const RowRange rows = selected.rows();
  meter_->access({column.data + rows.begin * column.width, rows.rows(), column.width,
                  selected.bits(), bytes, AccessKind::kRead, 0});
}

void AccessLog::report_row(const Column& column, std::uint64_t row, std::uint64_t bytes) {
  meter_->access(
      {column.data + row * column.width, 1, column.width, nullptr, bytes, AccessKind::kRead, 0});
}

void AccessLog::write(const std::byte* out, std::uint64_t bytes) {
  written_ += bytes;
  if (meter_ == nullptr || bytes == 0) return;
  meter_->access({out, bytes, 1, nullptr, bytes, AccessKind::kWrite, 0});
}

}  // namespace hdbench
