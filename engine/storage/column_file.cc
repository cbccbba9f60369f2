#include "engine/storage/column_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>

#include "engine/storage/plain_file.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kObjectHeaderBytes = 8;
constexpr std::uint64_t kNarrowHeaderBytes = 24;
constexpr std::uint64_t kPageTrailer = 4080;
constexpr int kAnymapType = 0x4d;
// A mapped vector of vectors of type t has type 77 + t.
constexpr int kMappedBias = 77;

// One file's header bytes, with the name that messages give it.
class HeaderReader {
 public:
  HeaderReader(Bytes bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  Result<ColumnHeader> parse() const {
    if (bytes_.empty()) return data_error(source_ + ": empty, but a column has a header");
    const auto first = load_at<std::uint8_t>(bytes_, 0);
    const auto second = read_at<std::uint8_t>(bytes_, 1).value_or(0);
    if (first == 0xff && second == 0x01) return object();
    if (first == 0xff && second == 0x20) return vector_of_kdb2();
    if (first == 0xfe && second == 0x20) return vector();
    if (first == 0xfd && second == 0x20) return page();
    if (first == 0xfe) return narrow_enumeration();
    return data_error(fmt::format("{}: byte 0: {:02x} {:02x}, which no known column starts with",
                                  source_, first, second));
  }

 private:
  Status require(std::uint64_t bytes) const {
    if (bytes_.size() >= bytes) return ok_status();
    return data_error(
        fmt::format("{}: {} bytes, but the header alone takes {}", source_, bytes_.size(), bytes));
  }

  Status set_attribute(ColumnHeader& header, std::uint64_t at, int attribute) const {
    if (attribute < 0 || attribute > static_cast<int>(Attribute::kGrouped)) {
      return data_error(
          fmt::format("{}: byte {}: attribute {}, but 0 to 4 are known", source_, at, attribute));
    }
    header.attribute = static_cast<Attribute>(attribute);
    return ok_status();
  }

  Status set_type(ColumnHeader& header, std::uint64_t at, int type) const {
    if (!is_plain_type(type)) {
      // The numbers of enumerations are kdb+'s; no column has another type.
      std::string message =
          fmt::format("{}: byte {}: type {}, which no supported column has", source_, at, type);
      const bool is_written = type >= kEnumerationType && type < kMappedBias;
      return is_written ? unsupported_error(std::move(message)) : data_error(std::move(message));
    }
    header.type = static_cast<QType>(type);
    header.width = type_width(header.type);
    return ok_status();
  }

  // Of containers whose data may be end positions, too.
  Status set_vector_type(ColumnHeader& header, std::uint64_t at, int type) const {
    const int item = type - kMappedBias;
    if (item <= 0 || item > kEnumerationType) return set_type(header, at, type);
    if (item == kSymbolsType || item == kEnumerationType) {
      return unsupported_error(
          fmt::format("{}: byte {}: type {}, lists of symbols: not supported", source_, at, type));
    }
    if (!is_plain_type(item)) return set_type(header, at, type);
    header.type = QType::kNested;
    header.item_type = static_cast<std::uint8_t>(item);
    return ok_status();
  }

  Status set_count(ColumnHeader& header, std::uint64_t at, std::int64_t count) const {
    if (count < 0) {
      return data_error(fmt::format("{}: byte {}: a count of {} rows", source_, at, count));
    }
    header.count = count;
    return ok_status();
  }

  Status set_domain(ColumnHeader& header, std::uint64_t at, std::uint64_t room) const {
    const std::string_view padded = as_text(bytes_.subspan(at, room));
    const std::string_view name = padded.substr(0, padded.find('\0'));
    const bool printable =
        std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
    if (!is_plain_name(name) || !printable) {
      return data_error(fmt::format("{}: byte {}: no name of a domain", source_, at));
    }
    header.type = QType::kSymbol;
    header.domain = name;
    return ok_status();
  }

  // `ff 01`: a serialised vector, or a list without items.
  Result<ColumnHeader> object() const {
    HDB_TRY(require(kObjectHeaderBytes));
    ColumnHeader header;
    header.data_offset = kObjectHeaderBytes;
    const int type = load_at<std::int8_t>(bytes_, 2);
    if (type < 0 || type >= 98) {
      return data_error(fmt::format("{}: byte 2: {}, not a list", source_, object_name(type)));
    }
    HDB_TRY(set_attribute(header, 3, load_at<std::uint8_t>(bytes_, 3)));
    HDB_TRY(set_count(header, 4, load_at<std::int32_t>(bytes_, 4)));
    if (type == kSymbolsType) {
      return unsupported_error(source_ +
                               ": byte 2: symbols that are not enumerated: not supported");
    }
    if (type != 0) {
      HDB_TRY(set_type(header, 2, type));
      return header;
    }
    if (bytes_.size() != kObjectHeaderBytes || header.count != 0) {
      return unsupported_error(source_ + ": byte 2: a serialised list with items: not supported");
    }
    header.type = QType::kNested;
    header.is_untyped = true;
    return header;
  }

  Result<ColumnHeader> vector_of_kdb2() const {
    HDB_TRY(require(kVectorHeaderBytes));
    ColumnHeader header;
    header.data_offset = kVectorHeaderBytes;
    HDB_TRY(set_vector_type(header, 8, load_at<std::int16_t>(bytes_, 8)));
    HDB_TRY(set_attribute(header, 10, load_at<std::int16_t>(bytes_, 10)));
    HDB_TRY(set_count(header, 12, load_at<std::int32_t>(bytes_, 12)));
    return header;
  }

  Result<ColumnHeader> vector() const {
    HDB_TRY(require(kVectorHeaderBytes));
    ColumnHeader header;
    header.data_offset = kVectorHeaderBytes;
    HDB_TRY(set_vector_type(header, 2, load_at<std::int8_t>(bytes_, 2)));
    HDB_TRY(set_attribute(header, 3, load_at<std::uint8_t>(bytes_, 3)));
    HDB_TRY(set_count(header, 8, load_at<std::int64_t>(bytes_, 8)));
    return header;
  }

  // `fe` and the domain's name: kdb+ 3.0 to 3.5.
  Result<ColumnHeader> narrow_enumeration() const {
    HDB_TRY(require(kNarrowHeaderBytes));
    ColumnHeader header;
    header.width = 4;
    header.data_offset = kNarrowHeaderBytes;
    HDB_TRY(set_domain(header, 1, 7));
    HDB_TRY(set_attribute(header, 11, load_at<std::uint8_t>(bytes_, 11)));
    HDB_TRY(set_count(header, 16, load_at<std::int64_t>(bytes_, 16)));
    return header;
  }

  // `fd 20`: kdb+ 3.6 and later, a page whose last 16 bytes say what follows it.
  Result<ColumnHeader> page() const {
    HDB_TRY(require(kEnumerationHeaderBytes));
    ColumnHeader header;
    header.data_offset = kEnumerationHeaderBytes;
    if (load_at<std::uint8_t>(bytes_, kPageTrailer) != 0xfd) {
      return data_error(fmt::format("{}: byte {}: {:02x}, but fd is expected", source_,
                                    kPageTrailer, load_at<std::uint8_t>(bytes_, kPageTrailer)));
    }
    const int type = load_at<std::int8_t>(bytes_, kPageTrailer + 2);
    header.anymap = type == kAnymapType;
    if (header.anymap) {
      header.type = QType::kNested;
    } else if (type == kEnumerationType) {
      HDB_TRY(set_domain(header, 16, kPageTrailer - 16));
    } else {
      HDB_TRY(set_type(header, kPageTrailer + 2, type));
    }
    HDB_TRY(
        set_attribute(header, kPageTrailer + 3, load_at<std::uint8_t>(bytes_, kPageTrailer + 3)));
    HDB_TRY(set_count(header, kPageTrailer + 8, load_at<std::int64_t>(bytes_, kPageTrailer + 8)));
    return header;
  }

  Bytes bytes_;
  const std::string& source_;
};

std::filesystem::path companion(const std::filesystem::path& path, std::string_view marks) {
  std::filesystem::path result = path;
  result += marks;
  return result;
}

Result<ColumnHeader> read_header(const PlainFile& file, const std::string& source) {
  if (file.packed == nullptr) return parse_column_header(file.bytes, source);
  HDB_ASSIGN(const std::vector<std::byte> beginning,
             file.packed->zipped().prefix(kEnumerationHeaderBytes));
  return parse_column_header(beginning, source);
}

// The heap of a nested column, and the list that an anymap's symbols point into where there is one.
Status read_companions(const std::filesystem::path& path, Store& store, Compressed compressed,
                       Column& column) {
  const std::filesystem::path heap_path = companion(path, "#");
  HDB_ASSIGN(PlainFile heap, read_plain_file(heap_path, store, compressed));
  column.heap = heap.bytes;
  column.packed_heap = heap.packed;
  column.mapped = column.mapped && heap.mapped;
  column.keep_alive.push_back(std::move(heap.keep_alive));
  if (column.item_type != 0) return ok_status();  // items alone

  HDB_ASSIGN(const ColumnHeader header, read_header(heap, heap_path.string()));
  column.heap = column.heap.subspan(header.data_offset);
  column.texts = std::make_shared<CellTexts>();
  column.keep_alive.push_back(column.texts);

  const std::filesystem::path symbols_path = companion(path, "##");
  std::error_code ignored;
  if (!std::filesystem::exists(symbols_path, ignored)) return ok_status();
  HDB_ASSIGN(column.domain, read_domain(symbols_path, symbols_path.filename().string()));
  return ok_status();
}

// Codes that are rows of a table become longs, null where they are null. An index of a parted
// enumeration does not fit longs.
Status take_rows_of_table(Column& column, Store& store) {
  column.type = QType::kLong;
  column.index_bytes = {};
  if (column.attribute != Attribute::kSorted) column.attribute = Attribute::kNone;
  if (column.width == sizeof(std::int64_t)) return ok_status();
  std::vector<std::int64_t> rows(column.rows);
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    const auto code = load_at<std::int32_t>({column.data, column.bytes()}, row * column.width);
    rows[row] = code == kNullInt ? kNullLong : code;
  }
  column.width = sizeof(std::int64_t);
  HDB_ASSIGN(Region region, store.allocate_for(column.source, column.bytes()));
  store.copy_in(region.bytes.data(), std::as_bytes(std::span(rows)));
  column.data = region.bytes.data();
  column.mapped = false;
  column.keep_alive.push_back(std::move(region.keep_alive));
  return ok_status();
}

}  // namespace

std::string object_name(int type) {
  const int of = std::abs(type);
  if (of == kSymbolsType || is_plain_type(of)) {
    const std::string_view name = of == kSymbolsType ? "symbol" : type_name(static_cast<QType>(of));
    if (type > 0) return fmt::format("a list of {}s", name);
    return fmt::format("{} {} atom", name.front() == 'i' ? "an" : "a", name);
  }
  if (type < 0) return fmt::format("an atom of type {}", type);
  switch (type) {
    case 0: return "a list";
    case 98: return "a table";
    case 99:
    case 127: return "a dictionary";  // 127: a sorted one
    case 100: return "a lambda";
    default: return type > 100 ? "a function" : fmt::format("an object of type {}", type);
  }
}

Result<ColumnHeader> parse_column_header(Bytes beginning, const std::string& source) {
  return HeaderReader(beginning, source).parse();
}

Result<std::uint64_t> row_count(const ColumnHeader& header, std::uint64_t plain_bytes,
                                const std::string& source) {
  const std::uint64_t data_bytes = plain_bytes - header.data_offset;
  const bool from_length =
      header.attribute == Attribute::kNone || header.attribute == Attribute::kSorted;
  if (from_length) {
    if (data_bytes % header.width != 0) {
      return data_error(
          fmt::format("{}: {} bytes of data from byte {} on, which {} bytes an element "
                      "do not divide",
                      source, data_bytes, header.data_offset, header.width));
    }
    return data_bytes / header.width;
  }
  const auto count = static_cast<std::uint64_t>(header.count);
  if (count > data_bytes / header.width) {
    return data_error(
        fmt::format("{}: {} rows of {} bytes by its header, but {} bytes of data from "
                    "byte {} on",
                    source, count, header.width, data_bytes, header.data_offset));
  }
  return count;
}

Result<ColumnSummary> read_column_summary(const std::filesystem::path& path) {
  const std::string source = path.string();
  HDB_ASSIGN(const PlainBeginning beginning, read_plain_beginning(path));
  ColumnSummary summary;
  HDB_ASSIGN(summary.header, parse_column_header(beginning.bytes, source));
  HDB_ASSIGN(summary.rows, row_count(summary.header, beginning.plain_bytes, source));
  return summary;
}

std::vector<std::filesystem::path> files_of_column(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  for (const std::string_view marks : {"", "#", "##"}) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(companion(path, marks), ignored)) break;
    files.push_back(companion(path, marks));
  }
  return files;
}

std::uint64_t stored_offset(const Column& column, std::uint64_t row) {
  std::uint64_t width = column.width;
  if (!column.mapped) {
    const Result<ColumnSummary> stored = read_column_summary(column.source);
    if (stored.ok()) width = stored->header.width;
  }
  return column.data_offset + row * width;
}

bool is_untyped(const Column& column) {
  return column.type == QType::kNested && column.rows == 0 && column.item_type == 0 &&
         column.texts == nullptr;
}

Result<Column> read_column(const std::filesystem::path& path, Store& store, Domains& domains,
                           Compressed compressed) {
  Column column;
  column.source = path.string();
  HDB_ASSIGN(PlainFile file, read_plain_file(path, store, compressed));
  HDB_ASSIGN(const ColumnHeader header, read_header(file, column.source));
  if (file.packed != nullptr && header.type == QType::kSymbol &&
      header.width < sizeof(std::int64_t) && domains.is_table(header.domain))
    return read_column(path, store, domains);
  HDB_ASSIGN(column.rows, row_count(header, file.bytes.size(), column.source));
  column.type = header.type;
  column.width = header.width;
  column.attribute = header.attribute;
  column.data_offset = header.data_offset;
  column.data = file.bytes.data() + header.data_offset;
  column.mapped = file.mapped;
  column.index_bytes = file.bytes.subspan(header.data_offset + column.bytes());
  column.packed = file.packed;
  column.keep_alive.push_back(std::move(file.keep_alive));
  column.item_type = header.item_type;
  if (header.anymap || header.item_type != 0)
    HDB_TRY(read_companions(path, store, compressed, column));
  if (header.type == QType::kSymbol && domains.is_table(header.domain)) {
    column.link = header.domain;
    HDB_TRY(take_rows_of_table(column, store));
  } else if (header.type == QType::kSymbol) {
    HDB_ASSIGN(column.domain, domains.get(header.domain, column.source));
  }
  return column;
}

}  // namespace hdbench
