#include "engine/testing/plain_cells.h"

#include <bit>
#include <cmath>
#include <limits>

namespace hdbench {
namespace {

template <typename T>
T read_as(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

std::int64_t code_of(const std::byte* data, std::uint32_t width) {
  std::int64_t code = 0;
  std::memcpy(&code, data, width);
  return code;
}

bool is_ordered_by_bytes(QType type) {
  return type == QType::kSymbol || type == QType::kNested || type == QType::kGuid;
}

std::string hexadecimal(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// Items one by one, as each would be shown in a cell of its own.
std::string shown_list(const Cell& cell) {
  std::string text = "(" + std::to_string(cell.kind);
  if (cell.kind == kSymbolsType || cell.kind == kShownCell) return text + ": " + cell.bytes + ")";
  const auto type = static_cast<QType>(cell.kind);
  const std::size_t width = type_width(type);
  for (std::size_t begin = 0; begin < cell.bytes.size(); begin += width) {
    const auto* item = reinterpret_cast<const std::byte*>(cell.bytes.data() + begin);
    text += " " + show(scalar_cell(type, item));
  }
  return text + ")";
}

}  // namespace

bool Cell::is_null() const {
  switch (type) {
    case QType::kShort: return integer == kNullShort;
    case QType::kInt:
    case QType::kMonth:
    case QType::kDate:
    case QType::kMinute:
    case QType::kSecond:
    case QType::kTime: return integer == kNullInt;
    case QType::kLong:
    case QType::kTimestamp:
    case QType::kTimespan: return integer == kNullLong;
    case QType::kReal:
    case QType::kFloat:
    case QType::kDatetime: return std::isnan(number);
    default: return false;
  }
}

Cell scalar_cell(QType type, const std::byte* data) {
  Cell cell{type, 0, 0, std::string(reinterpret_cast<const char*>(data), type_width(type))};
  if (type == QType::kReal) {
    cell.number = static_cast<double>(read_as<float>(data));
  } else if (is_floating(type)) {
    cell.number = read_as<double>(data);
  } else if (type_width(type) == 1) {
    cell.integer = read_as<std::uint8_t>(data);
  } else if (type_width(type) == 2) {
    cell.integer = read_as<std::int16_t>(data);
  } else if (type_width(type) == 4) {
    cell.integer = read_as<std::int32_t>(data);
  } else if (type_width(type) == 8) {
    cell.integer = read_as<std::int64_t>(data);
  }
  return cell;
}

Cell null_cell(QType type) {
  if (type == QType::kSymbol || type == QType::kNested) return {type, 0, 0, ""};
  if (type == QType::kReal) return make_cell(type, std::nanf(""));
  if (is_floating(type)) return make_cell(type, std::nan(""));
  if (type == QType::kGuid) return {type, 0, 0, std::string(16, '\0')};
  if (type == QType::kChar) return integer_cell(type, ' ');
  const std::int64_t nulls[] = {0, 0, kNullShort, 0, kNullInt, 0, 0, 0, kNullLong};
  return integer_cell(type, nulls[type_width(type)]);
}

std::size_t items_in(const Cell& list) {
  if (list.kind == kSymbolsType)
    return static_cast<std::size_t>(std::count(list.bytes.begin(), list.bytes.end(), '\0'));
  return list.bytes.size() / cell_item_width(list.kind);
}

Cell element_cell(QType type, std::uint32_t width, const Domain* domain, const std::byte* data) {
  if (type == QType::kNested) {
    const auto nested = read_as<NestedCell>(data);
    std::string items(reinterpret_cast<const char*>(nested.data), nested.bytes());
    return {type, 0, 0, std::move(items), nested.kind};
  }
  if (type == QType::kSymbol) {
    const std::int64_t code = code_of(data, width);
    return {type, code, 0, std::string(domain->text(static_cast<std::size_t>(code)))};
  }
  return scalar_cell(type, data);
}

std::int64_t key_of(const Cell& cell) {
  if (!is_floating(cell.type)) return cell.integer;
  if (std::isnan(cell.number)) return std::numeric_limits<std::int64_t>::min();
  const auto magnitude = std::bit_cast<std::int64_t>(std::abs(cell.number));
  // Folded like one's complement, so that -x is ~x; both zeros are 0.
  return cell.number < 0 ? ~magnitude : magnitude;
}

bool RowLess::operator()(const Row& a, const Row& b) const {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool by_bytes = is_ordered_by_bytes(a[i].type);
    if (by_bytes && a[i].bytes != b[i].bytes) return a[i].bytes < b[i].bytes;
    if (!by_bytes && key_of(a[i]) != key_of(b[i])) return key_of(a[i]) < key_of(b[i]);
  }
  return false;
}

bool are_one_key(const Row& a, const Row& b) { return !RowLess()(a, b) && !RowLess()(b, a); }

Row cells_at(const Row& row, const std::vector<std::size_t>& places) {
  Row cells;
  for (const std::size_t place : places) cells.push_back(row[place]);
  return cells;
}

std::string show(const Cell& cell) {
  if (cell.type == QType::kSymbol) return cell.bytes;
  if (cell.type == QType::kNested) {
    const bool is_string = cell.kind == static_cast<std::uint8_t>(QType::kChar);
    return is_string ? cell.bytes : shown_list(cell);
  }
  if (is_floating(cell.type) && std::isnan(cell.number)) return "null";
  return hexadecimal(cell.bytes);
}

Cell TableRows::cell(std::size_t part, std::size_t field, std::uint64_t row) const {
  if (schema().partitioned && field == 0)
    return integer_cell(schema().fields[0].type, table_.partition_value(part));
  const Column& column = **table_.column(part, field);
  const std::byte* data = column.data + row * column.width;
  const bool is_offset = column.type != QType::kNested && column.type != QType::kSymbol &&
                         column.width < type_width(column.type);
  if (is_offset) return integer_cell(column.type, column.base + code_of(data, column.width));
  return element_cell(column.type, column.width, column.domain.get(), data);
}

MadeRows::MadeRows(std::vector<Row> rows, const Schema& schema)
    : rows_(std::move(rows)), schema_(schema) {
  for (Row& row : rows_) {
    for (std::size_t field = 0; field < row.size(); ++field) {
      if (row[field].type != QType::kSymbol) continue;
      const Domain& domain = *schema_.fields[field].domain;
      const std::string& text = row[field].bytes;
      row[field].integer =
          static_cast<std::int64_t>(text.empty() ? domain.null_code() : *domain.find(text));
    }
  }
}

}  // namespace hdbench
