// The rows of one table and day in memory, a column beside the other, and the order to store them
// in.
//
// Rows are kept in chunks of a fixed number, so that no row moves when more come: memory is the
// chunks alone. Symbols are held as codes of four bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "datagen/day_order.h"
#include "engine/base/check.h"
#include "engine/column/type.h"

namespace hdbench::datagen {

constexpr std::uint32_t row_width(QType type) {
  return type == QType::kSymbol ? sizeof(std::int32_t) : type_width(type);
}

class RowStore {
 public:
  explicit RowStore(std::span<const QType> types);

  std::uint64_t rows() const { return (chunks_.size() * kChunkRows) - free_rows_; }
  std::size_t row_bytes() const { return row_bytes_; }
  // What the chunks take, and would with one more.
  std::uint64_t bytes() const { return chunks_.size() * std::uint64_t{chunk_bytes_}; }
  bool is_full() const { return free_rows_ == 0; }
  std::uint64_t bytes_after_add() const { return bytes() + chunk_bytes_; }

  // Requires: is_full(). Throws std::bad_alloc.
  void add_chunk();

  // Sets a column's value in the row that commit() will add. Requires: not full; Value has the
  // column's row_width().
  template <class Value>
  void put(std::size_t column, Value value) {
    const std::size_t row = kChunkRows - free_rows_;
    std::memcpy(chunks_.back().get() + offsets_[column] + row * sizeof(Value), &value,
                sizeof(Value));
  }
  void commit() { --free_rows_; }

  template <class Value>
  Value get(std::size_t column, std::uint64_t row) const {
    Value value;
    std::memcpy(
        &value,
        chunks_[row / kChunkRows].get() + offsets_[column] + row % kChunkRows * sizeof(Value),
        sizeof(Value));
    return value;
  }

 private:
  static constexpr std::size_t kChunkRows = std::size_t{1} << 16;

  std::vector<std::size_t> offsets_;  // of the columns in a chunk
  std::size_t row_bytes_ = 0;
  std::size_t chunk_bytes_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::size_t free_rows_ = 0;  // of the last chunk
};

// The rows by symbol, in the order of `rank_of` (by code), each symbol's in time order: rows of one
// time stay in the order they came in. Keys of the index are codes. Requires: the columns `symbol`
// and `time` are of these types; fewer than 2^32 rows.
struct OrderColumns {
  std::size_t symbol = 0;
  std::size_t time = 1;
};
DayOrder order_rows(const RowStore& store, OrderColumns columns,
                    std::span<const std::uint32_t> codes_in_order);

}  // namespace hdbench::datagen
