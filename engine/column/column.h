// A column of one partition: a typed view of bytes that a store keeps alive.
//
// Shapes: `rows` elements of `width` bytes at `data`, little-endian. Not always aligned (a vector
// starts 8 or 16 bytes into a mapping, 24 in old enumerations): read elements with memcpy or
// unaligned vector loads. A Column owns nothing but its keep-alives and is cheap to move; it is
// immutable once built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/base/store.h"
#include "engine/column/domain.h"
#include "engine/column/order_key.h"
#include "engine/column/type.h"
#include "engine/zip/packed_file.h"

namespace hdbench {

// The index behind a parted vector: equal values adjacent. keys[k] fills rows offsets[k] <= row <
// offsets[k+1]. Keys are in order of first appearance, as order keys (order_key.h): symbol codes,
// or integers. Invariants: offsets.size() == keys.size() + 1, rising, first 0, last the column's
// rows.
struct PartedIndex {
  std::vector<std::int64_t> keys;
  std::vector<std::int64_t> offsets;
};

// A cell that is shown and no more (a list of lists, a dictionary, a table, a function): its items
// are the characters of its text.
constexpr std::uint8_t kShownCell = 255;

// Bytes of one item of a nested cell of this kind, as its count counts them.
constexpr std::uint32_t cell_item_width(std::uint8_t kind) {
  return kind == kShownCell || kind == kSymbolsType ? 1 : type_width(static_cast<QType>(kind));
}

// One cell of a nested column. kind: the q type of the cell's items (10: a string), or kShownCell.
// The items of kSymbolsType are the characters of the symbols, each ended by a NUL, as files of one
// column may have lists of their own for them.
struct NestedCell {
  const std::byte* data = nullptr;
  std::uint32_t count = 0;
  std::uint8_t kind = 0;
  bool is_atom = false;
  std::uint16_t shown_type = 0;  // of a kShownCell: q's number of what it is

  std::size_t bytes() const { return std::size_t{count} * cell_item_width(kind); }
};
static_assert(sizeof(NestedCell) == 16);

// The texts of cells that are shown only: each once. Thread-safe. The views stay valid as long as
// this object.
class CellTexts {
 public:
  std::string_view keep(std::string text) {
    const std::lock_guard lock(mutex_);
    return *texts_.insert(std::move(text)).first;
  }

 private:
  std::mutex mutex_;
  std::unordered_set<std::string> texts_;
};

struct Column {
  QType type = QType::kLong;
  // Bytes of an element at `data`. Symbols: unsigned codes of 4 or 8 as stored, or of 1, 2 or 4 as
  // narrowed when loaded (storage/narrow_codes.h). Nested: 16 (NestedCell) or 8 (anymap's u64
  // references into `heap`, or i64 end positions in it, resolved by nested_cell() of
  // storage/anymap.h). All others: the type's, or 1 or 2 for a partition field that was narrowed.
  std::uint32_t width = 8;
  std::uint64_t rows = 0;
  const std::byte* data = nullptr;
  // A narrowed partition field only: its elements are offsets from here (order_key_at());
  // else 0.
  std::int64_t base = 0;
  Attribute attribute = Attribute::kNone;

  // Symbols only: the list that the codes point into. Of nested columns with references: the
  // `##` list, into which symbols in `heap` are indices.
  std::shared_ptr<const Domain> domain;
  // Longs that are rows of a table at the root: its name.
  std::string link;
  // Symbols only: nulls have their domain's null code, which is then within the domain.
  bool has_null_codes = false;
  // Nested columns of width 8: the bytes of `col#` after its header page (of mapped vectors, all).
  std::span<const std::byte> heap;
  // Nested columns of width 8: 0: references; else the type of the items that the elements are end
  // positions of.
  std::uint8_t item_type = 0;
  // Nested columns with references: what cells are shown as. One of the keep-alives.
  std::shared_ptr<CellTexts> texts;
  // Parted columns: the bytes of the index that follows the vector in its file (empty for tables
  // made in memory, which set `index` instead). Decoded by parted_index() of
  // storage/parted_index.h, which also takes `index`. Behind codes of 1 or 2 bytes it has the form
  // that it has behind 8.
  std::span<const std::byte> index_bytes;
  std::shared_ptr<const PartedIndex> index;

  // For messages: the file ("" in memory) and where in it the data begins.
  std::string source;
  std::uint64_t data_offset = 0;
  // Whether `data` is the medium's own mapping (false: a decompressed copy), or was narrowed from
  // such a one.
  bool mapped = false;
  // Narrowed columns only: the bytes that they take as stored; else 0.
  std::uint64_t narrowed_from = 0;

  // Of compressed files that are unpacked as a query touches them: `data` and index_bytes, and
  // `heap`, of which only what was needed may be read (zip/packed_file.h). Null where they are
  // plain. Two of the keep-alives.
  std::shared_ptr<PackedFile> packed;
  std::shared_ptr<PackedFile> packed_heap;

  // Keep-alives of data, heap and index_bytes.
  std::vector<std::shared_ptr<const void>> keep_alive;

  std::uint64_t bytes() const { return rows * width; }
  // Of `data` on its medium: of a compressed file all of it.
  std::uint64_t stored_bytes() const {
    return packed == nullptr ? bytes() : packed->zipped().file_bytes();
  }
  // And of its companions there: heap and index.
  std::uint64_t companion_bytes() const {
    return (packed_heap == nullptr ? heap.size() : packed_heap->zipped().file_bytes()) +
           (packed == nullptr ? index_bytes.size() : 0);
  }
  bool is_packed() const { return packed != nullptr || packed_heap != nullptr; }
  // Codes from here on are outside the domain. Requires: a column of symbols.
  std::uint64_t code_bound() const {
    return has_null_codes ? domain->size() : domain->stored_size();
  }
};

// The order key of a row, whose element may be an offset. Requires: as element_order_key().
inline std::int64_t order_key_at(const Column& column, std::uint64_t row) {
  return column.base +
         element_order_key(column.type, column.width, column.data + row * column.width);
}

}  // namespace hdbench
