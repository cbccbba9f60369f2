#include "engine/expression/evaluator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory_resource>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/column.h"
#include "engine/column/memory_table.h"
#include "engine/testing/random_expression.h"
#include "engine/testing/row_evaluator.h"
#include "engine/testing/targets.h"

using namespace hdbench;

namespace {

// All that arithmetic works on, and the row of a column that is drawn.
constexpr QType kDrawnTypes[] = {
    QType::kBoolean, QType::kByte, QType::kShort,    QType::kInt,
    QType::kLong,    QType::kReal, QType::kFloat,    QType::kChar,
    QType::kMonth,   QType::kDate, QType::kDatetime, QType::kMinute,
    QType::kSecond,  QType::kTime, QType::kTimespan, QType::kTimestamp};

std::string random_element(std::mt19937_64& random, QType type) {
  RowValue value{type, 0, 0, ""};
  const std::uint64_t kind = random() % 12;
  if (is_floating(type)) {
    value.number = static_cast<double>(random() % 4001) / 8 - 250;
    if (kind == 0) value.number = std::nan("");
    if (kind == 1) value.number = random() % 2 == 0 ? 0.0 : -0.0;
    if (kind == 2) value.number = std::numeric_limits<double>::infinity();
    if (kind == 3) value.number = -std::numeric_limits<double>::infinity();
    if (kind == 4) value.number = std::ldexp(1.5, static_cast<int>(random() % 200) - 100);
    return element_of(value);
  }
  const auto most = std::numeric_limits<std::int64_t>::max() >> (64 - 8 * type_width(type));
  value.integer = static_cast<std::int64_t>(random() % 20001) - 10000;
  if (kind == 0) value.integer = -most - 1;
  if (kind == 1) value.integer = random() % 2 == 0 ? most : -most;
  if (kind == 2 || type == QType::kTimestamp)
    value.integer = static_cast<std::int64_t>(random()) / (1 << (random() % 24));
  if (kind == 3) value.integer = static_cast<std::int64_t>(random() % 4);
  if (type == QType::kBoolean) value.integer &= 1;
  if (type == QType::kChar) value.integer = " aB"[random() % 3];
  return element_of(value);
}

struct DrawnColumns {
  std::vector<DrawnField> fields;
  std::vector<std::string> elements;  // by field
  std::size_t rows = 0;

  RowValue value(std::size_t field, std::size_t row) const {
    const QType type = fields[field].type;
    return row_value(type, bytes(field) + row * type_width(type));
  }
  const std::byte* bytes(std::size_t field) const {
    return reinterpret_cast<const std::byte*>(elements[field].data()) + 1;
  }
};

// The first byte of a column is not an element's: none lies at a multiple of its width.
DrawnColumns draw_columns(std::mt19937_64& random, std::size_t rows) {
  DrawnColumns columns;
  columns.rows = rows;
  for (const QType type : kDrawnTypes) {
    columns.fields.push_back({columns.fields.size(), type});
    std::string& elements = columns.elements.emplace_back(1, '\0');
    for (std::size_t row = 0; row < rows; ++row) elements += random_element(random, type);
  }
  return columns;
}

const Domain* no_domain(std::size_t /*field*/) { return nullptr; }

std::string values_of(const Expression& expression, const DrawnColumns& columns,
                      const Evaluator::DomainOf& domain_of = no_domain) {
  Evaluator evaluator(expression, domain_of, *std::pmr::new_delete_resource());
  std::vector<const std::byte*> fields;
  for (const std::size_t field : fields_of(expression)) fields.push_back(columns.bytes(field));
  std::vector<std::int64_t> rows(columns.rows);
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = static_cast<std::int64_t>(row);
  std::vector<NestedCell> out(columns.rows + 1);
  const bool goes_on = columns.rows % 2 == 0;
  evaluator.evaluate({fields, rows.data(), columns.rows, goes_on},
                     reinterpret_cast<std::byte*>(out.data()));
  return {reinterpret_cast<const char*>(out.data()), columns.rows * type_width(expression.type())};
}

std::string text_of(const Expression& expression) {
  std::string text;
  for (const ExpressionNode& node : expression.nodes) {
    text += " " + std::to_string(static_cast<int>(node.operation)) + ":" +
            std::string(type_name(node.type));
    if (node.operation == Operation::kField) text += " f" + std::to_string(node.field);
    if (node.operation == Operation::kConstant)
      text += " c" + std::to_string(row_value(node.type, node.constant.data()).integer) + "/" +
              std::to_string(row_value(node.type, node.constant.data()).number);
    for (const std::uint32_t argument : node.arguments) text += "," + std::to_string(argument);
  }
  return text;
}

void check_rows(const Expression& expression, const DrawnColumns& columns) {
  const std::string found = values_of(expression, columns);
  const std::uint32_t width = type_width(expression.type());
  for (std::size_t row = 0; row < columns.rows; ++row) {
    const RowValue expected = evaluate_row(
        expression, [&](std::size_t field) { return columns.value(field, row); },
        static_cast<std::int64_t>(row));
    const std::string element = found.substr(row * width, width);
    if (element == element_of(expected)) continue;
    const RowValue value =
        row_value(expression.type(), reinterpret_cast<const std::byte*>(element.data()));
    if (is_floating(value.type) && value.is_null() && expected.is_null()) continue;
    INFO("row " << row << text_of(expression) << ": " << value.integer << " " << value.number
                << ", expected " << expected.integer << " " << expected.number);
    REQUIRE(element == element_of(expected));
  }
}

ExpressionNode field_node(QType type, std::size_t field) {
  return {Operation::kField, type, {}, field, {}, {}, {}};
}
ExpressionNode pair_node(Operation operation, QType type, std::uint32_t a, std::uint32_t b) {
  return {operation, type, {a, b, 0}, 0, {}, {}, {}};
}
template <typename T>
ExpressionNode constant_node(QType type, T value) {
  ExpressionNode node{Operation::kConstant, type, {}, 0, {}, {}, {}};
  std::memcpy(node.constant.data(), &value, sizeof(value));
  return node;
}

template <typename T>
DrawnColumns column_of(QType type, const std::vector<T>& values) {
  std::string bytes(1, '\0');
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return {{{0, type}}, {std::move(bytes)}, values.size()};
}

template <typename R, typename T>
std::vector<R> one_operation(Operation operation, QType from, QType to,
                             const std::vector<T>& values) {
  const Expression expression{{field_node(from, 0), pair_node(operation, to, 0, 0)}};
  const std::string bytes = values_of(expression, column_of(from, values));
  std::vector<R> results(values.size());
  std::memcpy(results.data(), bytes.data(), bytes.size());
  return results;
}

}  // namespace

TEST_CASE("random expressions agree with the row evaluator under every instruction set") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 250; ++round) {
    const std::size_t counts[] = {0, 1, 7, 65, 257, 1001, 1024};
    const DrawnColumns columns =
        draw_columns(random, round < 200 ? counts[random() % 5] : counts[random() % 7]);
    std::vector<DrawnField> fields = columns.fields;
    fields.push_back({kRowNumber, QType::kLong});
    for (const QType type : kDrawnTypes) {
      const Expression expression =
          random_expression(random, fields, type, static_cast<int>(random() % 5));
      if (round % 10 != 0) {
        check_rows(expression, columns);
      } else {
        on_every_target([&] { check_rows(expression, columns); });
      }
    }
  }
}

TEST_CASE("every operation of a pair agrees with the row evaluator for every type") {
  std::mt19937_64 random(2);
  const DrawnColumns columns = draw_columns(random, 999);
  for (const QType type : kDrawnTypes) {
    const auto field = static_cast<std::size_t>(
        std::find(std::begin(kDrawnTypes), std::end(kDrawnTypes), type) - std::begin(kDrawnTypes));
    for (auto o = static_cast<int>(Operation::kAdd); o <= static_cast<int>(Operation::kModulo);
         ++o) {
      const auto operation = static_cast<Operation>(o);
      if (type == QType::kBoolean || type == QType::kByte || type == QType::kChar) continue;
      ExpressionNode same = pair_node(operation, type, 0, 1);
      // The same values in another order.
      const Expression rotated{
          {field_node(type, field), pair_node(Operation::kNegate, type, 0, 0), std::move(same)}};
      check_rows(rotated, columns);
      for (const std::int64_t divisor : {1, 2, 3, 7, 10, 60, 1000, 4096, 32767}) {
        ExpressionNode constant = constant_node(type, divisor);
        if (type == QType::kReal) constant = constant_node(type, static_cast<float>(divisor) / 8);
        if (is_floating(type) && type != QType::kReal)
          constant = constant_node(type, static_cast<double>(divisor) / 8);
        std::fill(constant.constant.begin() + type_width(type), constant.constant.end(),
                  std::byte{0});
        for (const bool is_first : {false, true}) {
          check_rows(
              {{field_node(type, field), constant,
                is_first ? pair_node(operation, type, 1, 0) : pair_node(operation, type, 0, 1)}},
              columns);
        }
      }
    }
  }
}

TEST_CASE("a pair that casts an argument itself agrees with the row evaluator") {
  std::mt19937_64 random(5);
  const Operation operations[] = {Operation::kAdd,    Operation::kSubtract, Operation::kMultiply,
                                  Operation::kDivide, Operation::kLess,     Operation::kLessEqual,
                                  Operation::kLesser};
  for (const std::size_t rows : {std::size_t{999}, Evaluator::kBlockRows}) {
    const DrawnColumns columns = draw_columns(random, rows);
    for (const Operation operation : operations) {
      for (const DrawnField& from : columns.fields) {
        for (const QType to : {QType::kReal, QType::kFloat}) {
          if (operation == Operation::kDivide && to == QType::kReal) continue;  // of floats alone
          const bool is_test = operation == Operation::kLess || operation == Operation::kLessEqual;
          const QType type = is_test ? QType::kBoolean : to;
          const auto other = static_cast<std::size_t>(
              std::find(std::begin(kDrawnTypes), std::end(kDrawnTypes), to) -
              std::begin(kDrawnTypes));
          const Expression both{{field_node(from.type, from.field), field_node(to, other),
                                 pair_node(Operation::kCast, to, 0, 0)}};
          // The cast as the first argument, as the second, as both, and read by two operations.
          for (const auto& [a, b] : {std::pair{2u, 1u}, std::pair{1u, 2u}, std::pair{2u, 2u}}) {
            Expression expression = both;
            expression.nodes.push_back(pair_node(operation, type, a, b));
            on_every_target([&] { check_rows(expression, columns); });
          }
          if (is_test) continue;
          Expression twice = both;
          twice.nodes.push_back(pair_node(operation, to, 2, 1));
          twice.nodes.push_back(pair_node(Operation::kGreater, to, 2, 3));
          check_rows(twice, columns);
        }
      }
    }
  }
}

TEST_CASE("nulls that are left as they come are nulls, and all else is the same") {
  std::mt19937_64 random(6);
  const DrawnColumns columns = draw_columns(random, 1000);
  constexpr std::size_t kFloatField = 6;
  REQUIRE(columns.fields[kFloatField].type == QType::kFloat);
  const Expression difference{{field_node(QType::kFloat, kFloatField),
                               pair_node(Operation::kSquareRoot, QType::kFloat, 0, 0),
                               pair_node(Operation::kSubtract, QType::kFloat, 0, 1)}};
  Evaluator evaluator(difference, no_domain, *std::pmr::new_delete_resource());
  evaluator.leave_nulls();
  const std::byte* const fields[] = {columns.bytes(kFloatField)};
  std::vector<double> left(columns.rows), one(columns.rows);
  evaluator.evaluate({fields, nullptr, columns.rows}, reinterpret_cast<std::byte*>(left.data()));
  const std::string expected = values_of(difference, columns);
  std::memcpy(one.data(), expected.data(), expected.size());
  for (std::size_t row = 0; row < columns.rows; ++row)
    REQUIRE((left[row] == one[row] || (std::isnan(left[row]) && std::isnan(one[row]))));
}

TEST_CASE("every cast agrees with the row evaluator") {
  std::mt19937_64 random(3);
  const DrawnColumns columns = draw_columns(random, 500);
  for (const DrawnField& from : columns.fields) {
    for (const QType to : kDrawnTypes)
      check_rows({{field_node(from.type, from.field), pair_node(Operation::kCast, to, 0, 0)}},
                 columns);
  }
}

TEST_CASE("floats become the nearest integers, halves the greater ones") {
  const std::vector<double> floats{0.5,   -0.5,          1.4999999999999998,
                                   -1.75, std::nan(""),  1e300,
                                   -1e10, 2147483646.75, 0.49999999999999994};
  CHECK(one_operation<std::int32_t>(Operation::kCast, QType::kFloat, QType::kInt, floats) ==
        std::vector<std::int32_t>{1, 0, 1, -2, kNullInt, INT32_MAX, -INT32_MAX, INT32_MAX, 0});
  CHECK(one_operation<std::int64_t>(Operation::kFloor, QType::kFloat, QType::kLong, floats) ==
        std::vector<std::int64_t>{0, -1, 1, -2, kNullLong, INT64_MAX, -10000000000, 2147483646, 0});
}

TEST_CASE("symbols are compared, filled, chosen and matched by their domain") {
  const auto domain = make_domain("sym", {"IBM", "", "MSFT", "INTC"});
  const auto domain_of = [&](std::size_t) { return domain.get(); };
  const DrawnColumns columns = column_of<std::int64_t>(QType::kSymbol, {0, 1, 2, 3});
  const ExpressionNode sym = field_node(QType::kSymbol, 0);
  const ExpressionNode ibm = constant_node(QType::kSymbol, std::int64_t{0});
  const auto truths = [&](Expression expression) {
    std::string text = values_of(expression, columns, domain_of);
    for (char& byte : text) byte = static_cast<char>('0' + byte);
    return text;
  };
  ExpressionNode like_node = pair_node(Operation::kLike, QType::kBoolean, 0, 0);
  like_node.pattern = "I*";
  ExpressionNode in_node = pair_node(Operation::kInSet, QType::kBoolean, 0, 0);
  in_node.set = {1, 3};
  CHECK(truths({{sym, ibm, pair_node(Operation::kEqual, QType::kBoolean, 0, 1)}}) == "1000");
  CHECK(truths({{sym, pair_node(Operation::kIsNull, QType::kBoolean, 0, 0)}}) == "0100");
  CHECK(truths({{sym, like_node}}) == "1001");
  CHECK(truths({{sym, in_node}}) == "0101");
  const Expression filled{{sym, ibm, pair_node(Operation::kFill, QType::kSymbol, 1, 0)}};
  const std::string codes = values_of(filled, columns, domain_of);
  std::int64_t found[4];
  std::memcpy(found, codes.data(), sizeof(found));
  CHECK(std::vector<std::int64_t>(found, found + 4) == std::vector<std::int64_t>{0, 0, 2, 3});
}

TEST_CASE("strings and chars are matched, and guids compared") {
  static const char kText[] = "alpha";
  const auto cell = [](std::uint8_t kind, std::uint32_t count) {
    return NestedCell{reinterpret_cast<const std::byte*>(kText), count, kind, false, 0};
  };
  ExpressionNode like_node = pair_node(Operation::kLike, QType::kBoolean, 0, 0);
  like_node.pattern = "al*";
  const Expression strings{{field_node(QType::kNested, 0), like_node}};
  CHECK(values_of(strings,
                  column_of<NestedCell>(QType::kNested, {cell(10, 5), cell(10, 1), cell(4, 5)})) ==
        std::string("\1\0\0", 3));
  struct Guid {
    std::uint64_t words[2];
  };
  const Expression is_zero{
      {field_node(QType::kGuid, 0), pair_node(Operation::kIsNull, QType::kBoolean, 0, 0)}};
  const Expression is_same{
      {field_node(QType::kGuid, 0), pair_node(Operation::kEqual, QType::kBoolean, 0, 0)}};
  const auto guids = column_of<Guid>(QType::kGuid, {{{0, 0}}, {{0, 1}}});
  CHECK(values_of(is_zero, guids) == std::string("\1\0", 2));
  CHECK(values_of(is_same, guids) == "\1\1");
}

TEST_CASE("a value that is a field or a constant is written as it is") {
  const auto ints = column_of<std::int32_t>(QType::kInt, {3, kNullInt, -1});
  CHECK(values_of({{field_node(QType::kInt, 0)}}, ints) == ints.elements[0].substr(1));
  CHECK(values_of({{constant_node(QType::kByte, std::uint8_t{7})}}, ints) == "\7\7\7");
}
