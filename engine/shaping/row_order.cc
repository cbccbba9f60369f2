#include "engine/shaping/row_order.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>

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

RowNumbers ordered_by_word(const Words& words, TakenRows taken,
                           std::pmr::memory_resource& resource) {
  std::pmr::vector<WordRow> items(words.size(), &resource);
  for (std::size_t row = 0; row < words.size(); ++row) items[row] = {words[row], row};
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
  return words.size() == 1 ? ordered_by_word(words.front(), taken, resource)
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
