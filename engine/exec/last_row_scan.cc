#include "engine/exec/last_row_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/exec/group_task.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/selection.h"
#include "engine/operator/filter.h"

namespace hdbench {
namespace {

// Rows of one group that are looked at together: only the last selected one is wanted.
constexpr std::uint64_t kOneGroupRows = kMorselRows / 2;

// Requires: a bit is set.
std::size_t last_set(const std::uint64_t* bits, std::size_t words) {
  while (bits[words - 1] == 0) --words;
  return words * kWordRows - 1 - static_cast<std::size_t>(std::countl_zero(bits[words - 1]));
}

}  // namespace

void LastRows::note(std::uint32_t slot, std::uint64_t row_id) {
  const std::uint32_t group = index.group_of_slot(slot);
  if (group >= rows.size()) rows.resize(std::size_t{group} + 1, 0);
  // RowIds rise in table order, so morsels may be noted in any order.
  rows[group] = std::max(rows[group], row_id);
}

LastRowScan::LastRowScan(const QueryInput& input, std::span<const KeyColumn> keys,
                         const GroupIndex& index, ComputedColumns& computed)
    : input_(input), computed_(computed), reader_(keys, index, kMorselRows) {}

void LastRowScan::take(std::size_t m, AccessLog& accesses, LastRows last) {
  const Morsel& morsel = input_.morsels[m];
  reader_.begin(computed_.view(morsel.view), told_key(input_, morsel));
  // Where the partition decides every key, the whole morsel is one group.
  if (reader_.fields().empty()) return take_one_group(morsel, accesses, last);
  if (!select(morsel, morsel.rows, accesses)) return;
  read_keys(morsel, accesses);
  // A slot: all selected rows have the same keys. Nothing: ids() has one for each row.
  const auto slot = reader_.read(morsel.rows, bits_);
  if (!slot.ok()) throw QueryStop{slot.error()};
  if (!*slot) return note_ids(morsel, last);
  const std::size_t words = words_for(static_cast<std::size_t>(morsel.rows.rows()));
  last.note(**slot, RowId::make(morsel.view, morsel.rows.begin + last_set(bits_, words)));
}

void LastRowScan::take_one_group(const Morsel& morsel, AccessLog& accesses, LastRows last) {
  // From the end, a step at a time: conditions are not evaluated on rows before the one wanted.
  // Steps begin at multiples of kOneGroupRows, so only the first may be shorter.
  std::uint64_t end = morsel.rows.end;
  while (end > morsel.rows.begin) {
    const std::uint64_t steps_before = (end - 1 - morsel.rows.begin) / kOneGroupRows;
    const RowRange rows{morsel.rows.begin + steps_before * kOneGroupRows, end};
    if (select(morsel, rows, accesses)) {
      const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
      last.note(reader_.constant_slot(),
                RowId::make(morsel.view, rows.begin + last_set(bits_, words)));
      return;
    }
    end = rows.begin;
  }
}

bool LastRowScan::select(const Morsel& morsel, RowRange rows, AccessLog& accesses) {
  stop_unless(filter_morsel(input_.schema(), computed_.view(morsel.view), input_.conditions(morsel),
                            rows, bits_, accesses));
  return count_words(bits_, words_for(static_cast<std::size_t>(rows.rows()))) != 0;
}

void LastRowScan::read_keys(const Morsel& morsel, AccessLog& accesses) {
  const auto conditions = input_.conditions(morsel);
  const PartitionView& view = computed_.view(morsel.view);
  // Without conditions all rows are read, and the log needs no bitmap of them.
  Selected selected(morsel.rows, conditions.empty() ? nullptr : bits_);
  std::vector<bool> noted(input_.schema().fields.size(), false);
  for (const Condition& condition : conditions)
    input_.for_each_column(condition.field, [&](std::size_t column) { noted[column] = true; });
  for (const std::size_t field : reader_.fields()) {
    input_.for_each_column(field, [&](std::size_t column) {
      if (!noted[column]) accesses.read(view, column, selected);
      noted[column] = true;
    });
    if (view.is_computed(field))
      stop_unless(view.computed->make(field, morsel.rows, selected.bits()));
  }
}

void LastRowScan::note_ids(const Morsel& morsel, LastRows last) {
  const RowIds ids = reader_.ids();
  const auto note = [&](std::uint32_t id, std::size_t row) {
    last.note(reader_.slot_of(id), RowId::make(morsel.view, morsel.rows.begin + row));
  };
  const std::size_t left = find_last_rows({ids.width, ids.ids, bits_, words_for(ids.rows)}, found_);
  for (std::size_t k = 0; k < found_.count; ++k) note(found_.ids[k], found_.rows[k]);
  // The kernel works from the end, so its rows are the last of their groups within this morsel.
  // With more groups than the kernel searches for, every row of the other words is noted.
  for (std::size_t w = 0; w < left; ++w) {
    for (std::uint64_t word = bits_[w]; word != 0; word &= word - 1) {
      const std::size_t row = w * kWordRows + static_cast<std::size_t>(std::countr_zero(word));
      std::uint32_t id = 0;
      std::memcpy(&id, ids.ids + row * ids.width, ids.width);
      note(id, row);
    }
  }
}

}  // namespace hdbench
