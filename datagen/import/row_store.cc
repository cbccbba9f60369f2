#include "datagen/import/row_store.h"

#include <algorithm>
#include <limits>

namespace hdbench::datagen {
namespace {

// Sorts one symbol's rows where their times do not rise already, as they do in NYSE's files.
void order_by_time(const RowStore& store, std::span<std::uint32_t> rows) {
  const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
    return store.get<std::int64_t>(kTimeColumn, a) < store.get<std::int64_t>(kTimeColumn, b);
  };
  if (!std::is_sorted(rows.begin(), rows.end(), earlier)) {
    std::stable_sort(rows.begin(), rows.end(), earlier);
  }
}

}  // namespace

RowStore::RowStore(std::span<const QType> types) {
  for (const QType type : types) {
    offsets_.push_back(row_bytes_ * kChunkRows);
    row_bytes_ += row_width(type);
  }
  chunk_bytes_ = row_bytes_ * kChunkRows;
}

void RowStore::add_chunk() {
  HDB_CHECK(is_full(), "a chunk is added to full ones");
  // Not filled with zeros: pages are touched when rows come.
  chunks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[chunk_bytes_]));
  free_rows_ = kChunkRows;
}

DayOrder order_rows(const RowStore& store, std::span<const std::uint32_t> codes_in_order) {
  const std::uint64_t rows = store.rows();
  HDB_CHECK(rows <= std::numeric_limits<std::uint32_t>::max(), "rows numbered in 32 bits");
  std::vector<std::uint64_t> next(codes_in_order.size());
  const auto code_at = [&](std::uint64_t row) {
    return static_cast<std::size_t>(store.get<std::int32_t>(kSymbolColumn, row));
  };
  for (std::uint64_t row = 0; row < rows; ++row) ++next[code_at(row)];

  DayOrder order;
  order.index = index_of_counts(next, codes_in_order);
  order.rows.resize(rows);
  for (std::uint64_t row = 0; row < rows; ++row) {
    order.rows[next[code_at(row)]++] = static_cast<std::uint32_t>(row);
  }
  for (std::size_t key = 0; key < order.index.keys.size(); ++key) {
    const auto begin = static_cast<std::size_t>(order.index.offsets[key]);
    const auto end = static_cast<std::size_t>(order.index.offsets[key + 1]);
    order_by_time(store, std::span(order.rows).subspan(begin, end - begin));
  }
  return order;
}

std::int32_t SymbolTable::code_of(std::string_view text) {
  const auto known = codes_.find(text);
  if (known != codes_.end()) return known->second;
  const auto code = static_cast<std::int32_t>(texts_.size());
  codes_.emplace(texts_.emplace_back(text), code);
  return code;
}

}  // namespace hdbench::datagen
