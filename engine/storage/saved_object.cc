#include "engine/storage/saved_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "engine/storage/column_file.h"
#include "engine/storage/plain_file.h"

namespace hdbench {
namespace {

constexpr int kFirstEnumeration = 20;
constexpr int kFirstMapped = 77;
constexpr int kLambda = 100;
constexpr int kFirstOfOneByte = 101;
constexpr int kLastOfOneByte = 103;
constexpr int kProjection = 104;
constexpr int kComposition = 105;
constexpr int kLastDerived = 111;
constexpr int kSortedDictionary = 127;
constexpr std::uint64_t kFirstByte = 2;  // of the object, behind `ff 01`

bool has_elements(int type) { return is_plain_type(std::abs(type)); }

}  // namespace

Error ObjectReader::error(std::uint64_t at, const std::string& what) const {
  return data_error(fmt::format("{}: byte {}: {}", source_, at, what));
}

Result<Bytes> ObjectReader::take(std::uint64_t bytes) {
  if (!within_bounds(at_, bytes, bytes_.size())) {
    return error(at_, fmt::format("{} bytes of an object are expected, but {} are left", bytes,
                                  bytes_.size() - std::min<std::uint64_t>(at_, bytes_.size())));
  }
  const Bytes taken = bytes_.subspan(at_, bytes);
  at_ += bytes;
  return taken;
}

// A count of items that take at least so many bytes each.
Result<std::uint64_t> ObjectReader::take_count(std::uint64_t least_bytes) {
  const std::uint64_t begin = at_;
  HDB_ASSIGN(const Bytes bytes, take(sizeof(std::int32_t)));
  const auto count = load_at<std::int32_t>(bytes, 0);
  const std::uint64_t left = bytes_.size() - at_;
  if (count < 0 || static_cast<std::uint64_t>(count) > left / least_bytes) {
    return error(begin, fmt::format("a count of {}, but {} bytes are left", count, left));
  }
  return static_cast<std::uint64_t>(count);
}

Status ObjectReader::take_attribute(ObjectHead& head) {
  HDB_ASSIGN(const Bytes byte, take(1));
  const auto attribute = load_at<std::uint8_t>(byte, 0);
  if (attribute > static_cast<int>(Attribute::kGrouped)) {
    return error(at_ - 1, fmt::format("attribute {}, but 0 to 4 are known", attribute));
  }
  head.attribute = static_cast<Attribute>(attribute);
  return ok_status();
}

Status ObjectReader::take_symbols(ObjectHead& head) {
  const std::uint64_t begin = at_;
  for (std::uint64_t symbol = 0; symbol < head.count; ++symbol) {
    const std::size_t end = as_text(bytes_).find('\0', at_);
    if (end == std::string_view::npos) return error(at_, "a symbol that no NUL ends");
    at_ = end + 1;
  }
  head.items = bytes_.subspan(begin, at_ - begin);
  return ok_status();
}

Status ObjectReader::take_elements(ObjectHead& head, int type) {
  if (type == kSymbolsType) return take_symbols(head);
  HDB_ASSIGN(head.items, take(head.count * type_width(static_cast<QType>(type))));
  return ok_status();
}

Status ObjectReader::take_function(ObjectHead& head) {
  if (head.type == kLambda) {
    head.count = 1;
    HDB_TRY(take_symbols(head));  // its namespace; the text follows
    head.inside = 1;
  } else if (head.type >= kFirstOfOneByte && head.type <= kLastOfOneByte) {
    HDB_ASSIGN(head.items, take(1));
  } else if (head.type == kProjection || head.type == kComposition) {
    HDB_ASSIGN(head.inside, take_count(1));
  } else {
    head.inside = 1;  // a function with an iterator
  }
  return ok_status();
}

Result<ObjectHead> ObjectReader::next() {
  ObjectHead head;
  head.at = at_;
  HDB_ASSIGN(const Bytes byte, take(1));
  head.type = load_at<std::int8_t>(byte, 0);
  if (head.type == kSortedDictionary) head.type = kDictionaryType;
  const int type = std::abs(head.type);
  if (head.is_atom() && (type == kSymbolsType || has_elements(type))) {
    head.count = 1;
    HDB_TRY(take_elements(head, type));
  } else if (head.type == kSymbolsType || has_elements(head.type)) {
    HDB_TRY(take_attribute(head));
    HDB_ASSIGN(head.count,
               take_count(type == kSymbolsType ? 1 : type_width(static_cast<QType>(type))));
    HDB_TRY(take_elements(head, type));
  } else if (head.type == 0) {
    HDB_TRY(take_attribute(head));
    HDB_ASSIGN(head.count, take_count(1));
    head.inside = head.count;
  } else if (head.type == kTableType) {
    HDB_TRY(take_attribute(head));
    head.inside = 1;  // the dictionary of its columns
  } else if (head.type == kDictionaryType) {
    head.inside = 2;
  } else if (head.type >= kLambda && head.type <= kLastDerived) {
    HDB_TRY(take_function(head));
  } else {
    Error unknown = error(head.at, fmt::format("an object of type {}: not supported", head.type));
    unknown.unsupported = head.type >= kFirstEnumeration && head.type < kFirstMapped;
    return unknown;
  }
  return head;
}

Status ObjectReader::skip(std::uint64_t objects) {
  for (; objects > 0; --objects) {
    HDB_ASSIGN(const ObjectHead head, next());
    objects += head.inside;
  }
  return ok_status();
}

std::vector<std::string_view> symbol_texts(const ObjectHead& symbols) {
  std::vector<std::string_view> texts;
  texts.reserve(symbols.count);
  std::string_view rest = as_text(symbols.items);
  while (!rest.empty()) {
    texts.push_back(rest.substr(0, rest.find('\0')));
    rest.remove_prefix(texts.back().size() + 1);
  }
  return texts;
}

std::optional<SavedSummary> summarize_saved(const std::filesystem::path& path) {
  const auto beginning = read_plain_beginning(path);
  if (!beginning.ok()) {
    return SavedSummary{SavedKind::kUnreadable, beginning.error().message};
  }
  const Bytes bytes = beginning->bytes;
  const auto type = read_at<std::int8_t>(bytes, kFirstByte);
  if (type.has_value() && starts_with(bytes, "\xff\x01")) {
    SavedSummary summary{SavedKind::kOther, object_name(*type)};
    const bool is_dictionary = *type == kDictionaryType || *type == kSortedDictionary;
    if (*type == kSymbolsType) summary.kind = SavedKind::kSymbolList;
    if (*type == kTableType) summary.kind = SavedKind::kTable;
    if (is_dictionary && read_at<std::int8_t>(bytes, kFirstByte + 1) == kTableType) {
      summary = {SavedKind::kKeyedTable, "a keyed table"};
    }
    return summary;
  }
  const auto header = parse_column_header(bytes, path.string());
  if (!header.ok()) return std::nullopt;
  return SavedSummary{SavedKind::kOther, header->type == QType::kSymbol
                                             ? "an enumeration"
                                             : object_name(static_cast<int>(header->type))};
}

Result<std::map<std::string, SavedSummary>> list_saved(const std::filesystem::path& root) {
  std::map<std::string, SavedSummary> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(root, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    std::error_code ignored;
    const bool is_loaded =
        name.find('.') == name.npos && name.back() != '$' && entry->is_regular_file(ignored);
    if (!is_loaded) continue;
    auto summary = summarize_saved(entry->path());
    if (summary.has_value()) found.emplace(std::move(name), std::move(*summary));
  }
  if (error) return data_error(fmt::format("{}: {}", root.string(), error.message()));
  return found;
}

}  // namespace hdbench
