// Nested cells as text: as q writes a list, and item by item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "engine/column/column.h"
#include "engine/column/format_value.h"

namespace hdbench {

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
