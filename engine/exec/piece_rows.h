// Divides a morsel into pieces for the last-row scan, and selects the rows of each.
//
// A piece is processed at once, so that each column's bytes pass through the caches once. Pieces
// are taken front to back, the fastest order for memory; in a morsel with one group back to front,
// until its last selected row is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/exec/morsel_keys.h"
#include "engine/exec/query_input.h"
#include "engine/operator/touch_log.h"

namespace hdbench {

// Of the morsel whose keys are settled.
class PieceRows {
 public:
  // Rows taken at once: a column's piece and the ids made of it stay in a core's second-level
  // cache; a morsel's at most.
  static constexpr std::size_t kRowsMax = kMorselRows;

  PieceRows(const QueryInput& input, const MorselKeys& keys) : input_(input), keys_(keys) {}

  // Morsels have a row at least. Pieces begin at whole ones from the morsel's begin; the last may
  // be shorter.
  std::size_t pieces_of(const Morsel& morsel) const;
  // The rows of the piece that comes after `taken` others.
  RowRange piece_after(const Morsel& morsel, std::size_t taken) const;
  // The rows of a piece up to the end of the run of its first value in `steady_field`, the key that
  // had one value in the previous piece. Found by bisection: exact for a sorted column, otherwise
  // merely a shorter piece. All rows if there is no such key, if a condition reads it, or if the
  // runs are short.
  RowRange run_of_one_value(const Morsel& morsel, RowRange rows,
                            std::optional<std::size_t> steady_field) const;

  // The bytes of a morsel's rows from this one on that are read first; null when none is known.
  const std::byte* first_read(const Morsel& morsel, std::uint64_t row) const;
  // The bytes that are read first after piece number `taken` of morsel m: of the next piece, or of
  // the next morsel if it is of the same kind. Null if unknown.
  const std::byte* bytes_after(std::size_t m, std::size_t taken) const;

  // Returns whether one of the rows is selected. `after`: what is read first after them.
  bool select(const Morsel& morsel, RowRange rows, const std::byte* after, TouchLog& touched);
  // Of the rows selected last: the first one's bit is bit 0.
  const std::uint64_t* bits() const { return bits_; }
  // Seven eighths of the words have a selected row, or more.
  bool most_words_selected() const { return most_words_selected_; }
  // The field in which the conditions found one value in all rows.
  std::optional<std::size_t> one_value_field() const { return one_value_field_; }

  bool is_filtered_by(const Morsel& morsel, std::size_t field) const;

 private:
  // Of a morsel with one group only the last rows are looked for, so that its pieces are shorter.
  static constexpr std::size_t kOneGroupRows = kRowsMax / 2;

  std::size_t rows_at_once() const { return keys_.has_one_group() ? kOneGroupRows : kRowsMax; }

  const QueryInput& input_;
  const MorselKeys& keys_;
  std::optional<std::size_t> one_value_field_;
  bool most_words_selected_ = false;
  alignas(64) std::uint64_t bits_[kRowsMax / 64];
};

}  // namespace hdbench
