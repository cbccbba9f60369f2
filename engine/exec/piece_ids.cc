#include "engine/exec/piece_ids.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/column/column_error.h"
#include "engine/column/element_key.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/ids.h"

namespace hdbench {
void PieceIds::begin(const Morsel& morsel, RowRange rows, TouchLog& touched) {
  selected_.reset(rows, input_.conditions(morsel).empty() ? nullptr : selection_.bits());
  piece_keys_.clear();
  piece_slot_ = keys_.constant_slot;
  steady_field_.reset();
  std::uint32_t top_bit = 0;
  for (ReadKey read : keys_.read) {
    const KeyColumn& key = *read.key;
    const std::int64_t value = order_key_at(*read.column, rows.begin);
    if (has_one_value(morsel, rows, read, touched) &&
        KeyBounds{key.base, key.cardinality}.holds(value)) {
      piece_slot_ |= static_cast<std::uint32_t>(value - key.base) << read.shift;
      steady_field_ = key.field;
      continue;
    }
    piece_keys_.push_back(read);
    top_bit = std::max(top_bit, read.shift + slot_bits(key));
  }
  id_width_ = id_width(std::uint64_t{1} << top_bit);
  for (const ReadKey& read : piece_keys_) {
    if (!read.is_reported) touched.read(input_.slices[morsel.slice], read.key->field, selected_);
  }
}

bool PieceIds::has_one_value(const Morsel& morsel, RowRange rows, ReadKey& read,
                             TouchLog& touched) {
  const std::size_t field = read.key->field;
  const std::uint32_t width = read.column->width;
  // What a condition has read is in the cache.
  read.is_reported = selection_.is_filtered_by(morsel, field);
  if (!read.is_reported && std::memcmp(read.at(rows.begin), read.at(rows.end - 1), width) == 0) {
    // All of it is read here; else as ids are made.
    touched.read(input_.slices[morsel.slice], field, selected_);
    read.is_reported = true;
  }
  return field == selection_.one_value_field() ||
         all_equal(width, read.at(rows.begin), static_cast<std::size_t>(rows.rows()));
}

void PieceIds::make(RowRange rows, const std::byte* next) {
  const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
  for (std::size_t k = 0; k < piece_keys_.size(); ++k) {
    const ReadKey& read = piece_keys_[k];
    const std::byte* const after =
        k + 1 < piece_keys_.size() ? piece_keys_[k + 1].at(rows.begin) : next;
    if (k == 0 && read.shift == 0 && id_width_ <= read.column->width) {
      read_key(read, rows, id_width_, ids_, after);
    } else {
      if (k == 0) std::memset(ids_, 0, words * kWordRows * id_width_);
      add_key(read, rows, after);
    }
  }
  if (piece_keys_.empty()) std::memset(ids_, 0, words * kWordRows * id_width_);
}

void PieceIds::read_key(const ReadKey& read, RowRange rows, std::uint32_t width, std::byte* ids,
                        const std::byte* next) {
  const Column& column = *read.column;
  const IdSource source{column.width, read.at(rows.begin), static_cast<std::size_t>(rows.rows()),
                        selection_.bits(), next};
  const std::uint64_t base =
      static_cast<std::uint64_t>(read.key->base) - static_cast<std::uint64_t>(column.base);
  refuse_outside(read, rows, to_ids(source, base, width, ids));
}

void PieceIds::add_key(const ReadKey& read, RowRange rows, const std::byte* next) {
  IdPart part{std::min(id_width(read.key->cardinality), read.column->width), part_, read.shift};
  part.from_column = lies_as_ids(read, rows, part.width);
  if (part.from_column) {
    part.ids = read.at(rows.begin);
    part.next = next;
  } else {
    read_key(read, rows, part.width, part_, next);
  }
  const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
  const std::uint64_t seen = add_ids(part, words, id_width_, ids_);
  if (part.from_column) refuse_outside(read, rows, seen);
}

bool PieceIds::lies_as_ids(const ReadKey& read, RowRange rows, std::uint32_t width) const {
  return id_width(read.key->cardinality) == width && selection_.most_words_selected() &&
         read.lies_as_words(width) && rows.rows() % kWordRows == 0;
}

void PieceIds::refuse_outside(const ReadKey& read, RowRange rows, std::uint64_t seen) const {
  // Values beyond the cardinality but within its bits come up when their group is noted.
  if (seen >> slot_bits(*read.key) == 0) return;
  // Words of 64 rows were looked at: only selected rows are an error.
  const auto error = find_value_outside(
      *read.column, {read.key->base, read.key->cardinality}, rows.begin, rows.rows(),
      [&](std::uint64_t row) { return is_set(selection_.bits(), row - rows.begin); });
  if (error) throw QueryStop{*error};
}

void PieceIds::refuse_unknown(std::uint32_t id, std::uint64_t row) const {
  for (const ReadKey& read : piece_keys_) {
    const KeyColumn& key = *read.key;
    if (read.word_of(id) < key.cardinality) continue;
    const auto error = find_value_outside(*read.column, {key.base, key.cardinality}, row, 1,
                                          [](std::uint64_t) { return true; });
    HDB_CHECK(error.has_value(), "an id stands for a value that is not there");
    throw QueryStop{*error};
  }
}

}  // namespace hdbench
