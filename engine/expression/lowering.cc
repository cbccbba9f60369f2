#include <algorithm>
#include <cstring>

#include "engine/column/type.h"
#include "engine/expression/evaluator.h"

namespace hdbench {
namespace {

using Node = std::uint32_t;

constexpr std::int64_t kDayNs = 86'400'000'000'000;
constexpr double kDayMs = 86'400'000;
constexpr std::int64_t kMsNs = 1'000'000;

bool is_short_duration(QType type) {
  return type == QType::kTime || type == QType::kSecond || type == QType::kMinute;
}

// Of those that are whole numbers of it.
std::int64_t unit_ns(QType type) {
  switch (type) {
    case QType::kDate: return kDayNs;
    case QType::kMinute: return 60'000'000'000;
    case QType::kSecond: return 1'000'000'000;
    case QType::kTime: return kMsNs;
    default: return 1;
  }
}

class Lowering {
 public:
  Expression of(const Expression& expression) {
    std::vector<Node> places;  // of the expression's nodes in the result
    for (ExpressionNode node : expression.nodes) {
      for (Node& argument : node.arguments) argument = places.empty() ? 0 : places[argument];
      places.push_back(node_of(node));
    }
    // The value is the last node: it may be one that was there before others.
    result_.nodes.resize(places.back() + std::size_t{1});
    return std::move(result_);
  }

 private:
  Node node_of(ExpressionNode& node) {
    const Node a = node.arguments[0];
    switch (node.operation) {
      case Operation::kGreaterThan:
      case Operation::kGreaterEqual:
        node.operation =
            node.operation == Operation::kGreaterThan ? Operation::kLess : Operation::kLessEqual;
        std::swap(node.arguments[0], node.arguments[1]);
        return add(node);
      case Operation::kCast: return cast(a, node.type);
      case Operation::kYear: {
        const Node years = with(Operation::kIntegerDivide, cast(a, QType::kMonth), 12);
        return with(Operation::kAdd, years, 2000);
      }
      case Operation::kMonthOfYear:
        return with(Operation::kAdd, with(Operation::kModulo, cast(a, QType::kMonth), 12), 1);
      case Operation::kDayOfMonth: {
        const Node date = cast(a, QType::kDate);
        const Node first = cast(cast(date, QType::kMonth), QType::kDate);
        return with(Operation::kAdd, pair(Operation::kSubtract, QType::kInt, date, first), 1);
      }
      case Operation::kHour: return with(Operation::kIntegerDivide, cast(a, QType::kMinute), 60);
      case Operation::kMinuteOfHour: return with(Operation::kModulo, cast(a, QType::kMinute), 60);
      case Operation::kSecondOfMinute: return with(Operation::kModulo, cast(a, QType::kSecond), 60);
      default: return add(node);
    }
  }

  QType type_of(Node node) const { return result_.nodes[node].type; }

  // One that is there already serves again.
  Node add(const ExpressionNode& node) {
    auto& nodes = result_.nodes;
    const auto found = std::find(nodes.begin(), nodes.end(), node);
    const auto place = static_cast<Node>(found - nodes.begin());
    if (place == nodes.size()) nodes.push_back(node);
    return place;
  }
  Node pair(Operation operation, QType type, Node a, Node b) {
    return add({operation, type, {a, b, 0}, 0, {}, {}, {}});
  }
  template <typename T>
  Node constant(QType type, T value) {
    ExpressionNode node{Operation::kConstant, type, {}, 0, {}, {}, {}};
    std::memcpy(node.constant.data(), &value, sizeof(value));
    return add(node);
  }
  // An int, or a long where the node has 8 bytes, and a constant.
  Node with(Operation operation, Node a, std::int64_t value) {
    if (type_width(type_of(a)) == 8)
      return pair(operation, QType::kLong, a, constant(QType::kLong, value));
    return pair(operation, QType::kInt, a, constant(QType::kInt, static_cast<std::int32_t>(value)));
  }
  Node with_float(Operation operation, Node a, double value) {
    return pair(operation, QType::kFloat, a, constant(QType::kFloat, value));
  }
  // As a number, whatever the types mean.
  Node number(Node a, QType to) {
    if (type_of(a) == to) return a;
    return add({Operation::kCast, to, {a, 0, 0}, 0, {}, {}, {}});
  }

  Node nanoseconds(Node a) {
    const QType type = type_of(a);
    if (type == QType::kTimestamp || type == QType::kTimespan) return a;
    if (type == QType::kMonth) return nanoseconds(cast(a, QType::kDate));
    if (type != QType::kDatetime)
      return with(Operation::kMultiply, number(a, QType::kLong), unit_ns(type));
    // A datetime is exact to the millisecond.
    const Node milliseconds = number(with_float(Operation::kMultiply, a, kDayMs), QType::kLong);
    return with(Operation::kMultiply, milliseconds, kMsNs);
  }

  Node cast(Node a, QType to) {
    const QType from = type_of(a);
    if (from == to) return a;
    if (!is_temporal(from) || !is_temporal(to)) return number(a, to);
    if (is_short_duration(from) && is_short_duration(to)) {
      const std::int64_t factor = unit_ns(from) / unit_ns(to);
      if (factor > 0) return number(with(Operation::kMultiply, a, factor), to);
      return number(with(Operation::kIntegerDivide, a, unit_ns(to) / unit_ns(from)), to);
    }
    switch (to) {
      case QType::kMonth:
        return add({Operation::kCast, to, {cast(a, QType::kDate), 0, 0}, 0, {}, {}, {}});
      case QType::kDatetime: return datetime(a);
      case QType::kDate:
        if (from == QType::kMonth) return add({Operation::kCast, to, {a, 0, 0}, 0, {}, {}, {}});
        break;
      default: break;
    }
    Node ns = nanoseconds(a);
    const bool is_of_day = is_instant(from) && !is_instant(to);
    if (is_of_day) ns = with(Operation::kModulo, ns, kDayNs);
    if (unit_ns(to) == 1) return number(ns, to);
    return number(with(Operation::kIntegerDivide, ns, unit_ns(to)), to);
  }

  Node datetime(Node a) {
    if (type_of(a) == QType::kMonth) a = cast(a, QType::kDate);
    if (type_of(a) == QType::kDate) return number(a, QType::kDatetime);
    return number(with_float(Operation::kDivide, number(nanoseconds(a), QType::kFloat),
                             static_cast<double>(kDayNs)),
                  QType::kDatetime);
  }

  Expression result_;
};

}  // namespace

Expression lowered(const Expression& expression) { return Lowering().of(expression); }

}  // namespace hdbench
