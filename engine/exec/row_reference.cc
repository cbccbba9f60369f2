#include "engine/exec/row_reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "engine/expression/row_evaluator.h"
#include "engine/kernel/like.h"

namespace hdbench {
namespace {

__extension__ typedef __float128 Quad;

// One value, in every shape that a test or an aggregate may want.
struct Cell {
  QType type = QType::kLong;
  std::int64_t integer = 0;  // integers and temporals; symbols: the code
  double number = 0;         // reals and floats
  std::string bytes;         // as stored; symbols and strings: the text

  bool is_null() const {
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
  double as_double() const { return is_floating(type) ? number : static_cast<double>(integer); }
};

template <typename T>
T read(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

Cell scalar_cell(QType type, const std::byte* data) {
  Cell cell{type, 0, 0, std::string(reinterpret_cast<const char*>(data), type_width(type))};
  if (type == QType::kReal) {
    cell.number = static_cast<double>(read<float>(data));
  } else if (is_floating(type)) {
    cell.number = read<double>(data);
  } else if (type_width(type) == 1) {
    cell.integer = read<std::uint8_t>(data);
  } else if (type_width(type) == 2) {
    cell.integer = read<std::int16_t>(data);
  } else if (type_width(type) == 4) {
    cell.integer = read<std::int32_t>(data);
  } else if (type_width(type) == 8) {
    cell.integer = read<std::int64_t>(data);
  }
  return cell;
}

std::int64_t code_of(const std::byte* data, std::uint32_t width) {
  std::int64_t code = 0;
  std::memcpy(&code, data, width);
  return code;
}

Cell cell_at(const Table& table, std::size_t part, std::size_t field, std::uint64_t row) {
  const Schema& schema = table.schema();
  if (schema.partitioned && field == 0) {
    const std::int64_t value = table.partition_value(part);
    return scalar_cell(schema.fields[0].type, reinterpret_cast<const std::byte*>(&value));
  }
  const Column& column = **table.column(part, field);
  const std::byte* data = column.data + row * column.width;
  if (column.type == QType::kNested) {
    const auto nested = read<NestedCell>(data);
    return {column.type, 0, 0,
            std::string(reinterpret_cast<const char*>(nested.data), nested.count)};
  }
  if (column.type == QType::kSymbol) {
    const std::int64_t code = code_of(data, column.width);
    return {column.type, code, 0, std::string(column.domain->text(static_cast<std::size_t>(code)))};
  }
  if (column.width < type_width(column.type)) {  // offsets
    const std::int64_t value = column.base + code_of(data, column.width);
    return scalar_cell(column.type, reinterpret_cast<const std::byte*>(&value));
  }
  return scalar_cell(column.type, data);
}

RowValue value_of(const Cell& cell) { return {cell.type, cell.integer, cell.number, cell.bytes}; }

Cell computed_cell(const Expression& expression, std::uint64_t row,
                   const std::function<Cell(std::size_t)>& field) {
  const RowValue value = evaluate_row(
      expression, [&](std::size_t f) { return value_of(field(f)); },
      static_cast<std::int64_t>(row));
  const bool is_text = value.type == QType::kSymbol || value.type == QType::kNested;
  return {value.type, value.integer, value.number, is_text ? value.text : element_of(value)};
}

QType type_of_field(const Table& table, const Plan& plan, std::size_t field) {
  const auto& fields = table.schema().fields;
  return field < fields.size() ? fields[field].type
                               : plan.computed[field - fields.size()].expression.type();
}

// Of a field of the table or of one that the plan computes.
Cell cell_of(const Table& table, const Plan& plan, std::size_t part, std::size_t field,
             std::uint64_t row) {
  const std::size_t fields = table.schema().fields.size();
  if (field < fields) return cell_at(table, part, field, row);
  return computed_cell(plan.computed[field - fields].expression, row,
                       [&](std::size_t f) { return cell_at(table, part, f, row); });
}

// The order key by its definition: nulls first, then values.
std::int64_t key_of(const Cell& cell) {
  if (!is_floating(cell.type)) return cell.integer;
  if (std::isnan(cell.number)) return std::numeric_limits<std::int64_t>::min();
  const auto magnitude = std::bit_cast<std::int64_t>(std::abs(cell.number));
  // Folded like one's complement, so that -x is ~x; both zeros are 0.
  return cell.number < 0 ? ~magnitude : magnitude;
}

bool passes_test(const Cell& cell, const Test& test) {
  if (const auto* range = std::get_if<RangeTest>(&test)) {
    return range->low <= key_of(cell) && key_of(cell) <= range->high;
  }
  if (const auto* set = std::get_if<SetTest>(&test)) {
    return std::find(set->keys.begin(), set->keys.end(), key_of(cell)) != set->keys.end();
  }
  if (const auto* codes = std::get_if<CodeTest>(&test)) {
    return codes->member[static_cast<std::size_t>(cell.integer)] != 0;
  }
  if (const auto* like_test = std::get_if<LikeTest>(&test))
    return like(cell.bytes, like_test->pattern);
  const auto& guids = std::get<GuidTest>(test).values;
  return std::any_of(guids.begin(), guids.end(), [&](const auto& guid) {
    return std::memcmp(guid.data(), cell.bytes.data(), 16) == 0;
  });
}

// Orders cells as q sorts keys: symbols and strings by text, guids by bytes, the rest by key.
struct KeyLess {
  bool operator()(const std::vector<Cell>& a, const std::vector<Cell>& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const bool by_text =
          a[i].type == QType::kSymbol || a[i].type == QType::kNested || a[i].type == QType::kGuid;
      if (by_text && a[i].bytes != b[i].bytes) return a[i].bytes < b[i].bytes;
      if (!by_text && key_of(a[i]) != key_of(b[i])) return key_of(a[i]) < key_of(b[i]);
    }
    return false;
  }
};

std::string show(const Cell& cell) {
  if (cell.type == QType::kSymbol || cell.type == QType::kNested) return cell.bytes;
  // All NaNs are one null.
  if (is_floating(cell.type) && std::isnan(cell.number)) return "null";
  std::string text;
  for (const char byte : cell.bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

template <typename T>
Cell make_cell(QType type, T value) {
  return scalar_cell(type, reinterpret_cast<const std::byte*>(&value));
}

Cell integer_cell(QType type, std::int64_t value) { return make_cell(type, value); }

using Row = std::vector<Cell>;  // every field of the schema, and those computed

struct Row2 {
  Cell value;
  Cell weight;
};

Cell extreme(const std::vector<Row2>& rows, QType type, bool is_max) {
  std::optional<Cell> best;
  for (const Row2& row : rows) {
    if (row.value.is_null()) continue;
    if (!best || (is_max ? key_of(row.value) > key_of(*best) : key_of(row.value) < key_of(*best)))
      best = row.value;
  }
  if (best) {
    // -0.0 and 0.0 are one value; the aggregate gives 0.0.
    if (type == QType::kReal) return make_cell(type, static_cast<float>(best->number + 0.0));
    return is_floating(type) ? make_cell(type, best->number + 0.0) : *best;
  }
  const int sign = is_max ? -1 : 1;
  switch (type_width(type)) {
    case 1: return integer_cell(type, is_max ? 0 : 255);
    case 2: return integer_cell(type, sign * std::numeric_limits<std::int16_t>::max());
    case 4:
      if (type == QType::kReal)
        return make_cell(type, static_cast<float>(sign) * std::numeric_limits<float>::infinity());
      return integer_cell(type, sign * std::int64_t{std::numeric_limits<std::int32_t>::max()});
    default: break;
  }
  if (is_floating(type)) return make_cell(type, sign * std::numeric_limits<double>::infinity());
  return integer_cell(type, sign * std::numeric_limits<std::int64_t>::max());
}

Cell sum_of(const std::vector<Row2>& rows, QType type) {
  Quad floats = 0;
  std::uint64_t integers = 0;
  for (const Row2& row : rows) {
    if (row.value.is_null()) continue;
    floats += static_cast<Quad>(row.value.as_double());
    integers += static_cast<std::uint64_t>(row.value.integer);
  }
  if (type == QType::kReal) return make_cell(type, static_cast<float>(static_cast<double>(floats)));
  if (is_floating(type)) return make_cell(type, static_cast<double>(floats));
  return integer_cell(type_width(type) <= 2 || type == QType::kInt ? QType::kLong : type,
                      static_cast<std::int64_t>(integers));
}

bool is_of_a_sample(Aggregate aggregate) {
  return aggregate == Aggregate::kSampleVar || aggregate == Aggregate::kSampleDev ||
         aggregate == Aggregate::kSampleCov;
}

double mean_spread(Aggregate aggregate, Quad spread, Quad n) {
  const Quad divisor = is_of_a_sample(aggregate) ? n - 1 : n;
  return divisor <= 0 ? std::nan("") : static_cast<double>(spread / divisor);
}

Cell pair_aggregate(Aggregate aggregate, const std::vector<Row2>& rows) {
  Quad n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (const Row2& row : rows) {
    if (row.value.is_null() || row.weight.is_null()) continue;
    const Quad value = static_cast<Quad>(row.value.as_double());
    const Quad weight = static_cast<Quad>(row.weight.as_double());
    n += 1;
    x += value;
    y += weight;
    xx += value * value;
    xy += value * weight;
    yy += weight * weight;
  }
  if (aggregate == Aggregate::kWsum) return make_cell(QType::kFloat, static_cast<double>(xy));
  const Quad spread = xy - x * y / n;
  if (aggregate != Aggregate::kCor)
    return make_cell(QType::kFloat, mean_spread(aggregate, spread, n));
  const auto of_squares = [&](Quad squares, Quad sum) {
    const Quad left = squares - sum * sum / n;
    return left <= squares * 0x1p-100 ? Quad{0} : left;
  };
  const Quad both = of_squares(xx, x) * of_squares(yy, y);
  const double root =
      both == 0 ? std::nan("") : std::sqrt(static_cast<double>(spread * spread / both));
  return make_cell(QType::kFloat, spread < 0 ? -root : root);
}

Cell distinct_count(const std::vector<Row2>& rows) {
  std::set<std::string> texts;
  std::set<std::int64_t> keys;
  for (const Row2& row : rows) {
    const QType type = row.value.type;
    if (type == QType::kGuid || type == QType::kSymbol) {
      texts.insert(row.value.bytes);
    } else {
      keys.insert(key_of(row.value));
    }
  }
  return integer_cell(QType::kLong, static_cast<std::int64_t>(texts.size() + keys.size()));
}

Cell any_or_all(Aggregate aggregate, const std::vector<Row2>& rows) {
  const auto is_true = [](const Row2& row) { return row.value.integer != 0; };
  const bool result = aggregate == Aggregate::kAny ? std::any_of(rows.begin(), rows.end(), is_true)
                                                   : std::all_of(rows.begin(), rows.end(), is_true);
  return integer_cell(QType::kBoolean, result);
}

Cell float_aggregate(Aggregate aggregate, const std::vector<Row2>& rows) {
  Quad sum = 0;
  Quad squares = 0;
  Quad weights = 0;
  Quad products = 0;
  std::vector<double> values;
  for (const Row2& row : rows) {
    if (row.value.is_null()) continue;
    const Quad value = static_cast<Quad>(row.value.as_double());
    values.push_back(row.value.as_double());
    const bool is_whole = aggregate == Aggregate::kAvg && !is_floating(row.value.type);
    sum += is_whole ? static_cast<Quad>(row.value.integer) : value;
    squares += value * value;
    if (aggregate != Aggregate::kWavg || row.weight.is_null()) continue;
    weights += static_cast<Quad>(row.weight.as_double());
    products += value * static_cast<Quad>(row.weight.as_double());
  }
  double result = std::numeric_limits<double>::quiet_NaN();
  const Quad n = static_cast<Quad>(values.size());
  if (aggregate == Aggregate::kWavg) {
    result = static_cast<double>(products) / static_cast<double>(weights);
  } else if (!values.empty() && aggregate == Aggregate::kAvg) {
    const bool exact = !is_floating(rows.front().value.type);
    result = exact ? static_cast<double>(sum / n)
                   : static_cast<double>(sum) / static_cast<double>(values.size());
  } else if (!values.empty() && aggregate != Aggregate::kMed) {
    const double mean = mean_spread(aggregate, squares - sum * sum / n, n);
    result = mean < 0 ? 0 : mean;  // of an infinity NaN
    if (aggregate == Aggregate::kDev || aggregate == Aggregate::kSampleDev)
      result = std::sqrt(result);
  } else if (!values.empty()) {
    // Nulls come first and count, but the mean of the two in the middle leaves them out.
    std::sort(values.begin(), values.end());
    values.insert(values.begin(), rows.size() - values.size(), std::nan(""));
    const std::size_t middle = values.size() / 2;
    // The sign of a zero in the middle would depend on the order of rows.
    const double upper = values[middle] + 0.0;
    const bool is_alone = values.size() % 2 != 0 || std::isnan(values[middle - 1]);
    result = is_alone ? upper : (values[middle - 1] + upper) / 2;
  }
  return make_cell(QType::kFloat, result);
}

Cell aggregate_cell(const Output& output, QType type, const std::vector<Row>& rows) {
  if (output.aggregate == Aggregate::kCount) {
    return integer_cell(QType::kLong, static_cast<std::int64_t>(rows.size()));
  }
  if (rows.empty() &&
      (output.aggregate == Aggregate::kFirst || output.aggregate == Aggregate::kLast)) {
    if (type == QType::kSymbol || type == QType::kNested) return {type, 0, 0, ""};
    if (is_floating(type))
      return type == QType::kReal ? make_cell(type, std::nanf("")) : make_cell(type, std::nan(""));
    if (type == QType::kGuid) return {type, 0, 0, std::string(16, '\0')};
    const std::int64_t nulls[] = {0, 0, kNullShort, 0, kNullInt, 0, 0, 0, kNullLong};
    return integer_cell(type, nulls[type_width(type)]);
  }
  std::vector<Row2> cells;
  for (const Row& row : rows)
    cells.push_back({row[*output.field], output.weights ? row[*output.weights] : Cell{}});
  switch (output.aggregate) {
    case Aggregate::kFirst: return cells.front().value;
    case Aggregate::kLast:
    case Aggregate::kNone: return cells.back().value;
    case Aggregate::kMin: return extreme(cells, type, false);
    case Aggregate::kMax: return extreme(cells, type, true);
    case Aggregate::kSum: return sum_of(cells, type);
    case Aggregate::kWsum:
    case Aggregate::kCov:
    case Aggregate::kSampleCov:
    case Aggregate::kCor: return pair_aggregate(output.aggregate, cells);
    case Aggregate::kAny:
    case Aggregate::kAll: return any_or_all(output.aggregate, cells);
    case Aggregate::kCountDistinct: return distinct_count(cells);
    default: return float_aggregate(output.aggregate, cells);
  }
}

std::vector<Row> rows_that_pass(const Table& table, const Plan& plan) {
  std::vector<Row> rows;
  for (std::size_t part = 0; part < table.part_count(); ++part) {
    for (std::uint64_t row = 0; row < *table.rows(part); ++row) {
      const bool kept =
          std::all_of(plan.where.begin(), plan.where.end(), [&](const Condition& condition) {
            return passes_test(cell_of(table, plan, part, condition.field, row), condition.test) !=
                   condition.negated;
          });
      if (!kept) continue;
      Row cells;
      for (std::size_t f = 0; f < table.schema().fields.size() + plan.computed.size(); ++f)
        cells.push_back(cell_of(table, plan, part, f, row));
      rows.push_back(std::move(cells));
    }
  }
  return rows;
}

}  // namespace

PlainResult run_by_rows(const Table& table, const Plan& plan) {
  const std::vector<Row> rows = rows_that_pass(table, plan);
  PlainResult result;
  for (const GroupKey& key : plan.by) result.names.push_back(key.name);
  if (plan.results.empty()) {
    for (const Output& output : plan.outputs) result.names.push_back(output.name);
  }
  for (const ResultExpression& shown : plan.results) result.names.push_back(shown.name);
  const auto add_row = [&](const std::vector<Cell>& cells) {
    std::vector<std::string> shown;
    for (const Cell& cell : cells) shown.push_back(show(cell));
    result.rows.push_back(std::move(shown));
  };
  if (plan.by.empty() && !plan.aggregates()) {
    for (const Row& row : rows) {
      std::vector<Cell> cells;
      for (const Output& output : plan.outputs) cells.push_back(row[*output.field]);
      add_row(cells);
    }
    return result;
  }
  std::map<std::vector<Cell>, std::vector<Row>, KeyLess> groups;
  if (plan.by.empty()) groups[{}];
  for (const Row& row : rows) {
    std::vector<Cell> key;
    for (const GroupKey& group_key : plan.by) key.push_back(row[group_key.field]);
    groups[key].push_back(row);
  }
  for (const auto& [key, members] : groups) {
    std::vector<Cell> cells;
    // A key's bytes are those of the group's last row (0.0 and -0.0 are one key).
    for (const GroupKey& group_key : plan.by) cells.push_back(members.back()[group_key.field]);
    std::vector<Cell> outputs;
    for (const Output& output : plan.outputs) {
      const QType type = output.field ? type_of_field(table, plan, *output.field) : QType::kLong;
      outputs.push_back(aggregate_cell(output, type, members));
    }
    for (const ResultExpression& shown : plan.results) {
      cells.push_back(
          computed_cell(shown.expression, 0, [&](std::size_t output) { return outputs[output]; }));
    }
    if (plan.results.empty()) cells.insert(cells.end(), outputs.begin(), outputs.end());
    add_row(cells);
  }
  return result;
}

PlainResult to_plain(const ResultTable& result) {
  PlainResult plain;
  for (const ResultColumn& column : result.columns) plain.names.push_back(column.name);
  for (std::uint64_t row = 0; row < result.rows; ++row) {
    std::vector<std::string> shown;
    for (const ResultColumn& column : result.columns) {
      const std::byte* data = column.buffer.data() + row * column.width;
      if (column.type == QType::kNested) {
        const auto nested = read<NestedCell>(data);
        shown.emplace_back(reinterpret_cast<const char*>(nested.data), nested.count);
      } else if (column.type == QType::kSymbol) {
        const std::int64_t code = code_of(data, column.width);
        shown.emplace_back(column.domain->text(static_cast<std::size_t>(code)));
      } else {
        shown.push_back(show(scalar_cell(column.type, data)));
      }
    }
    plain.rows.push_back(std::move(shown));
  }
  return plain;
}

std::string first_difference(const PlainResult& found, const PlainResult& expected) {
  if (found.names != expected.names) return "the columns' names differ";
  for (std::size_t row = 0; row < std::min(found.rows.size(), expected.rows.size()); ++row) {
    for (std::size_t c = 0; c < found.names.size(); ++c) {
      if (found.rows[row][c] == expected.rows[row][c]) continue;
      return "row " + std::to_string(row) + " column " + found.names[c] + ": " +
             found.rows[row][c] + ", expected " + expected.rows[row][c];
    }
  }
  if (found.rows.size() == expected.rows.size()) return "";
  return std::to_string(found.rows.size()) + " rows, expected " +
         std::to_string(expected.rows.size());
}

}  // namespace hdbench
