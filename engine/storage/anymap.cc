#include "engine/storage/anymap.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/byte_reader.h"
#include "engine/base/check.h"
#include "engine/column/element_key.h"
#include "engine/column/format_value.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kHeapPageBytes = 4096;
constexpr int kFlagShift = 56;
constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kFlagShift) - 1;
constexpr int kShortTypeBias = 0x7f;
// No type's short mark, so that it is the long one whatever a reference's flag says.
constexpr std::uint8_t kLongMark = 0xfb;
constexpr std::uint64_t kLongHeaderBytes = 16;
constexpr std::uint32_t kReferenceBytes = 8;

constexpr int kList = 0;
constexpr int kTable = 98;
constexpr int kDictionary = 99;
constexpr int kFirstFunction = 100;
constexpr int kLastFunction = 112;

constexpr std::size_t kShownBytesMax = 1024;
constexpr int kShownDepthMax = 16;

// What a cell claims to be; read_claim() has its items lie within the heap.
struct Claim {
  int kind = 0;
  std::uint64_t data = 0;
  std::int64_t count = 0;
  bool atom = false;
};

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
  const auto type = read_at<std::int8_t>(heap, at + 2);
  const auto count = read_at<std::int64_t>(heap, at + 8);
  if (!count.has_value()) return std::nullopt;
  return Claim{*type, at + kLongHeaderBytes, *count, false};
}

bool has_items(int kind) { return kind == kSymbolCell || is_plain_type(kind); }

// What is not looked into. "" for what q does not have.
std::string_view opaque_text(int kind) {
  if (kind == kTable) return "(table)";
  if (kind == kDictionary) return "(dict)";
  return kind >= kFirstFunction && kind <= kLastFunction ? "(function)" : "";
}

// A number's type where q's list of it says so; floats only where no digit does.
std::string_view suffix_of(QType type, std::string_view shown) {
  switch (type) {
    case QType::kBoolean: return "b";
    case QType::kShort: return "h";
    case QType::kInt: return "i";
    case QType::kReal: return "e";
    case QType::kFloat: return shown.find_first_of(".ewn") == std::string_view::npos ? "f" : "";
    default: return "";
  }
}

// One column's cells, as a row's reference leads to them.
class CellReader {
 public:
  CellReader(const Column& column, std::uint64_t row) : column_(column), row_(row) {}

  Result<NestedCell> read(std::uint64_t reference) const {
    HDB_ASSIGN(const Claim claim, read_claim(reference));
    if (has_items(claim.kind)) {
      return NestedCell{column_.heap.data() + claim.data, static_cast<std::uint32_t>(claim.count),
                        static_cast<std::uint8_t>(claim.kind), claim.atom, 0};
    }
    std::string text;
    HDB_TRY(show(claim, 0, text));
    if (column_.texts == nullptr)
      return shown(claim.kind, claim.kind == kList ? "(list)" : opaque_text(claim.kind));
    return shown(claim.kind, column_.texts->keep(std::move(text)));
  }

 private:
  static NestedCell shown(int kind, std::string_view text) {
    return {reinterpret_cast<const std::byte*>(text.data()),
            static_cast<std::uint32_t>(text.size()), kShownCell, false,
            static_cast<std::uint16_t>(kind)};
  }

  Error reference_error(const std::string& what) const {
    return data_error(fmt::format("{}: byte {} (row {}): {}", column_.source,
                                  column_.data_offset + row_ * column_.width, row_, what));
  }
  // An error about the heap's byte `at`, which is a header page further on in its file.
  Error heap_error(std::uint64_t at, const std::string& what) const {
    return data_error(
        fmt::format("{}#: byte {} (row {}): {}", column_.source, kHeapPageBytes + at, row_, what));
  }

  Result<Claim> read_claim(std::uint64_t reference) const {
    const std::uint64_t flag = reference >> kFlagShift;
    const std::uint64_t at = reference & kOffsetMask;
    if (flag > 1) {
      return reference_error(fmt::format("reference flag {}, but 0 and 1 are known", flag));
    }
    if (at >= column_.heap.size()) {
      return reference_error(fmt::format("reference to byte {}, but {}# has {}", at, column_.source,
                                         column_.heap.size()));
    }
    const bool is_long = read_at<std::uint8_t>(column_.heap, at) == kLongMark;
    std::optional<Claim> claim;
    if (is_long) claim = long_claim(column_.heap, at);
    if (!is_long && flag == 1) claim = short_claim(column_.heap, at);
    if (!claim.has_value()) return heap_error(at, "no cell starts here");
    if (!opaque_text(claim->kind).empty()) return *claim;
    if (claim->kind != kList && !has_items(claim->kind)) {
      return heap_error(at, fmt::format("a cell of type {}: not supported", claim->kind));
    }
    const std::uint32_t width = claim->kind == kList
                                    ? kReferenceBytes
                                    : cell_item_width(static_cast<std::uint8_t>(claim->kind));
    const std::uint64_t room =
        claim->data <= column_.heap.size() ? column_.heap.size() - claim->data : 0;
    const bool fits = claim->count >= 0 &&
                      claim->count <= std::numeric_limits<std::uint32_t>::max() &&
                      static_cast<std::uint64_t>(claim->count) <= room / width;
    if (fits) return *claim;
    return heap_error(
        at, fmt::format("{} items of {} bytes, but {} bytes are left", claim->count, width, room));
  }

  // As q's -3! writes it.
  Status show(const Claim& claim, int depth, std::string& out) const {
    if (has_items(claim.kind)) {
      show_items(claim, out);
      return ok_status();
    }
    if (claim.kind != kList || depth == kShownDepthMax) {
      out += claim.kind == kList ? "(list)" : opaque_text(claim.kind);
      return ok_status();
    }
    out += claim.count == 1 ? "," : "(";
    for (std::int64_t item = 0; item < claim.count; ++item) {
      if (item > 0) out += ';';
      if (out.size() > kShownBytesMax) {
        out += "..";
        break;
      }
      const std::uint64_t at = claim.data + static_cast<std::uint64_t>(item) * kReferenceBytes;
      HDB_ASSIGN(const Claim inner, read_claim(load_at<std::uint64_t>(column_.heap, at)));
      HDB_TRY(show(inner, depth + 1, out));
    }
    if (claim.count != 1) out += ')';
    return ok_status();
  }

  void show_items(const Claim& claim, std::string& out) const {
    const auto type = static_cast<QType>(claim.kind);
    if (claim.count == 1 && !claim.atom) out += ',';
    if (type == QType::kChar) return show_text(claim, out);
    const bool symbols = claim.kind == kSymbolCell;
    if (claim.count == 0) {
      out += fmt::format("`{}$()", symbols ? "symbol" : type_name(type));
      return;
    }
    const bool is_joined = symbols || type == QType::kBoolean || type == QType::kByte;
    const std::uint32_t width = cell_item_width(static_cast<std::uint8_t>(claim.kind));
    const std::size_t begin = out.size();
    if (type == QType::kByte) out += "0x";
    for (std::int64_t item = 0; item < claim.count && out.size() <= kShownBytesMax; ++item) {
      if (item > 0 && !is_joined) out += ' ';
      if (symbols) out += '`';
      const std::size_t item_begin = out.size();
      const std::uint64_t at = claim.data + static_cast<std::uint64_t>(item) * width;
      append_value(out, symbols ? QType::kSymbol : type, width, column_.heap.data() + at,
                   column_.domain.get());
      if (!symbols && out.size() == item_begin) out += is_floating(type) ? "0n" : "0N";
    }
    if (!symbols) out += suffix_of(type, std::string_view(out).substr(begin));
  }

  void show_text(const Claim& claim, std::string& out) const {
    out += '"';
    const auto* const text = reinterpret_cast<const char*>(column_.heap.data() + claim.data);
    for (std::int64_t i = 0; i < claim.count && out.size() <= kShownBytesMax; ++i) {
      if (text[i] == '"' || text[i] == '\\') out += '\\';
      out += text[i];
    }
    out += '"';
  }

  const Column& column_;
  std::uint64_t row_;
};

// A mapped vector's: from the row before's end to its own.
Result<NestedCell> mapped_cell(const Column& column, std::uint64_t row) {
  const std::byte* const element = column.data + row * column.width;
  const auto end = load_element<std::int64_t>(element);
  const auto begin = row == 0 ? 0 : load_element<std::int64_t>(element - column.width);
  const std::uint32_t width = cell_item_width(column.item_type);
  const auto items = static_cast<std::int64_t>(column.heap.size() / width);
  if (begin < 0 || end < begin || end > items ||
      end - begin > std::numeric_limits<std::uint32_t>::max()) {
    return data_error(fmt::format(
        "{}: byte {} (row {}): items {} to {}, but {}# has {} of {} bytes", column.source,
        column.data_offset + row * column.width, row, begin, end, column.source, items, width));
  }
  return NestedCell{column.heap.data() + begin * width, static_cast<std::uint32_t>(end - begin),
                    column.item_type, false, 0};
}

}  // namespace

Result<NestedCell> nested_cell(const Column& column, std::uint64_t row) {
  HDB_DCHECK(column.type == QType::kNested && row < column.rows, "a row of a nested column");
  const std::byte* element = column.data + row * column.width;
  if (column.width == sizeof(NestedCell)) return load_element<NestedCell>(element);
  if (column.item_type != 0) return mapped_cell(column, row);
  return CellReader(column, row).read(load_element<std::uint64_t>(element));
}

}  // namespace hdbench
