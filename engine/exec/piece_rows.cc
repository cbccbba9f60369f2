#include "engine/exec/piece_rows.h"

#include <algorithm>

#include "engine/column/element_key.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/selection.h"
#include "engine/operator/filter.h"

namespace hdbench {
namespace {

constexpr int kSecondLevel = 2;  // of the caches

}  // namespace

std::size_t PieceRows::pieces_of(const Morsel& morsel) const {
  return static_cast<std::size_t>((morsel.rows.rows() + rows_at_once() - 1) / rows_at_once());
}

RowRange PieceRows::piece_after(const Morsel& morsel, std::size_t taken) const {
  const std::size_t p = keys_.has_one_group() ? pieces_of(morsel) - 1 - taken : taken;
  const std::uint64_t begin = morsel.rows.begin + p * rows_at_once();
  return {begin, std::min<std::uint64_t>(begin + rows_at_once(), morsel.rows.end)};
}

RowRange PieceRows::run_of_one_value(const Morsel& morsel, RowRange rows,
                                     std::optional<std::size_t> steady_field) const {
  // A shorter run among others is not worth a piece of its own.
  constexpr std::uint64_t kRunRowsMin = 4096;
  const auto steady = std::find_if(keys_.read.begin(), keys_.read.end(), [&](const ReadKey& read) {
    return read.key->field == steady_field;
  });
  if (steady == keys_.read.end()) return rows;
  // What no condition reads is not looked at before a row is selected.
  if (!input_.conditions(morsel).empty() && !is_filtered_by(morsel, *steady_field)) return rows;
  const Column& column = *steady->column;
  const std::int64_t value = order_key_at(column, rows.begin);
  const std::int64_t last_value = order_key_at(column, rows.end - 1);
  // Of the piece after this one, which is asked the same.
  const std::uint64_t last_row = input_.slices[morsel.slice].rows - 1;
  const std::uint64_t next_end = std::min<std::uint64_t>(rows.end - 1 + rows.rows(), last_row);
  __builtin_prefetch(steady->at(next_end), /*rw=*/0, kSecondLevel);
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

const std::byte* PieceRows::first_read(const Morsel& morsel, std::uint64_t row) const {
  const Slice& slice = input_.slices[morsel.slice];
  for (const Condition& condition : input_.conditions(morsel)) {
    const Column* column = slice.columns[condition.field];
    if (column != nullptr) return column->data + row * column->width;
  }
  if (keys_.has_one_group()) return nullptr;
  const Column* key = slice.columns[keys_.read.front().key->field];
  return key != nullptr ? key->data + row * key->width : nullptr;
}

const std::byte* PieceRows::bytes_after(std::size_t m, std::size_t taken) const {
  if (++taken == pieces_of(input_.morsels[m])) {
    taken = 0;
    if (++m == input_.morsels.size()) return nullptr;
  }
  const Morsel& morsel = input_.morsels[m];
  return first_read(morsel, piece_after(morsel, taken).begin);
}

bool PieceRows::select(const Morsel& morsel, RowRange rows, const std::byte* after,
                       TouchLog& touched) {
  // A key's first value is compared with its last (PieceIds), which no scan fetches early.
  for (const ReadKey& read : keys_.read)
    __builtin_prefetch(read.at(rows.end - 1), /*rw=*/0, kSecondLevel);
  NextRead next{after, after};
  if (!keys_.has_one_group()) next.of_rows = keys_.read.front().at(rows.begin);
  stop_unless(filter_morsel(input_.schema(), input_.slices[morsel.slice], input_.conditions(morsel),
                            rows, bits_, touched, next, &one_value_field_));
  const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
  const std::size_t selected = count_words(bits_, words);
  most_words_selected_ = selected >= words - words / 8;
  return selected != 0;
}

bool PieceRows::is_filtered_by(const Morsel& morsel, std::size_t field) const {
  const auto conditions = input_.conditions(morsel);
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const Condition& condition) { return condition.field == field; });
}

}  // namespace hdbench
