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
  // A chunk gives an eighth of its rows at most: more are not worth being chosen twice.
  constexpr std::size_t kChosenMax = kChunkRows / 8;
  std::pmr::vector<WordRow> items(&context.memory);
  if (count == 0 || count > kChosenMax || words.size() <= 2 * count) {
    items.resize(words.size());
    for (std::size_t row = 0; row < words.size(); ++row) items[row] = {words[row], row};
    return items;
  }
  std::vector<std::pmr::vector<WordRow>> parts;
  for (std::size_t begin = 0; begin < words.size(); begin += kChunkRows)
    parts.emplace_back(&context.memory);
  for_each_chunk(context.pool, words.size(), [&](std::size_t begin, std::size_t end) {
    parts[begin / kChunkRows] = first_of(words, begin, end, count, context.memory);
  });
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

// Rows of the keys, one key behind the other, and where each ends.
struct KeyedRows {
  RowNumbers rows;
  std::pmr::vector<std::uint64_t> ends;
};

KeyedRows rows_by_key(const ResultTable& table, std::size_t keys, QueryContext& context) {
  KeyedRows keyed{RowNumbers(&context.memory), std::pmr::vector<std::uint64_t>(&context.memory)};
  if (table.rows == 0) return keyed;
  std::vector<Words> words;
  std::vector<Words> order;
  for (std::size_t k = 0; k < keys; ++k) {
    for (Words& made : equality_words(table.columns[k], table.rows, context))
      words.push_back(std::move(made));
    for (Words& made : order_words(table.columns[k], table.rows, context))
      order.push_back(std::move(made));
  }
  const RowGroups groups(words, context);
  const RowSegments segments = make_segments(groups, context);
  std::pmr::vector<std::uint32_t> by_key(groups.count(), 0, &context.memory);
  std::iota(by_key.begin(), by_key.end(), 0U);
  const auto first_row = groups.first_rows();
  std::sort(by_key.begin(), by_key.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (const Words& column : order) {
      const std::int64_t x = column[first_row[a]];
      const std::int64_t y = column[first_row[b]];
      if (x != y) return x < y;
    }
    return a < b;
  });
  keyed.rows.reserve(static_cast<std::size_t>(table.rows));
  for (const std::uint32_t group : by_key) {
    const std::uint64_t begin = group == 0 ? 0 : segments.ends[group - 1];
    for (std::uint64_t place = begin; place < segments.ends[group]; ++place)
      keyed.rows.push_back(segments.order.empty() ? place : segments.order[place]);
    keyed.ends.push_back(keyed.rows.size());
  }
  return keyed;
}

// Cells over memory that they keep alive.
class ListColumn {
 public:
  ListColumn(const ResultColumn& column, std::span<const std::uint64_t> ends,
             std::pmr::memory_resource& resource)
      : column_(column), ends_(ends), resource_(resource) {}

  ResultColumn make(std::vector<std::shared_ptr<const void>>& keep_alive) {
    ResultColumn lists{column_.name, QType::kNested, sizeof(NestedCell), {}, nullptr};
    lists.buffer = Buffer(resource_, ends_.size() * sizeof(NestedCell));
    const bool is_symbols = column_.type == QType::kSymbol;
    auto items = std::make_shared<Buffer>(resource_, is_symbols ? text_bytes() : element_bytes());
    std::byte* out = items->data();
    for (std::size_t key = 0; key < ends_.size(); ++key) {
      const std::uint64_t begin = key == 0 ? 0 : ends_[key - 1];
      NestedCell cell{out, 0, static_cast<std::uint8_t>(column_.type), false, 0};
      out = is_symbols ? put_texts(begin, ends_[key], out) : put_elements(begin, ends_[key], out);
      if (is_symbols) cell.kind = kSymbolsType;
      cell.count = static_cast<std::uint32_t>(is_symbols ? out - cell.data : ends_[key] - begin);
      std::memcpy(lists.buffer.data() + key * sizeof(cell), &cell, sizeof(cell));
    }
    keep_alive.push_back(std::move(items));
    return lists;
  }

 private:
  std::uint64_t rows() const { return ends_.empty() ? 0 : ends_.back(); }
  std::size_t element_bytes() const { return static_cast<std::size_t>(rows()) * column_.width; }

  std::string_view text(std::uint64_t row) const {
    std::uint64_t code = 0;
    std::memcpy(&code, column_.buffer.data() + row * column_.width, column_.width);
    return column_.domain->text(static_cast<std::size_t>(code));
  }

  // Each symbol's text, and a zero behind it.
  std::size_t text_bytes() const {
    std::size_t bytes = 0;
    for (std::uint64_t row = 0; row < rows(); ++row) bytes += text(row).size() + 1;
    return bytes;
  }

  std::byte* put_texts(std::uint64_t begin, std::uint64_t end, std::byte* out) const {
    for (std::uint64_t row = begin; row < end; ++row) {
      const std::string_view symbol = text(row);
      if (!symbol.empty()) std::memcpy(out, symbol.data(), symbol.size());
      out[symbol.size()] = std::byte{0};
      out += symbol.size() + 1;
    }
    return out;
  }

  std::byte* put_elements(std::uint64_t begin, std::uint64_t end, std::byte* out) const {
    const std::size_t bytes = static_cast<std::size_t>(end - begin) * column_.width;
    if (bytes != 0) std::memcpy(out, column_.buffer.data() + begin * column_.width, bytes);
    return out + bytes;
  }

  const ResultColumn& column_;
  std::span<const std::uint64_t> ends_;
  std::pmr::memory_resource& resource_;
};

// The first row of each key.
ResultColumn firsts(const ResultColumn& column, std::span<const std::uint64_t> ends,
                    std::pmr::memory_resource& resource) {
  ResultColumn shown{column.name, column.type, column.width, {}, column.domain};
  shown.buffer = Buffer(resource, ends.size() * column.width);
  for (std::size_t key = 0; key < ends.size(); ++key) {
    const std::uint64_t row = key == 0 ? 0 : ends[key - 1];
    std::memcpy(shown.buffer.data() + key * column.width, column.buffer.data() + row * column.width,
                column.width);
  }
  return shown;
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

ResultTable take_rows(ResultTable table, std::span<const std::uint64_t> rows,
                      QueryContext& context) {
  AccessLog& accesses = context.accesses;
  for (ResultColumn& column : table.columns) {
    Buffer taken(context.memory, rows.size() * column.width);
    at_width(column.width, [&, from = column.buffer.data(), to = taken.data()](auto width) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        std::memcpy(to + i * width, from + rows[i] * width, width);
    });
    for (const std::uint64_t row : rows) {
      if (!accesses.meters_working_memory()) break;
      accesses.pass(column.buffer.data() + row * column.width, column.width, AccessKind::kRead);
    }
    accesses.write(taken.data(), taken.bytes());
    column.buffer = std::move(taken);
  }
  table.rows = rows.size();
  return table;
}

ResultTable list_rows(const RowLists& lists, ResultTable table, QueryContext& context) {
  const KeyedRows keyed = rows_by_key(table, lists.keys, context);
  table = take_rows(std::move(table), keyed.rows, context);
  if (lists.are_rows) return table;
  ResultTable listed;
  listed.rows = keyed.ends.size();
  listed.keep_alive = table.keep_alive;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const ResultColumn& column = table.columns[c];
    listed.columns.push_back(
        lists.is_list[c] ? ListColumn(column, keyed.ends, context.memory).make(listed.keep_alive)
                         : firsts(column, keyed.ends, context.memory));
    const Buffer& made = listed.columns.back().buffer;
    context.accesses.write(made.data(), made.bytes());
  }
  return listed;
}

}  // namespace hdbench
