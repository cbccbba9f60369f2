#include "engine/shaping/row_lists.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "engine/column/column.h"
#include "engine/shaping/row_groups.h"
#include "engine/shaping/row_order.h"

namespace hdbench {
namespace {

// Rows of the keys, one key behind the other, and where each ends.
struct KeyedRows {
  RowNumbers rows;
  std::pmr::vector<std::uint64_t> ends;
};

KeyedRows rows_by_key(const ResultTable& table, std::size_t keys, ThreadPool& pool,
                      std::pmr::memory_resource& resource, AccessLog& accesses) {
  KeyedRows keyed{RowNumbers(&resource), std::pmr::vector<std::uint64_t>(&resource)};
  if (table.rows == 0) return keyed;
  std::vector<Words> words;
  std::vector<Words> order;
  for (std::size_t k = 0; k < keys; ++k) {
    for (Words& made : equality_words(table.columns[k], table.rows, pool, resource))
      words.push_back(std::move(made));
    for (Words& made : order_words(table.columns[k], table.rows, pool, resource))
      order.push_back(std::move(made));
  }
  const RowGroups groups(words, pool, resource, accesses);
  const RowSegments segments = make_segments(groups, resource, accesses);
  std::pmr::vector<std::uint32_t> by_key(groups.count(), 0, &resource);
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

ResultTable list_rows(const RowLists& lists, ResultTable table, ThreadPool& pool,
                      std::pmr::memory_resource& resource, AccessLog& accesses) {
  const KeyedRows keyed = rows_by_key(table, lists.keys, pool, resource, accesses);
  table = take_rows(std::move(table), keyed.rows, resource, accesses);
  if (lists.are_rows) return table;
  ResultTable listed;
  listed.rows = keyed.ends.size();
  listed.keep_alive = table.keep_alive;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const ResultColumn& column = table.columns[c];
    listed.columns.push_back(lists.is_list[c]
                                 ? ListColumn(column, keyed.ends, resource).make(listed.keep_alive)
                                 : firsts(column, keyed.ends, resource));
    const Buffer& made = listed.columns.back().buffer;
    accesses.write(made.data(), made.bytes());
  }
  return listed;
}

}  // namespace hdbench
