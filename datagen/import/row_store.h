// The rows of one table and day in memory, a column beside the other, and the order to store them
// in; and the symbols of the database while it is made.
//
// Rows are kept in chunks of a fixed number, so that no row moves when more come: memory is the
// chunks alone. Symbols are held as codes of four bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "datagen/column_values.h"
#include "engine/base/check.h"
#include "engine/column/type.h"

namespace hdbench::datagen {

constexpr std::uint32_t row_width(QType type) {
  return type == QType::kSymbol ? sizeof(std::int32_t) : type_width(type);
}

constexpr std::size_t kSymbolColumn = 0;
constexpr std::size_t kTimeColumn = 1;

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

// The rows by symbol (column 0, codes), in the order given, each symbol's by time (column 1, a
// timespan): rows of one time stay in the order they came in. Keys of the index are codes.
// Requires: fewer than 2^32 rows.
DayOrder order_rows(const RowStore& store, std::span<const std::uint32_t> codes_in_order);

// Each text has a code, in the order of first appearance, as kdb+ enumerates them.
class SymbolTable {
 public:
  // The text's code, a new one where it is not known yet. Requires: fewer than 2^31 texts.
  std::int32_t code_of(std::string_view text);

  std::vector<std::string> texts() const { return {texts_.begin(), texts_.end()}; }

 private:
  std::deque<std::string> texts_;  // whose bytes do not move: the map's keys
  std::unordered_map<std::string_view, std::int32_t> codes_;
};

}  // namespace hdbench::datagen
