#include "engine/storage/narrow_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/column/column_error.h"
#include "engine/storage/parted_index.h"

namespace hdbench {
namespace {

// What a store copies in at once: at most 128 KiB, still in a near cache.
constexpr std::uint64_t kCodesAtOnce = 16384;

// Whether all of these codes are stored symbols'.
template <typename From>
bool all_stored(const std::byte* codes, std::size_t count, std::uint64_t symbols) {
  From highest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    From code;
    std::memcpy(&code, codes + i * sizeof(From), sizeof(From));
    highest = std::max(highest, code);
  }
  return count == 0 || highest < symbols;
}

// One plain loop, for the compiler to make vectors of: every baseline has a vector `or`, and a
// maximum of the narrow type, but not one of 64 bits. True when all codes are below `symbols`.
template <typename From, typename To>
bool copy_piece(const std::byte* codes, std::size_t count, std::uint64_t symbols, To* copies) {
  From any_bits = 0;
  To highest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    From code;
    std::memcpy(&code, codes + i * sizeof(From), sizeof(From));
    const auto low = static_cast<To>(code);
    copies[i] = low;
    any_bits |= code;
    highest = std::max(highest, low);
  }
  bool fits = true;
  if constexpr (sizeof(To) < sizeof(From)) fits = (any_bits >> (8 * sizeof(To))) == 0;
  return count == 0 || (fits && highest < symbols);
}

// What becomes of codes outside the domain: nulls that are counted; else, where they are kept, what
// they are (whoever reads one tells it); else an error.
struct Outside {
  OutsideCodes* counted = nullptr;
  bool is_kept = false;
};

// One column's codes on their way.
template <typename From, typename To>
class CodeCopy {
 public:
  CodeCopy(const Column& column, const Outside& outside)
      : column_(column), outside_(outside.counted), keeps_outside_(outside.is_kept) {}

  Result<CopiedNulls> run(Store& store, std::byte* destination) {
    const std::uint64_t symbols = column_.domain->stored_size();
    std::vector<To> piece(std::min(kCodesAtOnce, column_.rows));
    for (std::uint64_t row = 0; row < column_.rows; row += kCodesAtOnce) {
      const auto count = static_cast<std::size_t>(std::min(kCodesAtOnce, column_.rows - row));
      const std::byte* const codes = column_.data + row * sizeof(From);
      if (!copy_piece<From, To>(codes, count, symbols, piece.data())) {
        HDB_TRY(map_piece(row, count, piece.data()));
      }
      store.copy_in(destination + row * sizeof(To), std::as_bytes(std::span(piece).first(count)));
    }
    if (outside_count_ != 0) outside_->add(column_.source, outside_count_, first_outside_);
    if (!any_nulls_) return CopiedNulls::kNone;
    const bool fit = column_.domain->null_code() <= std::numeric_limits<To>::max();
    return fit ? CopiedNulls::kSome : CopiedNulls::kTooWide;
  }

 private:
  static constexpr From kNull = From{1} << (8 * sizeof(From) - 1);

  Status map_piece(std::uint64_t first, std::size_t count, To* copies) {
    const auto null = static_cast<To>(column_.domain->null_code());
    for (std::size_t i = 0; i < count; ++i) {
      From code;
      std::memcpy(&code, column_.data + (first + i) * sizeof(From), sizeof(From));
      if (code < column_.code_bound()) {
        copies[i] = static_cast<To>(code);
        any_nulls_ |= code >= column_.domain->stored_size();
        continue;
      }
      if (code != kNull && keeps_outside_ && code >= column_.domain->size()) {
        copies[i] = static_cast<To>(code);
        continue;
      }
      if (code != kNull) {
        const Error error =
            code_outside_domain(column_, first + i, static_cast<std::make_signed_t<From>>(code));
        if (outside_ == nullptr) return error;
        if (outside_count_++ == 0) first_outside_ = error.message;
      }
      copies[i] = null;
      any_nulls_ = true;
    }
    return ok_status();
  }

  const Column& column_;
  OutsideCodes* outside_;
  bool keeps_outside_;
  bool any_nulls_ = false;
  std::uint64_t outside_count_ = 0;
  std::string first_outside_;
};

template <typename From>
Result<CopiedNulls> copy_from(const Column& column, std::uint32_t width, Store& store,
                              std::byte* destination, const Outside& outside) {
  switch (width) {
    case 1: return CodeCopy<From, std::uint8_t>(column, outside).run(store, destination);
    case 2: return CodeCopy<From, std::uint16_t>(column, outside).run(store, destination);
    case 4: return CodeCopy<From, std::uint32_t>(column, outside).run(store, destination);
    default: return CodeCopy<From, std::uint64_t>(column, outside).run(store, destination);
  }
}

Result<CopiedNulls> copy_all(const Column& column, std::uint32_t width, Store& store,
                             std::byte* destination, const Outside& outside) {
  HDB_CHECK(column.type == QType::kSymbol && column.domain != nullptr, "a column of symbols");
  if (column.width == 8)
    return copy_from<std::uint64_t>(column, width, store, destination, outside);
  HDB_CHECK(column.width == 4, "stored codes are 4 or 8 bytes");
  return copy_from<std::uint32_t>(column, width, store, destination, outside);
}

// The column's codes at this width and its index in one region. Nothing: nulls do not fit.
Result<std::optional<Column>> copied_column(const Column& column, std::uint32_t width, Store& store,
                                            const Outside& outside) {
  Column copy;
  copy.type = column.type;
  copy.width = width;
  copy.rows = column.rows;
  copy.attribute = column.attribute;
  copy.domain = column.domain;
  copy.source = column.source;

  std::vector<std::byte> index_bytes;
  if (column.rows != 0) {
    HDB_ASSIGN(const std::shared_ptr<const PartedIndex> index,
               parted_index_of_copy(column, outside.counted != nullptr));
    if (index != nullptr) {
      index_bytes = encode_parted_index(*index, index_code_width(width), copy.bytes());
    } else if (copy.attribute == Attribute::kParted) {
      copy.attribute = Attribute::kNone;
    }
  }
  HDB_ASSIGN(Region region, store.allocate_for(column.source, copy.bytes() + index_bytes.size()));
  HDB_ASSIGN(const CopiedNulls nulls, copy_all(column, width, store, region.bytes.data(), outside));
  if (nulls == CopiedNulls::kTooWide) return std::optional<Column>();
  copy.has_null_codes = nulls == CopiedNulls::kSome;
  const std::span<std::byte> behind = region.bytes.subspan(copy.bytes(), index_bytes.size());
  store.copy_in(behind.data(), index_bytes);
  copy.index_bytes = behind;
  copy.data = region.bytes.data();
  copy.keep_alive.push_back(std::move(region.keep_alive));
  return std::optional(std::move(copy));
}

}  // namespace

void OutsideCodes::add(const std::string& file, std::uint64_t count, const std::string& message) {
  const std::lock_guard lock(mutex_);
  files_[file] = {count, message};
}

std::string OutsideCodes::line() const {
  const std::lock_guard lock(mutex_);
  if (files_.empty()) return {};
  std::uint64_t count = 0;
  for (const auto& [file, in_file] : files_) count += in_file.count;
  return fmt::format("{} symbol{} beyond the domain read as the empty one, in {} file{}; first: {}",
                     count, count == 1 ? "" : "s", files_.size(), files_.size() == 1 ? "" : "s",
                     files_.begin()->second.message);
}

std::uint32_t narrow_width(std::size_t symbols, std::uint32_t stored_width) {
  const std::uint32_t needed = symbols <= 256 ? 1 : symbols <= 65536 ? 2 : 4;
  return std::min(needed, stored_width);
}

std::uint32_t narrow_offset_width(std::uint64_t range, std::uint32_t stored_width) {
  const std::uint32_t needed = range <= UINT8_MAX ? 1 : range <= INT16_MAX ? 2 : stored_width;
  return std::min(needed, stored_width);
}

Result<CopiedNulls> copy_codes(const Column& column, std::uint32_t width, Store& store,
                               std::byte* destination, OutsideCodes* outside) {
  return copy_all(column, width, store, destination, {outside});
}

Result<Column> narrow_column(const Column& column, Store& store, OutsideCodes* outside) {
  std::uint32_t width = narrow_width(column.domain->stored_size(), column.width);
  HDB_CHECK(width < column.width, "codes become narrower");
  HDB_ASSIGN(std::optional<Column> narrow, copied_column(column, width, store, {outside}));
  if (!narrow) {
    width = narrow_width(column.domain->size(), column.width);
    HDB_ASSIGN(narrow, copied_column(column, width, store, {outside}));
    HDB_CHECK(narrow.has_value(), "the width is that of all symbols");
  }
  if (!column.source.empty()) narrow->source = column.source + " (narrow)";
  narrow->mapped = column.mapped;
  narrow->narrowed_from = width < column.width ? column.bytes() : 0;
  return std::move(*narrow);
}

bool has_only_stored_symbols(const Column& column) {
  const std::uint64_t symbols = column.domain->stored_size();
  switch (column.width) {
    case 1: return all_stored<std::uint8_t>(column.data, column.rows, symbols);
    case 2: return all_stored<std::uint16_t>(column.data, column.rows, symbols);
    case 4: return all_stored<std::uint32_t>(column.data, column.rows, symbols);
    default: return all_stored<std::uint64_t>(column.data, column.rows, symbols);
  }
}

Result<Column> mended_column(Column column, Store& store, OutsideCodes* outside) {
  if (has_only_stored_symbols(column)) return column;
  HDB_ASSIGN(std::optional<Column> mended,
             copied_column(column, column.width, store, {outside, outside == nullptr}));
  HDB_CHECK(mended.has_value(), "stored codes have space for a null");
  mended->source = column.source + " (nulls mapped)";
  mended->data_offset = column.data_offset;
  return std::move(*mended);
}

}  // namespace hdbench
