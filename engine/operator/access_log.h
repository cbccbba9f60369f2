// Counts the bytes that one worker accesses, by field, and reports accesses to a meter if there is
// one (meter.h).
//
// Reads are counted in lines of 64 bytes: every line that holds at least one requested element, but
// at most the bytes of all elements. Of compressed columns the rows are unpacked (unpacking.h), and
// the compressed bytes count, once a query: what was unpacked is memory of the query's own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/meter.h"
#include "engine/column/result_table.h"
#include "engine/kernel/selection.h"
#include "engine/operator/partition_view.h"
#include "engine/operator/unpacking.h"

namespace hdbench {

// Rows of which columns are read: all of a range, or those whose bit is set (bit 0: the first of
// the range). The accessed lines are counted once for each element width, however many columns are
// read. If the bits change, make a new object or call reset().
class Selected {
 public:
  Selected() = default;
  explicit Selected(RowRange rows, const std::uint64_t* bits = nullptr)
      : rows_(rows), bits_(bits) {}

  // As a new one.
  void reset(RowRange rows, const std::uint64_t* bits) {
    rows_ = rows;
    bits_ = bits;
    counted_widths_ = 0;
  }

  RowRange rows() const { return rows_; }
  const std::uint64_t* bits() const { return bits_; }
  // Of a column with elements of 1, 2, 4, 8 or 16 bytes (selection.h).
  std::uint64_t accessed_bytes(std::uint32_t width) {
    if (bits_ == nullptr) return rows_.rows() * width;
    std::uint64_t& counted = counted_[static_cast<std::size_t>(std::countr_zero(width))];
    if ((counted_widths_ & width) == 0) {
      counted = hdbench::accessed_bytes({bits_, static_cast<std::size_t>(rows_.rows())}, width);
      counted_widths_ |= width;
    }
    return counted;
  }

 private:
  RowRange rows_;
  const std::uint64_t* bits_ = nullptr;
  std::uint32_t counted_widths_ = 0;        // a bit a width: each is a power of two
  std::array<std::uint64_t, 5> counted_{};  // by the width's logarithm, of those widths only
};

class alignas(64) AccessLog {
 public:
  // The meter may be null.
  AccessLog(std::size_t fields, AccessMeter* meter)
      : meter_(meter),
        meters_work_(meter != nullptr && meter->meters_working_memory()),
        read_by_field_(fields, 0) {}

  // These rows of a field are read; of a computed one, of its inputs. The virtual field has no
  // bytes.
  void read(const PartitionView& view, std::size_t field, Selected& selected) {
    if (view.is_computed(field)) {
      for (const std::size_t input : view.computed->inputs(field)) read(view, input, selected);
      return;
    }
    const Column* column = view.columns[field];
    if (column == nullptr) return;
    if (column->is_packed()) {
      read_by_field_[field] += unpack_rows(*column, selected.rows(), selected.bits());
      return;
    }
    const std::uint64_t bytes = selected.accessed_bytes(column->width);
    read_by_field_[field] += bytes;
    if (meter_ != nullptr && bytes != 0) report(*column, selected, bytes);
  }
  // The same of rows that are viewed. Where working memory is metered, who reads them reports it
  // (pass_column()); else they are reported once, here.
  void read_viewed(const PartitionView& view, std::size_t field, Selected& selected) {
    if (!meters_work_) return read(view, field, selected);
    read_by_field_[field] += selected.accessed_bytes(view.columns[field]->width);
  }
  // One row, found by its number. Requires: no compressed column (unpack_single_rows()).
  void read_row(const PartitionView& view, std::size_t field, std::uint64_t row) {
    const Column* column = view.columns[field];
    if (column == nullptr) return;
    HDB_DCHECK(!column->is_packed(), "its rows are unpacked together");
    const std::uint64_t bytes = std::min<std::uint64_t>(kLineBytes, view.rows * column->width);
    read_by_field_[field] += bytes;
    if (meter_ != nullptr) report_row(*column, row, bytes);
  }
  // Counts single-row reads without saying which rows. Requires: no meter, and no compressed
  // column.
  void count_rows(const PartitionView& view, std::size_t field, std::uint64_t count) {
    HDB_DCHECK(!needs_places(view, field), "the place of each row is needed");
    const Column* column = view.columns[field];
    if (column == nullptr) return;
    read_by_field_[field] += count * std::min<std::uint64_t>(kLineBytes, view.rows * column->width);
  }
  // Compressed bytes of a field that were read for rows that unpack_single_rows() was given.
  void count_unpacked(std::size_t field, std::uint64_t stored_bytes) {
    read_by_field_[field] += stored_bytes;
  }
  // Whether pass() reports anything.
  bool meters_working_memory() const { return meters_work_; }
  // Whether each row must be told that is read.
  bool needs_places(const PartitionView& view, std::size_t field) const {
    return meter_ != nullptr || needs_unpacking(view, field);
  }
  static bool needs_unpacking(const PartitionView& view, std::size_t field) {
    return view.columns[field] != nullptr && view.columns[field]->is_packed();
  }
  // Bytes of a result.
  void write(const std::byte* out, std::uint64_t bytes) {
    written_ += bytes;
    if (meter_ == nullptr || bytes == 0) return;
    meter_->access({out, bytes, 1, nullptr, bytes, AccessKind::kWrite, 0});
  }

  // Bytes of the query's working memory that do not fit into caches: reported to the meter, not
  // counted in read_by_field() or written().
  void pass(const std::byte* at, std::uint64_t bytes, AccessKind kind) {
    if (meters_work_ && bytes != 0) meter_->access({at, bytes, 1, nullptr, bytes, kind, 0});
  }

  // A part of a column of rows that were made, or all of it, is read.
  void pass_column(const Buffer& column, std::uint64_t begin, std::uint64_t bytes) {
    pass(column.data() + begin, bytes, AccessKind::kRead);
  }
  void pass_column(const Buffer& column) { pass_column(column, 0, column.bytes()); }

  std::span<const std::uint64_t> read_by_field() const { return read_by_field_; }
  std::uint64_t written() const { return written_; }

 private:
  void report(const Column& column, const Selected& selected, std::uint64_t bytes) {
    const RowRange rows = selected.rows();
    meter_->access({column.data + rows.begin * column.width, rows.rows(), column.width,
                    selected.bits(), bytes, AccessKind::kRead, 0});
  }
  void report_row(const Column& column, std::uint64_t row, std::uint64_t bytes) {
    meter_->access(
        {column.data + row * column.width, 1, column.width, nullptr, bytes, AccessKind::kRead, 0});
  }

  AccessMeter* meter_;
  bool meters_work_;
  std::vector<std::uint64_t> read_by_field_;
  std::uint64_t written_ = 0;
};

}  // namespace hdbench
