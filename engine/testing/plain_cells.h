// Single cells of rows, for the reference implementation: their order, their nulls and their text,
// each by its definition, and rows whose cells are read one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/column/table.h"

namespace hdbench {

// One value, in every shape that a test or an aggregate may want.
struct Cell {
  QType type = QType::kLong;
  std::int64_t integer = 0;  // integers and temporals; symbols: the code
  double number = 0;         // reals and floats
  std::string bytes;         // as stored; symbols and strings: the text; lists: the items
  // Lists: the type of the items (kSymbolsType: texts that zeros end), as NestedCell has it.
  std::uint8_t kind = static_cast<std::uint8_t>(QType::kChar);

  // As aggregates leave values out: chars, symbols and guids have no null here.
  bool is_null() const;
  double as_double() const { return is_floating(type) ? number : static_cast<double>(integer); }
};

using Row = std::vector<Cell>;

// Of an element as a column stores it: no symbols, no lists.
Cell scalar_cell(QType type, const std::byte* data);

template <typename T>
Cell make_cell(QType type, T value) {
  return scalar_cell(type, reinterpret_cast<const std::byte*>(&value));
}

// In the type's width: what does not fit wraps.
inline Cell integer_cell(QType type, std::int64_t value) { return make_cell(type, value); }

// What stands where no value is: a blank, an empty text, or a zero for types without a null.
Cell null_cell(QType type);

// How many items a list has.
std::size_t items_in(const Cell& list);

// The cell of a result, and of a column whose elements are not offsets.
Cell element_cell(QType type, std::uint32_t width, const Domain* domain, const std::byte* data);

// The order key by its definition: nulls first, then values. Not of symbols, lists and guids.
std::int64_t key_of(const Cell& cell);

// Orders rows as q sorts keys: symbols and strings by text, guids by bytes, the rest by key.
struct RowLess {
  bool operator()(const Row& a, const Row& b) const;
};
bool are_one_key(const Row& a, const Row& b);

// The cells in these places.
Row cells_at(const Row& row, const std::vector<std::size_t>& places);

// Equal where results are: all NaNs are one null, and a symbol is its text.
std::string show(const Cell& cell);

// Rows in parts.
class CellRows {
 public:
  virtual ~CellRows() = default;
  virtual const Schema& schema() const = 0;
  virtual std::size_t parts() const = 0;
  virtual std::uint64_t rows(std::size_t part) const = 0;
  virtual Cell cell(std::size_t part, std::size_t field, std::uint64_t row) const = 0;
};

// A table's. Requires: a table that outlives this and whose columns can be read.
class TableRows final : public CellRows {
 public:
  explicit TableRows(const Table& table) : table_(table) {}
  const Schema& schema() const override { return table_.schema(); }
  std::size_t parts() const override { return table_.part_count(); }
  std::uint64_t rows(std::size_t part) const override { return *table_.rows(part); }
  Cell cell(std::size_t part, std::size_t field, std::uint64_t row) const override;

 private:
  const Table& table_;
};

// Those that a plan gave, as one part. Symbols have the codes of the schema's domains.
class MadeRows final : public CellRows {
 public:
  MadeRows(std::vector<Row> rows, const Schema& schema);
  const Schema& schema() const override { return schema_; }
  std::size_t parts() const override { return 1; }
  std::uint64_t rows(std::size_t) const override { return rows_.size(); }
  Cell cell(std::size_t, std::size_t field, std::uint64_t row) const override {
    return rows_[row][field];
  }

 private:
  std::vector<Row> rows_;
  const Schema& schema_;
};

}  // namespace hdbench
