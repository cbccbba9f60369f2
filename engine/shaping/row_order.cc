#include "engine/shaping/row_order.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/shaping/row_chunks.h"
#include "engine/shaping/row_words.h"

namespace hdbench {
namespace {

// Puts the places [begin, end) of the order where they belong; what is before and behind them is of
// no interest.
template <typename Item, typename Less>
void sort_part(std::pmr::vector<Item>& items, TakenRows part, const Less& less) {
  const auto begin = items.begin() + static_cast<std::ptrdiff_t>(part.begin);
  const auto end = items.begin() + static_cast<std::ptrdiff_t>(part.end);
  if (begin != items.begin()) std::nth_element(items.begin(), begin, items.end(), less);
  if (end != items.end()) std::nth_element(begin, end, items.end(), less);
  std::sort(begin, end, less);
}

// A word beside its row, so that sorting by one word reads no other memory.
struct WordRow {
  std::int64_t word = 0;
  std::uint64_t row = 0;

  bool operator<(const WordRow& other) const {
    return word != other.word ? word < other.word : row < other.row;
  }
};

// The first `count` of the rows [begin, end), in any order. Once there are as many, a later row
// must have a lesser word than the last of them.
std::pmr::vector<WordRow> first_of(const Words& words, std::size_t begin, std::size_t end,
                                   std::size_t count, std::pmr::memory_resource& resource) {
  std::pmr::vector<WordRow> kept(&resource);
  kept.reserve(std::min(2 * count, end - begin));
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
  for (std::size_t row = begin; row < end; ++row) {
    if (words[row] >= limit && kept.size() >= count) continue;
    kept.push_back({words[row], row});
    if (kept.size() < 2 * count) continue;
    std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(count - 1),
                     kept.end());
    kept.resize(count);
    limit = kept.back().word;
  }
  return kept;
}

// Of all rows, or of those alone that the places [0, count) of the order can have.
std::pmr::vector<WordRow> words_with_rows(const Words& words, std::size_t count, ThreadPool& pool,
                                          std::pmr::memory_resource& resource) {
  // A chunk gives an eighth of its rows at most: more are not worth being chosen twice.
  constexpr std::size_t kChosenMax = kChunkRows / 8;
  std::pmr::vector<WordRow> items(&resource);
  if (count == 0 || count > kChosenMax || words.size() <= 2 * count) {
    items.resize(words.size());
    for (std::size_t row = 0; row < words.size(); ++row) items[row] = {words[row], row};
    return items;
  }
  std::vector<std::pmr::vector<WordRow>> parts;
  for (std::size_t begin = 0; begin < words.size(); begin += kChunkRows)
    parts.emplace_back(&resource);
  for_each_chunk(pool, words.size(), [&](std::size_t begin, std::size_t end) {
    parts[begin / kChunkRows] = first_of(words, begin, end, count, resource);
  });
  for (const auto& part : parts) items.insert(items.end(), part.begin(), part.end());
  return items;
}

RowNumbers ordered_by_word(const Words& words, TakenRows taken, ThreadPool& pool,
                           std::pmr::memory_resource& resource) {
  std::pmr::vector<WordRow> items =
      words_with_rows(words, static_cast<std::size_t>(taken.end), pool, resource);
  sort_part(items, taken, std::less<>());
  RowNumbers rows(&resource);
  rows.reserve(static_cast<std::size_t>(taken.end - taken.begin));
  for (std::uint64_t place = taken.begin; place < taken.end; ++place)
    rows.push_back(items[static_cast<std::size_t>(place)].row);
  return rows;
}

RowNumbers ordered_by_words(const std::vector<Words>& words, TakenRows taken,
                            std::pmr::memory_resource& resource) {
  RowNumbers rows(words.front().size(), &resource);
  std::iota(rows.begin(), rows.end(), std::uint64_t{0});
  sort_part(rows, taken, [&](std::uint64_t a, std::uint64_t b) {
    for (const Words& column : words) {
      if (column[a] != column[b]) return column[a] < column[b];
    }
    return a < b;
  });
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(taken.end), rows.end());
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(taken.begin));
  return rows;
}

template <std::size_t kWidth>
void take_elements(const std::byte* from, std::span<const std::uint64_t> rows, std::byte* to) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::memcpy(to + i * kWidth, from + rows[i] * kWidth, kWidth);
}

void take_elements(std::uint32_t width, const std::byte* from, std::span<const std::uint64_t> rows,
                   std::byte* to) {
  switch (width) {
    case 1: return take_elements<1>(from, rows, to);
    case 2: return take_elements<2>(from, rows, to);
    case 4: return take_elements<4>(from, rows, to);
    case 8: return take_elements<8>(from, rows, to);
    default: return take_elements<16>(from, rows, to);
  }
}

}  // namespace

TakenRows taken_rows(const std::optional<RowTake>& take, std::uint64_t rows) {
  if (!take) return {0, rows};
  const auto all = static_cast<std::int64_t>(rows);
  const std::int64_t begin =
      take->count < 0 ? std::max<std::int64_t>(0, all + take->count) : std::min(take->first, all);
  const std::int64_t left = all - begin;
  const std::int64_t count = take->count < 0 ? left : std::min(take->count, left);
  return {static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(begin + count)};
}

RowNumbers ordered_rows(const ResultTable& table, const RowOrder& order, TakenRows taken,
                        ThreadPool& pool, std::pmr::memory_resource& resource) {
  std::vector<Words> words;
  for (const std::size_t column : order.columns) {
    std::vector<Words> made = order_words(table.columns[column], table.rows, pool, resource);
    std::move(made.begin(), made.end(), std::back_inserter(words));
  }
  if (order.descending) {
    for (Words& column : words) {
      for (std::int64_t& word : column) word = ~word;
    }
  }
  return words.size() == 1 ? ordered_by_word(words.front(), taken, pool, resource)
                           : ordered_by_words(words, taken, resource);
}

ResultTable take_rows(ResultTable table, std::span<const std::uint64_t> rows,
                      std::pmr::memory_resource& resource, AccessLog& accesses) {
  for (ResultColumn& column : table.columns) {
    Buffer taken(resource, rows.size() * column.width);
    take_elements(column.width, column.buffer.data(), rows, taken.data());
    for (const std::uint64_t row : rows) {
      if (!accesses.has_meter()) break;
      accesses.pass(column.buffer.data() + row * column.width, column.width, AccessKind::kRead);
    }
    accesses.write(taken.data(), taken.bytes());
    column.buffer = std::move(taken);
  }
  table.rows = rows.size();
  return table;
}

}  // namespace hdbench
