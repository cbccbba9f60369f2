// Error messages about a column's values, shared by the executor and `verify`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/result.h"
#include "engine/column/column.h"

namespace hdbench {

// "FILE: byte 16 (row 0): WHAT", of a row's element.
Error row_error(const Column& column, std::uint64_t row, std::string_view what);

// A row's code that its domain does not have: names the file, the byte offset, the code and the
// domain's size. The column is its subject (Table::mend_codes()).
Error code_outside_domain(const Column& column, std::uint64_t row, std::int64_t code);

// The first of `count` rows from `first` on whose code the domain does not have, as that message;
// nothing when all are within. `selected` says which rows count.
template <typename Selected>
std::optional<Error> find_code_outside_domain(const Column& column, std::uint64_t first,
                                              std::uint64_t count, const Selected& selected) {
  for (std::uint64_t row = first; row < first + count; ++row) {
    if (!selected(row)) continue;
    const std::int64_t code = order_key_at(column, row);
    if (static_cast<std::uint64_t>(code) < column.code_bound()) continue;
    return code_outside_domain(column, row, code);
  }
  return std::nullopt;
}

// What was seen in these rows is not there at a second look: a writer changed the file meanwhile.
Error changed_while_read(const Column& column, std::uint64_t first, std::uint64_t count);

// find_code_outside_domain() where a code outside was seen: without one any more,
// changed_while_read().
template <typename Selected>
Error seen_code_outside_domain(const Column& column, std::uint64_t first, std::uint64_t count,
                               const Selected& selected) {
  const auto error = find_code_outside_domain(column, first, count, selected);
  return error ? *error : changed_while_read(column, first, count);
}

// Keys base <= key < base + count that a column's domain, or its p# index, says it has.
struct KeyBounds {
  std::int64_t base = 0;
  std::uint64_t count = 0;
  bool holds(std::int64_t key) const {
    return static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(base) < count;
  }
};

// A row's value that its column's p# index does not have: names the file, the byte offset and the
// value's order key.
Error value_outside_index(const Column& column, std::uint64_t row, std::int64_t key);

// The first selected row whose key lies outside the bounds, as the message for its column's type.
template <typename Selected>
std::optional<Error> find_value_outside(const Column& column, KeyBounds bounds, std::uint64_t first,
                                        std::uint64_t count, const Selected& selected) {
  if (column.type == QType::kSymbol)
    return find_code_outside_domain(column, first, count, selected);
  for (std::uint64_t row = first; row < first + count; ++row) {
    if (!selected(row)) continue;
    const std::int64_t key = order_key_at(column, row);
    if (!bounds.holds(key)) return value_outside_index(column, row, key);
  }
  return std::nullopt;
}

}  // namespace hdbench
