#include "engine/shaping/row_keys.h"

#include <bit>
#include <cstring>
#include <numeric>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/order_keys.h"
#include "engine/kernel/selection.h"

namespace hdbench {
namespace {

// Guids are ordered by their bytes, from the first on.
std::vector<Words> guid_words(const ResultColumn& column, std::uint64_t rows,
                              const QueryContext& context) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  std::vector<Words> halves;
  for (std::size_t half = 0; half < 2; ++half) {
    Words& words = halves.emplace_back(static_cast<std::size_t>(rows), context.memory);
    for_each_chunk(context.pool, rows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, column.buffer.data() + row * 16 + half * 8, sizeof(bytes));
        words[row] = static_cast<std::int64_t>(__builtin_bswap64(bytes) ^ kSign);
      }
    });
  }
  return halves;
}

// Of symbols their codes, or each code's rank where there are ranks; of others the keys of q's
// order.
std::vector<Words> words_of(const ResultColumn& column, std::uint64_t rows,
                            std::span<const std::uint32_t> ranks, const QueryContext& context) {
  std::vector<Words> all;
  Words& words = all.emplace_back(static_cast<std::size_t>(rows), context.memory);
  for_each_chunk(context.pool, rows, [&](std::size_t begin, std::size_t end) {
    std::int64_t* const made = words.data() + begin;
    equality_words(column, begin, end, made);
    if (ranks.empty()) return;
    for (std::size_t row = 0; row < end - begin; ++row)
      made[row] = ranks[static_cast<std::size_t>(made[row])];
  });
  return all;
}

std::uint64_t mixed(std::uint64_t hash, std::int64_t word) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  hash = (hash ^ static_cast<std::uint64_t>(word)) * kOdd;
  return hash ^ hash >> 32;
}

template <typename Value>
void pass(AccessLog& accesses, std::span<const Value> values, AccessKind kind) {
  accesses.pass(reinterpret_cast<const std::byte*>(values.data()), values.size_bytes(), kind);
}

}  // namespace

std::vector<Words> order_words(const ResultColumn& column, std::uint64_t rows,
                               const QueryContext& context) {
  if (column.type != QType::kSymbol || rows == 0) return equality_words(column, rows, context);
  return words_of(column, rows, column.domain->ranks(), context);
}

void equality_words(const ResultColumn& column, std::size_t begin, std::size_t end,
                    std::int64_t* words) {
  const std::byte* const elements = column.buffer.data() + begin * column.width;
  if (column.type != QType::kSymbol)
    return to_order_keys(column.type, elements, end - begin, words);
  to_words(column.width, elements, end - begin, reinterpret_cast<std::uint64_t*>(words));
}

std::vector<Words> equality_words(const ResultColumn& column, std::uint64_t rows,
                                  const QueryContext& context) {
  HDB_CHECK(column.type != QType::kNested, "lists have no words");
  if (column.type == QType::kGuid) return guid_words(column, rows, context);
  return words_of(column, rows, {}, context);
}

RowGroups::RowGroups(std::span<const Words> keys, QueryContext& context)
    : keys_(keys),
      accesses_(context.accesses),
      slots_(&context.memory),
      runs_(&context.memory),
      first_rows_(&context.memory) {
  HDB_CHECK(!keys.empty(), "a key has a column");
  find_runs(context);
  constexpr std::size_t kSlotsMin = 64;
  slots_.assign(kSlotsMin, 0);
  for (Run& run : runs_) {
    const std::size_t slot = slot_of(keys, run.begin);
    if (slots_[slot] != 0) {
      run.group = slots_[slot] - 1;
      continue;
    }
    first_rows_.push_back(run.begin);
    slots_[slot] = count();
    run.group = count() - 1;
    if (first_rows_.size() * 2 > slots_.size()) {
      slots_.assign(slots_.size() * 4, 0);
      for (std::uint32_t group = 0; group < count(); ++group)
        slots_[slot_of(keys, first_rows_[group])] = group + 1;
    }
  }
  pass(accesses_, runs(), AccessKind::kWrite);
}

// Equal keys are often neighbours: only the first of them is looked up.
void RowGroups::find_runs(const QueryContext& context) {
  std::pmr::vector<std::uint64_t> begins(words_for(rows()), 0, &context.memory);
  for_each_chunk(context.pool, rows(), [&](std::size_t begin, std::size_t end) {
    std::uint64_t* const bits = begins.data() + begin / kWordRows;
    if (begin == 0) bits[0] |= 1;
    for (const Words& key : keys_) {
      const std::int64_t* const words = key.data() + begin;
      note_changes(words, begin == 0 ? words[0] : words[-1], end - begin, bits);
    }
  });
  std::size_t count = 0;
  for (const std::uint64_t word : begins) count += static_cast<std::size_t>(std::popcount(word));
  runs_.reserve(count);
  for (std::size_t w = 0; w < begins.size(); ++w) {
    for (std::uint64_t word = begins[w]; word != 0; word &= word - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(word));
      runs_.push_back({static_cast<std::uint32_t>(w * kWordRows + bit), 0});
    }
  }
}

std::uint32_t RowGroups::find(std::span<const Words> keys, std::size_t row) const {
  return slots_[slot_of(keys, row)] - 1;  // of a free slot kNone
}

// The slot that has the key, or the free one where it would be put.
std::size_t RowGroups::slot_of(std::span<const Words> keys, std::size_t row) const {
  std::uint64_t hash = 0;
  for (const Words& column : keys) hash = mixed(hash, column[row]);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  while (slots_[slot] != 0 && !are_equal(keys, row, keys_, first_rows_[slots_[slot] - 1]))
    slot = (slot + 1) & mask;
  if (accesses_.meters_working_memory()) note_place(slot);
  return slot;
}

void RowGroups::note_place(std::size_t slot) const {
  const std::span<const std::uint32_t> slots = slots_;
  pass(accesses_, slots.subspan(slot, 1), AccessKind::kRead);
  if (slots_[slot] == 0) return;
  const std::span<const std::uint32_t> rows = first_rows();
  const std::size_t row = rows[slots_[slot] - 1];
  for (const Words& column : keys_)
    pass(accesses_, std::span<const std::int64_t>(column.data() + row, 1), AccessKind::kRead);
}

RowSegments make_segments(const RowGroups& keys, QueryContext& context) {
  RowSegments segments(context.memory);
  const std::span<const RowGroups::Run> runs = keys.runs();
  std::pmr::vector<std::uint64_t>& ends = segments.ends;
  ends.assign(keys.count(), 0);
  for (std::size_t r = 0; r < runs.size(); ++r)
    ends[runs[r].group] += keys.end_of(r) - runs[r].begin;
  pass(context.accesses, runs, AccessKind::kRead);
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  // Rows of one key are neighbours (as behind p#): they are in order.
  if (runs.size() == ends.size()) return segments;
  std::pmr::vector<std::uint64_t> next(ends.size(), 0, &context.memory);
  std::copy(ends.begin(), ends.end() - 1, next.begin() + 1);
  segments.order.resize(keys.rows());
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::uint64_t& place = next[runs[r].group];
    for (std::size_t row = runs[r].begin; row < keys.end_of(r); ++row)
      segments.order[place++] = static_cast<std::uint32_t>(row);
  }
  pass(context.accesses, std::span<const std::uint32_t>(segments.order), AccessKind::kWrite);
  return segments;
}

}  // namespace hdbench
