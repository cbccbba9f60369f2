#include "engine/storage/anymap.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/column/column_error.h"
#include "engine/column/format_value.h"
#include "engine/storage/saved_object.h"

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
constexpr std::uint32_t kSymbolBytes = 4;

constexpr int kList = 0;
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

bool has_items(int kind) { return kind == kSymbolsType || is_plain_type(kind); }

// Of an item in the heap.
std::uint32_t stored_width(int kind) {
  if (kind == kList) return kReferenceBytes;
  return kind == kSymbolsType ? kSymbolBytes : type_width(static_cast<QType>(kind));
}

// One column's cells, as a row's reference leads to them.
class CellReader {
 public:
  CellReader(const Column& column, std::uint64_t row) : column_(column), row_(row) {}

  Result<NestedCell> read(std::uint64_t reference) const {
    HDB_ASSIGN(const Claim claim, read_claim(reference));
    if (is_plain_type(claim.kind)) return cell_of(claim, column_.heap.subspan(claim.data));
    std::string text;
    if (claim.kind == kSymbolsType) {
      HDB_ASSIGN(text, read_symbols(claim));
    } else {
      HDB_TRY(show(claim, 0, text));
    }
    HDB_CHECK(column_.texts != nullptr, "a column with references keeps texts");
    const std::string_view kept = column_.texts->keep(std::move(text));
    NestedCell cell = text_cell(claim, kept);
    if (claim.kind != kSymbolsType) {
      cell.kind = kShownCell;
      cell.shown_type = static_cast<std::uint16_t>(claim.kind);
    }
    return cell;
  }

  // The places of what a list holds; a list within itself is found by its reference.
  Result<Claim> read_claim(std::uint64_t reference) const {
    const std::uint64_t flag = reference >> kFlagShift;
    const std::uint64_t at = reference & kOffsetMask;
    if (flag > 1) {
      return row_error(column_, row_,
                       fmt::format("reference flag {}, but 0 and 1 are known", flag));
    }
    if (at >= column_.heap.size()) {
      return row_error(column_, row_,
                       fmt::format("reference to byte {}, but {}# has {}", at, column_.source,
                                   column_.heap.size()));
    }
    const bool is_long = read_at<std::uint8_t>(column_.heap, at) == kLongMark;
    std::optional<Claim> claim;
    if (is_long) claim = long_claim(column_.heap, at);
    if (!is_long && flag == 1) claim = short_claim(column_.heap, at);
    if (!claim.has_value()) return heap_error(at, "no cell starts here");
    if (claim->kind != kList && !opaque_text(claim->kind).empty()) return *claim;
    if (claim->kind != kList && !has_items(claim->kind)) {
      return heap_error(at, fmt::format("a cell of type {}: not supported", claim->kind));
    }
    const std::uint32_t width = stored_width(claim->kind);
    const std::uint64_t room =
        claim->data <= column_.heap.size() ? column_.heap.size() - claim->data : 0;
    const bool fits = claim->count >= 0 &&
                      claim->count <= std::numeric_limits<std::uint32_t>::max() &&
                      static_cast<std::uint64_t>(claim->count) <= room / width;
    if (fits) return *claim;
    return heap_error(
        at, fmt::format("{} items of {} bytes, but {} bytes are left", claim->count, width, room));
  }

  // The reference of a list's item.
  std::uint64_t reference_at(const Claim& list, std::uint64_t item) const {
    return load_at<std::uint64_t>(column_.heap, list.data + item * kReferenceBytes);
  }

  // Texts of symbols as a NestedCell has them.
  Result<std::string> read_symbols(const Claim& claim) const {
    std::string texts;
    const std::size_t symbols = column_.domain != nullptr ? column_.domain->stored_size() : 0;
    for (std::int64_t item = 0; item < claim.count; ++item) {
      const std::uint64_t at = claim.data + static_cast<std::uint64_t>(item) * kSymbolBytes;
      const auto code = load_at<std::uint32_t>(column_.heap, at);
      if (code >= symbols) {
        return heap_error(
            at, fmt::format("index {}, but {}## has {} symbols", code, column_.source, symbols));
      }
      texts += column_.domain->text(code);
      texts += '\0';
      if (texts.size() > std::numeric_limits<std::uint32_t>::max()) {
        return heap_error(at, "symbols of more than 4 GiB in a cell: not supported");
      }
    }
    return texts;
  }

  // An error about the heap's byte `at`, which is a header page further on in its file.
  Error heap_error(std::uint64_t at, const std::string& what) const {
    return data_error(
        fmt::format("{}#: byte {} (row {}): {}", column_.source, kHeapPageBytes + at, row_, what));
  }

 private:
  static NestedCell cell_of(const Claim& claim, Bytes items) {
    return {items.data(), static_cast<std::uint32_t>(claim.count),
            static_cast<std::uint8_t>(claim.kind), claim.atom, 0};
  }
  static NestedCell text_cell(const Claim& claim, std::string_view text) {
    NestedCell cell = cell_of(claim, std::as_bytes(std::span(text)));
    cell.count = static_cast<std::uint32_t>(text.size());
    return cell;
  }

  // As q's -3! writes it.
  Status show(const Claim& claim, int depth, std::string& out) const {
    if (claim.kind == kSymbolsType) {
      HDB_ASSIGN(const std::string texts, read_symbols(claim));
      append_literal(out, text_cell(claim, texts), Digits::kAll, kShownBytesMax);
      return ok_status();
    }
    if (is_plain_type(claim.kind)) {
      const NestedCell cell = cell_of(claim, column_.heap.subspan(claim.data));
      append_literal(out, cell, Digits::kAll, kShownBytesMax);
      return ok_status();
    }
    if (claim.kind != kList || depth == kShownDepthMax) {
      out += opaque_text(claim.kind);
      return ok_status();
    }
    out += claim.count == 1 ? "," : "(";
    for (std::int64_t item = 0; item < claim.count; ++item) {
      if (item > 0) out += ';';
      if (out.size() > kShownBytesMax) {
        out += "..";
        break;
      }
      HDB_ASSIGN(const Claim inner,
                 read_claim(reference_at(claim, static_cast<std::uint64_t>(item))));
      HDB_TRY(show(inner, depth + 1, out));
    }
    if (claim.count != 1) out += ')';
    return ok_status();
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
    return row_error(column, row,
                     fmt::format("items {} to {}, but {}# has {} of {} bytes", begin, end,
                                 column.source, items, width));
  }
  return NestedCell{column.heap.data() + begin * width, static_cast<std::uint32_t>(end - begin),
                    column.item_type, false, 0};
}

struct OpenList {
  std::uint64_t reference = 0;
  Claim claim;
  std::uint64_t next = 0;
};

// Goes through all that a reference leads to. `lists`: those that were gone through, and whether
// one is open: what it holds is being looked at.
Status walk_lists(const CellReader& reader, std::uint64_t first,
                  std::unordered_map<std::uint64_t, bool>& lists) {
  std::vector<OpenList> path;
  const auto look_at = [&](std::uint64_t reference) -> Status {
    HDB_ASSIGN(const Claim claim, reader.read_claim(reference));
    if (claim.kind == kSymbolsType) HDB_TRY(reader.read_symbols(claim));
    if (claim.kind != kList) return ok_status();
    const auto [list, is_new] = lists.try_emplace(reference, true);
    if (is_new) path.push_back({reference, claim});
    if (is_new || !list->second) return ok_status();
    return reader.heap_error(reference & kOffsetMask, "a list that holds itself");
  };
  HDB_TRY(look_at(first));
  while (!path.empty()) {
    OpenList& list = path.back();
    if (list.next < static_cast<std::uint64_t>(list.claim.count)) {
      HDB_TRY(look_at(reader.reference_at(list.claim, list.next++)));
    } else {
      lists[list.reference] = false;
      path.pop_back();
    }
  }
  return ok_status();
}

}  // namespace

std::string_view opaque_text(int kind) {
  if (kind == kList) return "(list)";
  if (kind == kTableType) return "(table)";
  if (kind == kDictionaryType) return "(dict)";
  return kind >= kFirstFunction && kind <= kLastFunction ? "(function)" : "";
}

Result<NestedCell> nested_cell(const Column& column, std::uint64_t row) {
  HDB_DCHECK(column.type == QType::kNested && row < column.rows, "a row of a nested column");
  const std::byte* element = column.data + row * column.width;
  if (column.width == sizeof(NestedCell)) return load_element<NestedCell>(element);
  if (column.item_type != 0) return mapped_cell(column, row);
  return CellReader(column, row).read(load_element<std::uint64_t>(element));
}

Status CellChecker::check(std::uint64_t row) {
  if (column_.width == sizeof(NestedCell) || column_.item_type != 0) {
    HDB_TRY(nested_cell(column_, row));
    return ok_status();
  }
  const auto first = load_element<std::uint64_t>(column_.data + row * column_.width);
  const Status walked = walk_lists(CellReader(column_, row), first, lists_);
  // What has an error is looked at again from the next row that leads there.
  if (!walked.ok()) std::erase_if(lists_, [](const auto& list) { return list.second; });
  return walked;
}

}  // namespace hdbench
