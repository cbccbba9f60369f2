#include "engine/storage/narrow_codes.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/column/column_error.h"
#include "engine/storage/parted_index.h"

namespace hdbench {
namespace {

// What a store copies in at once: at most 64 KiB, still in a near cache.
constexpr std::uint64_t kNarrowedRows = 16384;

// One plain loop, for the compiler to make vectors of: every baseline has a vector `or`, and a
// maximum of the narrow type, but not one of 64 bits. True when all codes are below `symbols`.
template <typename From, typename To>
bool narrow_piece(const std::byte* codes, std::size_t count, std::size_t symbols, To* narrow) {
  From any_bits = 0;
  To highest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    From code;
    std::memcpy(&code, codes + i * sizeof(From), sizeof(From));
    const auto low = static_cast<To>(code);
    narrow[i] = low;
    any_bits |= code;
    highest = std::max(highest, low);
  }
  const bool fits = (any_bits >> (8 * sizeof(To))) == 0;
  return count == 0 || (fits && highest < symbols);
}

template <typename From, typename To>
Status narrow_codes(const Column& column, Store& store, std::byte* destination) {
  if constexpr (sizeof(To) >= sizeof(From)) {
    HDB_CHECK(false, "codes only become narrower");
  } else {
    const std::size_t symbols = column.domain->size();
    To piece[kNarrowedRows];
    for (std::uint64_t row = 0; row < column.rows; row += kNarrowedRows) {
      const std::uint64_t count = std::min(kNarrowedRows, column.rows - row);
      if (!narrow_piece<From, To>(column.data + row * sizeof(From), count, symbols, piece)) {
        const auto all = [](std::uint64_t) { return true; };
        return seen_code_outside_domain(column, row, count, all);
      }
      store.copy_in(destination + row * sizeof(To), std::as_bytes(std::span(piece).first(count)));
    }
  }
  return ok_status();
}

template <typename From>
Status narrow_from(const Column& column, std::uint32_t width, Store& store,
                   std::byte* destination) {
  if (width == 1) return narrow_codes<From, std::uint8_t>(column, store, destination);
  if (width == 2) return narrow_codes<From, std::uint16_t>(column, store, destination);
  HDB_CHECK(width == 4, "narrow codes are 1, 2 or 4 bytes");
  return narrow_codes<From, std::uint32_t>(column, store, destination);
}

}  // namespace

std::uint32_t narrow_width(std::size_t symbols, std::uint32_t stored_width) {
  const std::uint32_t needed = symbols <= 256 ? 1 : symbols <= 65536 ? 2 : 4;
  return std::min(needed, stored_width);
}

std::uint32_t narrow_offset_width(std::uint64_t range, std::uint32_t stored_width) {
  const std::uint32_t needed = range <= UINT8_MAX ? 1 : range <= INT16_MAX ? 2 : stored_width;
  return std::min(needed, stored_width);
}

Status copy_narrow_codes(const Column& column, std::uint32_t width, Store& store,
                         std::byte* destination) {
  HDB_CHECK(column.type == QType::kSymbol && column.domain != nullptr, "a column of symbols");
  if (column.width == 8) return narrow_from<std::uint64_t>(column, width, store, destination);
  HDB_CHECK(column.width == 4, "stored codes are 4 or 8 bytes");
  return narrow_from<std::uint32_t>(column, width, store, destination);
}

Result<Column> narrow_column(const Column& column, Store& store) {
  Column narrow;
  narrow.type = column.type;
  narrow.width = narrow_width(column.domain->size(), column.width);
  narrow.rows = column.rows;
  narrow.attribute = column.attribute;
  narrow.domain = column.domain;
  if (!column.source.empty()) narrow.source = column.source + " (narrow)";
  narrow.mapped = column.mapped;
  narrow.narrowed_from = column.bytes();

  std::vector<std::byte> index_bytes;
  if (column.rows != 0) {
    HDB_ASSIGN(const std::shared_ptr<const PartedIndex> index, parted_index(column));
    const std::uint32_t form = index_code_width(narrow.width);
    if (index != nullptr) index_bytes = encode_parted_index(*index, form, narrow.bytes());
  }
  HDB_ASSIGN(Region region, store.allocate_for(column.source, narrow.bytes() + index_bytes.size()));
  HDB_TRY(copy_narrow_codes(column, narrow.width, store, region.bytes.data()));
  const std::span<std::byte> behind = region.bytes.subspan(narrow.bytes(), index_bytes.size());
  store.copy_in(behind.data(), index_bytes);
  narrow.index_bytes = behind;
  narrow.data = region.bytes.data();
  narrow.keep_alive.push_back(std::move(region.keep_alive));
  return narrow;
}

}  // namespace hdbench
