// Values as text: as q's `csv 0:` prints them (dates 2020-01-07, timestamps
// 2015-01-07D00:00:04.438224000, symbols bare, floats shortest round-trip, nulls empty), as its
// console shows them, and nested cells as its literals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/column/column.h"

namespace hdbench {

// Appends the element at `element` (width bytes, as in a result column) to `out`. A symbol needs
// its domain.
void append_value(std::string& out, QType type, std::uint32_t width, const std::byte* element,
                  const Domain* domain);

// As q's console has it: dates 2020.01.07, and of a float seven digits or all.
enum class Digits { kAll, kSeven };
void append_shown(std::string& out, QType type, std::uint32_t width, const std::byte* element,
                  const Domain* domain, Digits digits);

// A partition's directory name: date 2020.01.07, month 2020.01, year and int their digits.
std::string partition_name(QType type, std::int64_t value);

// 2020.1.8 as 2020.01.08, 2020.1 as 2020.01; nothing where months and days have two digits, or
// where the text is no such word. Whether the calendar has the day is not looked at.
std::optional<std::string> padded_date(std::string_view text);

// Calls on_item(item) for each item of a cell until it returns false: the bytes of an element, or
// the characters of a symbol.
template <typename OnItem>
void each_item(const NestedCell& cell, const OnItem& on_item) {
  const std::span<const std::byte> all(cell.data, cell.bytes());
  const bool are_symbols = cell.kind == kSymbolsType;
  for (std::size_t at = 0; at < all.size();) {
    std::size_t bytes = cell_item_width(cell.kind);
    if (are_symbols) {
      for (bytes = 0; at + bytes < all.size() && all[at + bytes] != std::byte{0};) ++bytes;
    }
    if (!on_item(all.subspan(at, bytes))) return;
    at += bytes + (are_symbols ? 1 : 0);
  }
}

// Appends an item of a cell of this kind as append_value() has it.
void append_item(std::string& out, std::uint8_t kind, std::span<const std::byte> item);

// Appends a cell as q's -3! writes it: `1 0N 3`, `,1`, `` `a`b ``, `"ab"`, `` `float$() ``. What is
// longer than `bytes_max` ends with two dots. Cells that are only shown are the text they have.
void append_literal(std::string& out, const NestedCell& cell, Digits digits,
                    std::size_t bytes_max = std::numeric_limits<std::size_t>::max());

}  // namespace hdbench
