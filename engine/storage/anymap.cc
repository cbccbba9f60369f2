#include "engine/storage/anymap.h"

#include <fmt/format.h>

#include <limits>

#include "engine/base/check.h"
#include "engine/column/element_key.h"
#include "engine/storage/byte_reader.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kHeapPageBytes = 4096;
constexpr int kFlagShift = 56;
constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kFlagShift) - 1;
constexpr int kShortTypeBias = 0x7f;
constexpr std::uint8_t kLongMark = 0xfb;
constexpr std::uint64_t kLongHeaderBytes = 16;

// What a cell claims to be, before its items are known to lie within the heap.
struct Claim {
  int kind = 0;
  std::uint64_t data = 0;
  std::int64_t count = 0;
  bool atom = false;
};

// An error about the heap's byte `at`, which is a header page further on in its file.
Error heap_error(const Column& column, std::uint64_t row, std::uint64_t at,
                 const std::string& what) {
  return data_error(
      fmt::format("{}#: byte {} (row {}): {}", column.source, kHeapPageBytes + at, row, what));
}

// `[0x7f + type][u8 n][data]`; an atom, whose type is negative, has no n.
std::optional<Claim> short_claim(Bytes heap, std::uint64_t at) {
  const auto mark = read_at<std::uint8_t>(heap, at);
  if (!mark.has_value()) return std::nullopt;
  const int type = *mark - kShortTypeBias;
  if (type < 0) return Claim{-type, at + 1, 1, true};
  const auto count = read_at<std::uint8_t>(heap, at + 1);
  if (!count.has_value()) return std::nullopt;
  return Claim{type, at + 2, *count, false};
}

// `fb 00 type attr | i32 1 | i64 n | data`.
std::optional<Claim> long_claim(Bytes heap, std::uint64_t at) {
  const auto mark = read_at<std::uint8_t>(heap, at);
  const auto type = read_at<std::int8_t>(heap, at + 2);
  const auto count = read_at<std::int64_t>(heap, at + 8);
  if (!count.has_value() || *mark != kLongMark) return std::nullopt;
  return Claim{*type, at + kLongHeaderBytes, *count, false};
}

}  // namespace

Result<NestedCell> nested_cell(const Column& column, std::uint64_t row) {
  HDB_DCHECK(column.type == QType::kNested && row < column.rows, "a row of a nested column");
  const std::byte* element = column.data + row * column.width;
  if (column.width == sizeof(NestedCell)) return load_element<NestedCell>(element);
  const auto reference = load_element<std::uint64_t>(element);
  const std::uint64_t flag = reference >> kFlagShift;
  const std::uint64_t at = reference & kOffsetMask;
  if (flag > 1) {
    return data_error(fmt::format("{}: byte {} (row {}): reference flag {}, but 0 and 1 are known",
                                  column.source, column.data_offset + row * column.width, row,
                                  flag));
  }
  if (at >= column.heap.size()) {
    return data_error(fmt::format("{}: byte {} (row {}): reference to byte {}, but {}# has {}",
                                  column.source, column.data_offset + row * column.width, row, at,
                                  column.source, column.heap.size()));
  }
  const auto claim = flag == 1 ? short_claim(column.heap, at) : long_claim(column.heap, at);
  if (!claim.has_value()) return heap_error(column, row, at, "no cell starts here");
  if (claim->kind != kSymbolCell && !is_plain_type(claim->kind)) {
    return heap_error(column, row, at,
                      fmt::format("a cell of type {}: not supported", claim->kind));
  }
  const auto kind = static_cast<std::uint8_t>(claim->kind);
  const std::uint64_t room =
      claim->data <= column.heap.size() ? column.heap.size() - claim->data : 0;
  const bool fits = claim->count >= 0 &&
                    claim->count <= std::numeric_limits<std::uint32_t>::max() &&
                    static_cast<std::uint64_t>(claim->count) <= room / cell_item_width(kind);
  if (!fits) {
    return heap_error(column, row, at,
                      fmt::format("{} items of {} bytes, but {} bytes are left", claim->count,
                                  cell_item_width(kind), room));
  }
  return NestedCell{column.heap.data() + claim->data, static_cast<std::uint32_t>(claim->count),
                    kind, claim->atom, 0};
}

}  // namespace hdbench
