#include "engine/shaping/row_order.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

#include "engine/operator/gather.h"
#include "engine/operator/query_context.h"
#include "engine/shaping/row_keys.h"

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
std::pmr::vector<WordRow> words_with_rows(const Words& words, std::size_t count,
                                          const QueryContext& context) {
  // A part gives an eighth of its rows at most: more are not worth being chosen twice.
  constexpr std::size_t kPartRows = std::size_t{1} << 16;
  constexpr std::size_t kChosenMax = kPartRows / 8;
  std::pmr::vector<WordRow> items(&context.memory);
  if (count == 0 || count > kChosenMax || words.size() <= 2 * count) {
    items.resize(words.size());
    for (std::size_t row = 0; row < words.size(); ++row) items[row] = {words[row], row};
    return items;
  }
  std::vector<std::pmr::vector<WordRow>> parts;
  for (std::size_t begin = 0; begin < words.size(); begin += kPartRows)
    parts.emplace_back(&context.memory);
  for_each_chunk(
      context.pool, words.size(),
      [&](std::size_t begin, std::size_t end) {
        parts[begin / kPartRows] = first_of(words, begin, end, count, context.memory);
      },
      kPartRows);
  for (const auto& part : parts) items.insert(items.end(), part.begin(), part.end());
  return items;
}

// By the first word, which lies beside its row, and where it is equal by the others.
RowNumbers ordered_by_words(const std::vector<Words>& words, TakenRows taken,
                            const QueryContext& context) {
  const bool is_alone = words.size() == 1;
  const std::size_t rows_of_order = static_cast<std::size_t>(taken.end);
  std::pmr::vector<WordRow> items =
      words_with_rows(words.front(), is_alone ? rows_of_order : words.front().size(), context);
  if (is_alone) {
    sort_part(items, taken, std::less<>());
  } else {
    sort_part(items, taken, [&](const WordRow& a, const WordRow& b) {
      for (std::size_t w = 1; a.word == b.word && w < words.size(); ++w) {
        if (words[w][a.row] != words[w][b.row]) return words[w][a.row] < words[w][b.row];
      }
      return a < b;
    });
  }
  RowNumbers rows(&context.memory);
  rows.reserve(static_cast<std::size_t>(taken.end - taken.begin));
  for (std::uint64_t place = taken.begin; place < taken.end; ++place)
    rows.push_back(items[static_cast<std::size_t>(place)].row);
  return rows;
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

void append_taken(const RowTake& take, std::uint64_t rows, RowNumbers& taken) {
  const std::size_t before = taken.size();
  const TakenRows range = taken_rows(take, rows);
  if (take.is_cyclic) {
    const auto count = take.count < 0 ? 0 - static_cast<std::uint64_t>(take.count)
                                      : static_cast<std::uint64_t>(take.count);
    constexpr std::uint64_t kRowsMax = std::uint64_t{1} << 40;
    if (count > kRowsMax) throw QueryStop{usage_error("'limit: so many rows are in no memory")};
    const std::uint64_t first = take.count < 0 && rows != 0 ? rows - count % rows : 0;
    for (std::uint64_t i = 0; i < count; ++i)
      taken.push_back(rows == 0 ? kNoRow : (first + i) % rows);
  } else {
    const auto left_out = static_cast<std::uint64_t>(take.without_last);
    const std::uint64_t end = std::min(range.end, rows - std::min(rows, left_out));
    for (std::uint64_t row = range.begin; row < end; ++row) taken.push_back(row);
  }
  if (take.is_backwards)
    std::reverse(taken.begin() + static_cast<std::ptrdiff_t>(before), taken.end());
}

RowNumbers ordered_rows(const ResultTable& table, const RowOrder& order, TakenRows taken,
                        const QueryContext& context) {
  std::vector<Words> words;
  for (const std::size_t column : order.columns) {
    std::vector<Words> made = order_words(table.columns[column], table.rows, context);
    std::move(made.begin(), made.end(), std::back_inserter(words));
  }
  if (order.descending) {
    for (Words& column : words) {
      for (std::int64_t& word : column) word = ~word;
    }
  }
  return ordered_by_words(words, taken, context);
}

ResultColumn take_elements(const ResultColumn& column, std::span<const std::uint64_t> rows,
                           QueryContext& context) {
  AccessLog& accesses = context.accesses;
  ResultColumn taken{column.name, column.type, column.width, {}, column.domain};
  taken.buffer = Buffer(context.memory, rows.size() * column.width);
  Element null{};
  if (column.type != QType::kSymbol || column.domain != nullptr)
    null = null_element(column.type, column.domain.get());
  for_each_chunk(context.pool, rows.size(), [&](std::size_t begin, std::size_t end) {
    at_width(column.width, [&, from = column.buffer.data(), to = taken.buffer.data()](auto width) {
      for (std::size_t i = begin; i < end; ++i) {
        std::memcpy(to + i * width, rows[i] == kNoRow ? null.data() : from + rows[i] * width,
                    width);
      }
    });
  });
  for (const std::uint64_t row : rows) {
    if (!accesses.meters_working_memory() || row == kNoRow) break;
    accesses.pass_column(column.buffer, row * column.width, column.width);
  }
  accesses.write(taken.buffer.data(), taken.buffer.bytes());
  return taken;
}

ResultTable take_rows(ResultTable table, std::span<const std::uint64_t> rows,
                      QueryContext& context) {
  for (ResultColumn& column : table.columns) column = take_elements(column, rows, context);
  table.rows = rows.size();
  return table;
}

}  // namespace hdbench
