#include "queries/expression/value_operations.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <variant>

#include "queries/types.h"

namespace hdbench::queries {
namespace {

using Index = ExpressionBuilder::Index;

BoundValue made_value(Index node, const ExpressionBuilder& builder) {
  return {node, builder[node].type, {}};
}

Index lower_range(const BoundValue& value, RangeTest range, ExpressionBuilder& builder) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (range.low > range.high) return builder.boolean(false);
  // Keys of reals are those of the widened double.
  const QType type = value.type == QType::kReal ? QType::kFloat : value.type;
  const Index x = builder.cast(value.node, type);
  // No element has the key -1: it would be that of -0.0, which is 0.0's.
  if (is_floating(type) && range.low == -1) range.low = 0;
  if (is_floating(type) && range.high == -1) range.high = -2;
  const auto compare = [&](Operation operation, std::int64_t key) {
    return builder.apply(operation, QType::kBoolean, {x, builder.add(constant_of_key(type, key))});
  };
  if (range.low == range.high) {
    if (type != QType::kBoolean) return compare(Operation::kEqual, range.low);
    return range.low == 1 ? x : builder.apply(Operation::kNot, type, {x});
  }
  if (range.low == kLeast && range.high == kMost) return builder.boolean(true);
  if (range.low == kLeast) return compare(Operation::kLessEqual, range.high);
  if (range.high == kMost) return compare(Operation::kGreaterEqual, range.low);
  const Index low = compare(Operation::kGreaterEqual, range.low);
  return builder.apply(Operation::kAnd, QType::kBoolean,
                       {low, compare(Operation::kLessEqual, range.high)});
}

}  // namespace

BoundValue apply_pair(Operation operation, const BoundValue& x, const BoundValue& y,
                      const PairTypes& types, ExpressionBuilder& builder) {
  const Index left = builder.cast(x.node, types.left);
  const Index right = builder.cast(y.node, types.right);
  return made_value(builder.apply(operation, types.result, {left, right}), builder);
}

std::optional<PairTypes> divisible(const BoundValue& x, const BoundValue& y) {
  const auto counts = [](QType type) { return is_a_number(type) || is_span(type); };
  if (!counts(x.type) || !counts(y.type)) return std::nullopt;
  if (!is_span(x.type) || !is_span(y.type)) return PairTypes{x.type, y.type, QType::kFloat};
  const QType unit = *common_type(x.type, y.type);
  return PairTypes{unit, unit, QType::kFloat};
}

BoundValue real_quotient(const BoundValue& x, const BoundValue& y, ExpressionBuilder& builder) {
  const Index left = builder.cast(x.node, QType::kFloat);
  const Index right = builder.cast(y.node, QType::kFloat);
  const Index quotient = builder.apply(Operation::kDivide, QType::kFloat, {left, right});
  return made_value(builder.apply(Operation::kFloor, QType::kLong, {quotient}), builder);
}

Result<BoundValue> apply_bar(std::size_t position, const BoundValue& width, const BoundValue& x,
                             const PairTypes& types, ExpressionBuilder& builder) {
  const Index left = builder.cast(width.node, types.left);
  if (builder.is_constant(left) && types.right != x.type && is_span(x.type)) {
    const auto exact = cast_constant(builder[left], x.type);
    if (exact && cast_constant(*exact, types.left) == builder[left]) {
      const Index whole = builder.add(*exact);
      return made_value(builder.apply(Operation::kBar, x.type, {whole, x.node}), builder);
    }
    return text_error(fmt::format("'type: the bar is finer than {}", a_type(x.type)), position);
  }
  if (builder.is_constant(left) && types.result == QType::kInt && types.left != QType::kInt) {
    if (const auto narrow = cast_constant(builder[left], QType::kInt)) {
      return apply_pair(Operation::kBar, made_value(builder.add(*narrow), builder), x,
                        {QType::kInt, QType::kInt, QType::kInt}, builder);
    }
  }
  const Index right = builder.cast(x.node, types.right);
  const Index made = builder.apply(Operation::kBar, types.right, {left, right});
  return made_value(builder.cast(made, types.result), builder);
}

Index lower_test(const BoundValue& value, const Test& test, ExpressionBuilder& builder) {
  if (const auto* codes = std::get_if<CodeTest>(&test))
    return builder.in_set(value.node, {codes->codes.begin(), codes->codes.end()});
  if (const auto* set = std::get_if<SetTest>(&test)) return builder.in_set(value.node, set->keys);
  if (const auto* like = std::get_if<LikeTest>(&test))
    return builder.like(value.node, like->pattern);
  return lower_range(value, std::get<RangeTest>(test), builder);
}

}  // namespace hdbench::queries
