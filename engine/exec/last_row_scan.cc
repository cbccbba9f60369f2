#include "engine/exec/last_row_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <ranges>

#include "engine/base/check.h"
#include "engine/column/column_error.h"
#include "engine/column/element_key.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/core_habit.h"
#include "engine/kernel/ids.h"
#include "engine/kernel/selection.h"
#include "engine/operator/filter.h"

namespace hdbench {
namespace {

std::uint32_t slot_bits(const KeyColumn& key) {
  return static_cast<std::uint32_t>(std::bit_width(key.cardinality - 1));
}

bool is_selected(const std::uint64_t* bits, std::uint64_t row) {
  return (bits[row / kWordRows] >> (row % kWordRows) & 1) != 0;
}

}  // namespace

bool LastRows::note(std::uint32_t slot, std::uint64_t row_id) {
  const std::uint32_t groups = index.size();
  const std::uint32_t group = index.group_of_slot(slot);
  if (group >= rows.size()) rows.resize(std::size_t{group} + 1, 0);
  rows[group] = std::max(rows[group], row_id);
  return group == groups;
}

LastRowScan::LastRowScan(const QueryInput& input, std::span<const KeyColumn> keys,
                         const GroupIndex& index)
    : input_(input), keys_(keys), index_(index) {
  HDB_CHECK(index.direct(), "the keys address a direct table");
}

void LastRowScan::settle_keys(const Morsel& morsel) {
  const Slice& slice = input_.slices[morsel.slice];
  read_keys_.clear();
  constant_slot_ = 0;
  // The last key lies in a slot's lowest bits: its ids need no shift, and are made first.
  for (const KeyColumn& key : std::views::reverse(keys_)) {
    const std::uint32_t shift = index_.shift(key.first_word);
    const Column* column = slice.columns[key.field];
    const KeyBounds bounds{key.base, key.cardinality};
    const bool by_index =
        morsel.index_key && key.field == input_.index_field && bounds.holds(*morsel.index_key);
    if (by_index || column == nullptr) {
      const std::int64_t value = by_index ? *morsel.index_key : slice.partition_value;
      constant_slot_ |= static_cast<std::uint32_t>(value - key.base) << shift;
      continue;
    }
    read_keys_.push_back({&key, column, shift});
  }
}

std::size_t LastRowScan::pieces_of(const Morsel& morsel) const {
  return static_cast<std::size_t>((morsel.rows.rows() + piece_rows() - 1) / piece_rows());
}

const std::byte* LastRowScan::fetched_between(const std::byte* after) const {
  const CoreHabit& habit = core_habit();
  // Of a morsel with one group the piece before is not read when this one has a row.
  if (!habit.fetches_between || after == nullptr || has_one_group()) return nullptr;
  // What was not made into ids was not read in whole, and nothing after it was fetched.
  if (piece_keys_.empty()) return after;
  return after + habit.scan.first_level;
}

RowRange LastRowScan::piece(const Morsel& morsel, std::size_t p) const {
  const std::uint64_t begin = morsel.rows.begin + p * piece_rows();
  return {begin, std::min<std::uint64_t>(begin + piece_rows(), morsel.rows.end)};
}

void LastRowScan::take(std::size_t m, TouchLog& touched, LastRows last) {
  const Morsel& morsel = input_.morsels[m];
  settle_keys(morsel);
  const std::size_t pieces = pieces_of(morsel);
  for (std::size_t taken = 0; taken < pieces; ++taken) {
    const std::size_t p = nth_piece(taken, pieces);
    RowRange left = piece(morsel, p);
    while (left.begin < left.end) {
      const RowRange rows = run_of_one_value(morsel, left);
      left.begin = rows.end;
      const std::byte* after =
          left.begin < left.end ? first_read(morsel, left.begin) : bytes_after(m, taken);
      const bool has_selected = take_rows(morsel, rows, after, touched, last);
      // Its last row is known.
      if (has_selected && has_one_group()) return;
    }
  }
}

RowRange LastRowScan::run_of_one_value(const Morsel& morsel, RowRange rows) const {
  // A shorter run among others is not worth a piece of its own.
  constexpr std::uint64_t kRunRowsMin = 4096;
  const auto steady = std::find_if(read_keys_.begin(), read_keys_.end(), [&](const ReadKey& read) {
    return read.key->field == steady_field_;
  });
  if (steady == read_keys_.end()) return rows;
  // What no condition reads is not looked at before a row is selected.
  if (!input_.conditions(morsel).empty() && !is_filtered_by(morsel, *steady_field_)) return rows;
  const Column& column = *steady->column;
  const std::int64_t value = order_key_at(column, rows.begin);
  const std::int64_t last_value = order_key_at(column, rows.end - 1);
  // Of the piece after this one, which is asked the same.
  const std::uint64_t last_row = input_.slices[morsel.slice].rows - 1;
  const std::uint64_t next_end = std::min<std::uint64_t>(rows.end - 1 + rows.rows(), last_row);
  constexpr int kSecondLevel = 2;
  __builtin_prefetch(column.data + next_end * column.width, /*rw=*/0, kSecondLevel);
  if (last_value == value) return rows;
  std::uint64_t same = rows.begin;
  std::uint64_t other = rows.end - 1;
  while (other - same > 1) {
    const std::uint64_t middle = same + (other - same) / 2;
    (order_key_at(column, middle) == value ? same : other) = middle;
  }
  const bool two_runs = order_key_at(column, other) == last_value;
  return two_runs || other - rows.begin >= kRunRowsMin ? RowRange{rows.begin, other} : rows;
}

bool LastRowScan::take_rows(const Morsel& morsel, RowRange rows, const std::byte* after,
                            TouchLog& touched, LastRows last) {
  // settle_piece compares a key's first value with its last, which no scan fetches early.
  for (const ReadKey& read : read_keys_) {
    constexpr int kSecondLevel = 2;
    __builtin_prefetch(read.column->data + (rows.end - 1) * read.column->width, /*rw=*/0,
                       kSecondLevel);
  }
  if (!select_rows(morsel, rows, after, touched)) return false;
  settle_piece(morsel, rows, touched);
  report_keys(morsel, touched);
  if (has_known_groups_only(morsel, rows, after)) {
    note_known_rows(morsel, rows, last);
  } else {
    make_ids(rows, after);
    find_rows(morsel, rows, after, last);
  }
  return true;
}

bool LastRowScan::select_rows(const Morsel& morsel, RowRange rows, const std::byte* after,
                              TouchLog& touched) {
  NextRead next{after, after};
  if (!read_keys_.empty()) {
    const Column& column = *read_keys_.front().column;
    next.of_rows = column.data + rows.begin * column.width;
  }
  stop_unless(filter_morsel(input_.schema(), input_.slices[morsel.slice], input_.conditions(morsel),
                            rows, bits_, touched, next, &one_value_field_));
  const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
  const std::size_t selected = count_words(bits_, words);
  most_words_selected_ = selected >= words - words / 8;
  return selected != 0;
}

const std::byte* LastRowScan::bytes_after(std::size_t m, std::size_t taken) const {
  if (++taken == pieces_of(input_.morsels[m])) {
    taken = 0;
    if (++m == input_.morsels.size()) return nullptr;
  }
  const Morsel& morsel = input_.morsels[m];
  return first_read(morsel, piece(morsel, nth_piece(taken, pieces_of(morsel))).begin);
}

const std::byte* LastRowScan::first_read(const Morsel& morsel, std::uint64_t row) const {
  const Slice& slice = input_.slices[morsel.slice];
  for (const Condition& condition : input_.conditions(morsel)) {
    const Column* column = slice.columns[condition.field];
    if (column != nullptr) return column->data + row * column->width;
  }
  if (read_keys_.empty()) return nullptr;
  const Column* key = slice.columns[read_keys_.front().key->field];
  return key != nullptr ? key->data + row * key->width : nullptr;
}

bool LastRowScan::is_filtered_by(const Morsel& morsel, std::size_t field) const {
  const auto conditions = input_.conditions(morsel);
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const Condition& condition) { return condition.field == field; });
}

void LastRowScan::settle_piece(const Morsel& morsel, RowRange rows, TouchLog& touched) {
  selected_.reset(rows, input_.conditions(morsel).empty() ? nullptr : bits_);
  piece_keys_.clear();
  piece_slot_ = constant_slot_;
  steady_field_.reset();
  std::uint32_t top_bit = 0;
  for (ReadKey read : read_keys_) {
    const KeyColumn& key = *read.key;
    const Column& column = *read.column;
    const auto count = static_cast<std::size_t>(rows.rows());
    const std::byte* first = column.data + rows.begin * column.width;
    const std::int64_t value = order_key_at(column, rows.begin);
    // What a condition has read is in the cache.
    read.is_reported = is_filtered_by(morsel, key.field);
    const std::byte* last = first + (count - 1) * column.width;
    if (!read.is_reported && std::memcmp(first, last, column.width) == 0) {
      // All of it is read here; else as ids are made.
      touched.read(input_.slices[morsel.slice], key.field, selected_);
      read.is_reported = true;
    }
    const bool has_one_value =
        key.field == one_value_field_ || all_equal(column.width, first, count);
    if (has_one_value && KeyBounds{key.base, key.cardinality}.holds(value)) {
      piece_slot_ |= static_cast<std::uint32_t>(value - key.base) << read.shift;
      steady_field_ = key.field;
      continue;
    }
    piece_keys_.push_back(read);
    top_bit = std::max(top_bit, read.shift + slot_bits(key));
  }
  id_width_ = id_width(std::uint64_t{1} << top_bit);
}

void LastRowScan::report_keys(const Morsel& morsel, TouchLog& touched) {
  for (const ReadKey& read : piece_keys_) {
    if (!read.is_reported) {
      touched.read(input_.slices[morsel.slice], read.key->field, selected_);
    }
  }
}

void LastRowScan::make_ids(RowRange rows, const std::byte* next) {
  const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
  for (std::size_t k = 0; k < piece_keys_.size(); ++k) {
    const ReadKey& read = piece_keys_[k];
    const std::byte* after = next;
    if (k + 1 < piece_keys_.size()) {
      const Column& column = *piece_keys_[k + 1].column;
      after = column.data + rows.begin * column.width;
    }
    if (k == 0 && read.shift == 0 && id_width_ <= read.column->width) {
      read_key(read, rows, id_width_, ids_, after);
    } else {
      if (k == 0) std::memset(ids_, 0, words * kWordRows * id_width_);
      add_key(read, rows, after);
    }
  }
  if (piece_keys_.empty()) std::memset(ids_, 0, words * kWordRows * id_width_);
}

bool LastRowScan::lies_as_known(const ReadKey& read, std::uint32_t width) const {
  return most_words_selected_ && read.column->width == width &&
         read.key->base == read.column->base &&
         (core_habit().known_as_they_lie || id_width(read.key->cardinality) == width);
}

bool LastRowScan::lies_as_ids(const ReadKey& read, RowRange rows, std::uint32_t width) const {
  return id_width(read.key->cardinality) == width && lies_as_known(read, width) &&
         rows.rows() % kWordRows == 0;
}

bool LastRowScan::has_known_groups_only(const Morsel& morsel, RowRange rows,
                                        const std::byte* next) {
  if (known_.count == 0 || piece_keys_.size() != known_keys_.size()) return false;
  // Whole words are read: what follows the rows in the last one, too.
  const std::uint64_t words = words_for(static_cast<std::size_t>(rows.rows()));
  if (rows.begin + words * kWordRows > input_.slices[morsel.slice].rows) return false;
  key_words_ = {piece_keys_.front().column->width, {}, bits_, words, next};
  for (std::size_t k = 0; k < piece_keys_.size(); ++k) {
    const ReadKey& read = piece_keys_[k];
    if (read.key != known_keys_[k] || !lies_as_known(read, key_words_.width)) return false;
    key_words_.columns[k] = read.column->data + rows.begin * read.column->width;
  }
  return all_known(key_words_, known_);
}

void LastRowScan::note_known_rows(const Morsel& morsel, RowRange rows, LastRows last) {
  std::uint32_t highest[kKnownMax];
  last_known_rows(key_words_, known_, highest);
  KnownGroups met;
  for (std::size_t k = 0; k < known_.count; ++k) {
    if (highest[k] == kNoRow) continue;
    std::uint32_t id = 0;
    for (std::size_t c = 0; c < piece_keys_.size(); ++c) {
      const std::uint32_t value = known_.values[c][k];
      met.values[c][met.count] = value;
      id |= value << piece_keys_[c].shift;
    }
    ++met.count;
    note(morsel, id, rows.begin + highest[k], last);
  }
  // The next piece's are likely the same.
  known_ = met;
}

void LastRowScan::learn_groups() {
  known_.count = 0;
  known_keys_.clear();
  const bool are_few = found_.count >= 1 && found_.count <= kKnownMax;
  if (!are_few || piece_keys_.empty() || piece_keys_.size() > std::size(known_.values)) return;
  known_.count = found_.count;
  for (std::size_t c = 0; c < piece_keys_.size(); ++c) {
    const ReadKey& read = piece_keys_[c];
    known_keys_.push_back(read.key);
    for (std::size_t k = 0; k < found_.count; ++k)
      known_.values[c][k] = word_of(read, found_.ids[k]);
  }
}

void LastRowScan::read_key(const ReadKey& read, RowRange rows, std::uint32_t width, std::byte* ids,
                           const std::byte* next) {
  const Column& column = *read.column;
  const IdSource source{column.width, column.data + rows.begin * column.width,
                        static_cast<std::size_t>(rows.rows()), bits_, next};
  const std::uint64_t base =
      static_cast<std::uint64_t>(read.key->base) - static_cast<std::uint64_t>(column.base);
  refuse_outside(read, rows, to_ids(source, base, width, ids));
}

void LastRowScan::add_key(const ReadKey& read, RowRange rows, const std::byte* next) {
  const Column& column = *read.column;
  IdPart part{std::min(id_width(read.key->cardinality), column.width), part_, read.shift};
  part.from_column = lies_as_ids(read, rows, part.width);
  if (part.from_column) {
    part.ids = column.data + rows.begin * column.width;
    part.next = next;
  } else {
    read_key(read, rows, part.width, part_, next);
  }
  const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
  const std::uint64_t seen = add_ids(part, words, id_width_, ids_);
  if (part.from_column) refuse_outside(read, rows, seen);
}

void LastRowScan::refuse_outside(const ReadKey& read, RowRange rows, std::uint64_t seen) const {
  // Values beyond the cardinality but within its bits come up when their group is noted.
  if (seen >> slot_bits(*read.key) == 0) return;
  // Words of 64 rows were looked at: only selected rows are an error.
  const Column& column = *read.column;
  const auto error =
      find_value_outside(column, {read.key->base, read.key->cardinality}, rows.begin, rows.rows(),
                         [&](std::uint64_t row) { return is_selected(bits_, row - rows.begin); });
  if (error) throw QueryStop{*error};
}

void LastRowScan::find_rows(const Morsel& morsel, RowRange rows, const std::byte* after,
                            LastRows last) {
  const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
  const IdWords ids{id_width_, ids_, bits_, words, fetched_between(after)};
  found_.count = 0;
  const std::size_t left = find_last_rows(ids, 0, found_);
  note_each_row(morsel, rows, left, last);
  for (std::size_t k = 0; k < found_.count; ++k) {
    note(morsel, found_.ids[k], rows.begin + found_.rows[k], last);
  }
  learn_groups();
}

void LastRowScan::note_each_row(const Morsel& morsel, RowRange rows, std::size_t words,
                                LastRows last) {
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t word = bits_[w]; word != 0; word &= word - 1) {
      const std::size_t row = w * kWordRows + static_cast<std::size_t>(std::countr_zero(word));
      note(morsel, id_at(row), rows.begin + row, last);
    }
  }
}

void LastRowScan::note(const Morsel& morsel, std::uint32_t id, std::uint64_t row, LastRows last) {
  if (!last.note(piece_slot_ | id, RowId::make(morsel.slice, row))) return;
  for (const ReadKey& read : piece_keys_) {
    const KeyColumn& key = *read.key;
    if (word_of(read, id) < key.cardinality) continue;
    const auto error = find_value_outside(*read.column, {key.base, key.cardinality}, row, 1,
                                          [](std::uint64_t) { return true; });
    HDB_CHECK(error.has_value(), "an id stands for a value that is not there");
    throw QueryStop{*error};
  }
}

std::uint32_t LastRowScan::word_of(const ReadKey& read, std::uint32_t id) {
  return id >> read.shift &
         static_cast<std::uint32_t>((std::uint64_t{1} << slot_bits(*read.key)) - 1);
}

std::uint32_t LastRowScan::id_at(std::size_t row) const {
  std::uint32_t id = 0;
  std::memcpy(&id, ids_ + row * id_width_, id_width_);
  return id;
}

}  // namespace hdbench
