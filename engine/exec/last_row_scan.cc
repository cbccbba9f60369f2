#include "engine/exec/last_row_scan.h"

#include <algorithm>
#include <bit>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/core_habit.h"

namespace hdbench {

bool LastRows::note(std::uint32_t slot, std::uint64_t row_id) {
  const std::uint32_t groups = index.size();
  const std::uint32_t group = index.group_of_slot(slot);
  if (group >= rows.size()) rows.resize(std::size_t{group} + 1, 0);
  rows[group] = std::max(rows[group], row_id);
  return group == groups;
}

LastRowScan::LastRowScan(const QueryInput& input, std::span<const KeyColumn> keys,
                         const GroupIndex& index)
    : input_(input),
      keys_(keys),
      index_(index),
      piece_rows_(input, morsel_keys_),
      piece_ids_(input, morsel_keys_, piece_rows_),
      known_keys_(input, piece_rows_) {
  HDB_CHECK(index.direct(), "the keys address a direct table");
}

void LastRowScan::take(std::size_t m, TouchLog& touched, LastRows last) {
  const Morsel& morsel = input_.morsels[m];
  morsel_keys_.settle(input_, keys_, index_, morsel);
  const std::size_t pieces = piece_rows_.pieces_of(morsel);
  for (std::size_t taken = 0; taken < pieces; ++taken) {
    RowRange left = piece_rows_.piece_after(morsel, taken);
    while (left.begin < left.end) {
      const RowRange rows = piece_rows_.run_of_one_value(morsel, left, piece_ids_.steady_field());
      left.begin = rows.end;
      const std::byte* after = left.begin < left.end ? piece_rows_.first_read(morsel, left.begin)
                                                     : piece_rows_.bytes_after(m, taken);
      const bool has_selected = take_rows(morsel, rows, after, touched, last);
      // Its last row is known.
      if (has_selected && morsel_keys_.has_one_group()) return;
    }
  }
}

bool LastRowScan::take_rows(const Morsel& morsel, RowRange rows, const std::byte* after,
                            TouchLog& touched, LastRows last) {
  if (!piece_rows_.select(morsel, rows, after, touched)) return false;
  piece_ids_.begin(morsel, rows, touched);
  if (known_keys_.find(morsel, rows, piece_ids_.keys(), after, found_)) {
    note_found(morsel, rows, last);
  } else {
    piece_ids_.make(rows, after);
    find_rows(morsel, rows, after, last);
  }
  return true;
}

void LastRowScan::find_rows(const Morsel& morsel, RowRange rows, const std::byte* after,
                            LastRows last) {
  const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
  const IdWords ids{piece_ids_.width(), piece_ids_.ids(), piece_rows_.bits(), words,
                    fetched_between(after)};
  found_.count = 0;
  const std::size_t left = find_last_rows(ids, 0, found_);
  note_each_row(morsel, rows, left, last);
  note_found(morsel, rows, last);
  known_keys_.learn(piece_ids_.keys(), found_);
}

const std::byte* LastRowScan::fetched_between(const std::byte* after) const {
  const CoreHabit& habit = core_habit();
  // Of a morsel with one group the piece before is not read when this one has a row.
  if (!habit.fetches_between || after == nullptr || morsel_keys_.has_one_group()) return nullptr;
  // What was not made into ids was not read in whole, and nothing after it was fetched.
  if (piece_ids_.keys().empty()) return after;
  return after + habit.scan.first_level;
}

void LastRowScan::note_each_row(const Morsel& morsel, RowRange rows, std::size_t words,
                                LastRows last) {
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t word = piece_rows_.bits()[w]; word != 0; word &= word - 1) {
      const std::size_t row = w * kWordRows + static_cast<std::size_t>(std::countr_zero(word));
      note(morsel, piece_ids_.id_at(row), rows.begin + row, last);
    }
  }
}

void LastRowScan::note_found(const Morsel& morsel, RowRange rows, LastRows last) {
  for (std::size_t k = 0; k < found_.count; ++k)
    note(morsel, found_.ids[k], rows.begin + found_.rows[k], last);
}

void LastRowScan::note(const Morsel& morsel, std::uint32_t id, std::uint64_t row, LastRows last) {
  const std::uint64_t row_id = RowId::make(morsel.slice, row);
  if (last.note(piece_ids_.constant_slot() | id, row_id)) piece_ids_.refuse_unknown(id, row);
}

}  // namespace hdbench
