#include "engine/testing/random_expression.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace hdbench {
namespace {

constexpr QType kTypes[] = {QType::kBoolean, QType::kByte,     QType::kShort,  QType::kInt,
                            QType::kLong,    QType::kReal,     QType::kFloat,  QType::kTimestamp,
                            QType::kMonth,   QType::kDate,     QType::kMinute, QType::kSecond,
                            QType::kTime,    QType::kTimespan, QType::kChar,   QType::kDatetime};
constexpr QType kTemporals[] = {QType::kTimestamp, QType::kMonth,  QType::kDate, QType::kDatetime,
                                QType::kTimespan,  QType::kMinute, QType::kTime, QType::kSecond};

class ExpressionMaker {
 public:
  ExpressionMaker(std::mt19937_64& random, std::span<const DrawnField> fields)
      : random_(random), fields_(fields) {}

  std::uint32_t make(QType type, int depth) {
    // One that is there already, now and then.
    if (below(8) == 0) {
      for (std::uint32_t n = 0; n < expression.nodes.size(); ++n) {
        if (expression.nodes[n].type == type && below(2) == 0) return n;
      }
    }
    if (depth == 0) return leaf(type);
    if (below(10) == 0) return choose(type, depth);
    if (type == QType::kBoolean) return truth(depth);
    if (type == QType::kInt && below(5) == 0) return int_of(depth);
    if (type == QType::kLong && below(5) == 0) {
      const Operation operation = below(2) == 0 ? Operation::kFloor : Operation::kCeiling;
      return add(operation, type, {make(kTypes[3 + below(4)], depth - 1)});
    }
    if (type == QType::kFloat && below(4) == 0) return function(depth);
    if (below(4) == 0) return add(Operation::kCast, type, {make(any_type(), depth - 1)});
    if (type == QType::kByte || type == QType::kChar) return leaf(type);
    return arithmetic(type, depth);
  }

  Expression expression;

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  QType any_type() { return kTypes[below(std::size(kTypes))]; }

  std::uint32_t push(ExpressionNode node) {
    expression.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(expression.nodes.size() - 1);
  }
  std::uint32_t add(Operation operation, QType type, std::array<std::uint32_t, 3> arguments) {
    return push({operation, type, arguments, 0, {}, {}, {}});
  }

  std::uint32_t leaf(QType type) {
    std::vector<std::size_t> fitting;
    for (const DrawnField& field : fields_) {
      if (field.type == type) fitting.push_back(field.field);
    }
    if (fitting.empty() || below(4) == 0) return constant(type);
    const std::size_t field = fitting[below(fitting.size())];
    if (field == kRowNumber) return add(Operation::kRow, type, {});
    return push({Operation::kField, type, {}, field, {}, {}, {}});
  }

  std::uint32_t constant(QType type) {
    ExpressionNode node{Operation::kConstant, type, {}, 0, {}, {}, {}};
    const auto set = [&](auto value) { std::memcpy(node.constant.data(), &value, sizeof(value)); };
    static constexpr double kNumbers[] = {0, -0.0, 0.5, -2.5, 1e300, 3, 0.05};
    double number = kNumbers[below(std::size(kNumbers))];
    if (below(8) == 0) number = std::nan("");
    if (below(8) == 0) number = std::numeric_limits<double>::infinity();
    if (type == QType::kReal) {
      set(static_cast<float>(number));
    } else if (is_floating(type)) {
      set(number);
    } else if (type == QType::kBoolean) {
      set(static_cast<std::uint8_t>(below(2)));
    } else {
      static constexpr std::int64_t kIntegers[] = {0,  1,  -1,   2,    7,
                                                   60, -5, 1000, 4096, 300'000'000'000};
      auto integer = kIntegers[below(std::size(kIntegers))];
      const auto most = std::numeric_limits<std::int64_t>::max() >> (64 - 8 * type_width(type));
      if (below(8) == 0) integer = below(2) == 0 ? most : -most;
      if (below(8) == 0) integer = -most - 1;
      set(integer);
      std::fill(node.constant.begin() + type_width(type), node.constant.end(), std::byte{0});
    }
    return push(std::move(node));
  }

  std::uint32_t choose(QType type, int depth) {
    const std::uint32_t condition = make(QType::kBoolean, depth - 1);
    const std::uint32_t a = make(type, depth - 1);
    return add(Operation::kChoose, type, {condition, a, make(type, depth - 1)});
  }

  std::uint32_t truth(int depth) {
    const QType type = any_type();
    const std::uint32_t a = make(type, depth - 1);
    switch (below(6)) {
      case 0: return add(Operation::kIsNull, QType::kBoolean, {a});
      case 1: return add(Operation::kNot, QType::kBoolean, {a});
      case 2: {
        const Operation operation = below(2) == 0 ? Operation::kAnd : Operation::kOr;
        const std::uint32_t first = make(QType::kBoolean, depth - 1);
        return add(operation, QType::kBoolean, {first, make(QType::kBoolean, depth - 1)});
      }
      case 3: {
        ExpressionNode node{Operation::kInSet, QType::kBoolean, {a}, 0, {}, {-5, 0, 1, 60}, {}};
        if (below(2) == 0) node.set.insert(node.set.begin(), kNullLong);
        return push(std::move(node));
      }
      default: break;
    }
    const auto first = static_cast<std::uint64_t>(Operation::kEqual);
    const auto operation = static_cast<Operation>(first + below(6));
    return add(operation, QType::kBoolean, {a, make(type, depth - 1)});
  }

  std::uint32_t int_of(int depth) {
    if (below(4) == 0)
      return add(Operation::kSignum, QType::kInt, {make(kTypes[2 + below(5)], depth - 1)});
    const auto first = static_cast<std::uint64_t>(Operation::kYear);
    const QType type = kTemporals[below(std::size(kTemporals))];
    return add(static_cast<Operation>(first + below(6)), QType::kInt, {make(type, depth - 1)});
  }

  std::uint32_t function(int depth) {
    const std::uint32_t a = make(QType::kFloat, depth - 1);
    const auto first = static_cast<std::uint64_t>(Operation::kSquareRoot);
    if (below(3) == 0)
      return add(Operation::kDivide, QType::kFloat, {a, make(QType::kFloat, depth - 1)});
    return add(static_cast<Operation>(first + below(4)), QType::kFloat, {a});
  }

  std::uint32_t arithmetic(QType type, int depth) {
    const std::uint32_t a = make(type, depth - 1);
    if (below(6) == 0)
      return add(below(2) == 0 ? Operation::kNegate : Operation::kAbsolute, type, {a});
    const auto first = static_cast<std::uint64_t>(Operation::kAdd);
    const auto operation = static_cast<Operation>(first + below(9));  // to kModulo
    return add(operation, type, {a, make(type, depth - 1)});
  }

  std::mt19937_64& random_;
  std::span<const DrawnField> fields_;
};

}  // namespace

Expression random_expression(std::mt19937_64& random, std::span<const DrawnField> fields,
                             QType type, int depth) {
  ExpressionMaker maker(random, fields);
  const std::uint32_t value = maker.make(type, depth);
  maker.expression.nodes.resize(value + std::size_t{1});
  return std::move(maker.expression);
}

}  // namespace hdbench
