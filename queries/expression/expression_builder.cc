#include "queries/expression/expression_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/column/column.h"
#include "queries/expression/expression_types.h"
#include "queries/literal/key_position.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool is_number_constant(QType type) { return is_a_number(type) || type == QType::kChar; }

std::int64_t null_of_width(std::uint32_t width) {
  switch (width) {
    case 1: return 0;
    case 2: return kNullShort;
    case 4: return kNullInt;
    default: return kNullLong;
  }
}

ExpressionNode real_node(QType type, double value) {
  ExpressionNode node = make_node(Operation::kConstant, type);
  if (type == QType::kReal) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(node.constant.data(), &narrow, sizeof(narrow));
  } else {
    std::memcpy(node.constant.data(), &value, sizeof(value));
  }
  return node;
}

// The low bytes of the value, so that what is too large wraps.
ExpressionNode integer_node(QType type, std::int64_t value) {
  ExpressionNode node = make_node(Operation::kConstant, type);
  std::memcpy(node.constant.data(), &value, type_width(type));
  return node;
}

double real_of(const ExpressionNode& node) {
  if (node.type == QType::kReal) {
    return static_cast<double>(load_element<float>(node.constant.data()));
  }
  return load_element<double>(node.constant.data());
}

std::int64_t integer_of(const ExpressionNode& node) {
  return element_order_key(node.type, type_width(node.type), node.constant.data());
}

bool is_null_constant(const ExpressionNode& node) {
  if (is_floating(node.type)) return std::isnan(real_of(node));
  const std::uint32_t width = type_width(node.type);
  return width > 1 && integer_of(node) == null_of_width(width);
}

ExpressionNode null_node(QType type) {
  return is_floating(type) ? real_node(type, kNaN)
                           : integer_node(type, null_of_width(type_width(type)));
}

std::optional<double> fold_reals(Operation operation, double x, double y) {
  switch (operation) {
    case Operation::kAdd: return x + y;
    case Operation::kSubtract: return x - y;
    case Operation::kMultiply: return x * y;
    case Operation::kDivide: return x / y;
    case Operation::kNegate: return -x;
    case Operation::kAbsolute: return std::fabs(x);
    default: return std::nullopt;
  }
}

std::optional<std::int64_t> fold_integers(Operation operation, std::int64_t x, std::int64_t y) {
  const auto a = static_cast<std::uint64_t>(x);
  const auto b = static_cast<std::uint64_t>(y);
  switch (operation) {
    case Operation::kAdd: return static_cast<std::int64_t>(a + b);
    case Operation::kSubtract: return static_cast<std::int64_t>(a - b);
    case Operation::kMultiply: return static_cast<std::int64_t>(a * b);
    case Operation::kNegate: return static_cast<std::int64_t>(0 - a);
    case Operation::kAbsolute: return static_cast<std::int64_t>(x < 0 ? 0 - a : a);
    default: return std::nullopt;
  }
}

std::optional<bool> fold_comparison(Operation operation, std::int64_t x, std::int64_t y) {
  switch (operation) {
    case Operation::kEqual: return x == y;
    case Operation::kNotEqual: return x != y;
    case Operation::kLess: return x < y;
    case Operation::kLessEqual: return x <= y;
    case Operation::kGreaterThan: return x > y;
    case Operation::kGreaterEqual: return x >= y;
    case Operation::kAnd: return x != 0 && y != 0;
    case Operation::kOr: return x != 0 || y != 0;
    case Operation::kNot: return x == 0;
    default: return std::nullopt;
  }
}

}  // namespace

ExpressionNode constant_node(const Atom& atom) {
  if (is_null(atom)) return null_node(atom.type);
  if (const auto* real = std::get_if<double>(&atom.value)) return real_node(atom.type, *real);
  auto value = std::get<std::int64_t>(atom.value);
  if (!is_number_constant(atom.type) && type_width(atom.type) == 4) {
    value = std::clamp(value, -kInfiniteInt, kInfiniteInt);
  }
  return integer_node(atom.type, value);
}

Atom constant_atom(const ExpressionNode& node) {
  if (node.type == QType::kSymbol) {
    const auto code = load_element<std::int64_t>(node.constant.data());
    return {node.type, std::string(node.domain->text(static_cast<std::size_t>(code))), 0};
  }
  if (is_floating(node.type)) return {node.type, real_of(node), 0};
  if (is_null_constant(node)) return {node.type, kNullLong, 0};
  std::int64_t value = integer_of(node);
  if (!is_number_constant(node.type) && type_width(node.type) == 4) {
    if (value == kInfiniteInt) value = kInfinity;
    if (value == -kInfiniteInt) value = -kInfinity;
  }
  return {node.type, value, 0};
}

ExpressionNode constant_of_key(QType type, std::int64_t key) {
  return is_floating(type) ? real_node(type, float_from_order_key(key)) : integer_node(type, key);
}

std::optional<ExpressionNode> cast_constant(const ExpressionNode& node, QType type) {
  if (node.type == type) return node;
  if (is_null_constant(node)) {
    if (type_width(type) == 1) return std::nullopt;
    return null_node(type);
  }
  const bool is_temporal_pair = !is_number_constant(node.type) && !is_number_constant(type);
  if (is_temporal_pair) {
    if (family_of(node.type) != family_of(type) || is_floating(type)) return std::nullopt;
    return constant_of_key(type, place(type, constant_atom(node)).floor);
  }
  if (is_floating(type)) {
    return real_node(
        type, is_floating(node.type) ? real_of(node) : static_cast<double>(integer_of(node)));
  }
  if (is_floating(node.type)) return std::nullopt;
  const std::int64_t value = integer_of(node);
  ExpressionNode made = integer_node(type, value);
  if (integer_of(made) != value || is_null_constant(made)) return std::nullopt;
  return made;
}

std::optional<ExpressionNode> fold(Operation operation, QType type, const ExpressionNode& x,
                                   const ExpressionNode* y) {
  const ExpressionNode& other = y == nullptr ? x : *y;
  const auto truth =
      fold_comparison(operation, element_order_key(x.type, type_width(x.type), x.constant.data()),
                      element_order_key(other.type, type_width(other.type), other.constant.data()));
  if (truth) return integer_node(QType::kBoolean, *truth ? 1 : 0);
  const bool is_real = is_floating(x.type);
  if (is_real) {
    const auto value = fold_reals(operation, real_of(x), real_of(other));
    if (!value || !is_floating(type)) return std::nullopt;
    if (is_null_constant(x) || is_null_constant(other)) return null_node(type);
    return real_node(type, *value);
  }
  const auto value = fold_integers(operation, integer_of(x), integer_of(other));
  if (!value || is_floating(type)) return std::nullopt;
  if (is_null_constant(x) || is_null_constant(other)) return null_node(type);
  return integer_node(type, *value);
}

ExpressionBuilder::Index ExpressionBuilder::add(ExpressionNode node) {
  const auto found = std::find(nodes_.begin(), nodes_.end(), node);
  if (found != nodes_.end()) return static_cast<Index>(found - nodes_.begin());
  nodes_.push_back(std::move(node));
  return static_cast<Index>(nodes_.size() - 1);
}

ExpressionBuilder::Index ExpressionBuilder::field(std::size_t field, QType type,
                                                  std::shared_ptr<const Domain> domain) {
  ExpressionNode node = make_node(Operation::kField, type);
  node.field = field;
  node.domain = std::move(domain);
  return add(std::move(node));
}

ExpressionBuilder::Index ExpressionBuilder::apply(Operation operation, QType type,
                                                  std::initializer_list<Index> arguments) {
  const auto is_known = [&](Index index) {
    return is_constant(index) && nodes_[index].type != QType::kSymbol;
  };
  if (arguments.size() <= 2 && std::all_of(arguments.begin(), arguments.end(), is_known)) {
    const ExpressionNode& x = nodes_[*arguments.begin()];
    const ExpressionNode* y = arguments.size() == 2 ? &nodes_[arguments.begin()[1]] : nullptr;
    auto folded =
        operation == Operation::kCast ? cast_constant(x, type) : fold(operation, type, x, y);
    if (folded) return add(std::move(*folded));
  }
  ExpressionNode node = make_node(operation, type);
  std::copy(arguments.begin(), arguments.end(), node.arguments.begin());
  return add(std::move(node));
}

ExpressionBuilder::Index ExpressionBuilder::boolean(bool value) {
  return add(constant_of_key(QType::kBoolean, value ? 1 : 0));
}

ExpressionBuilder::Index ExpressionBuilder::cast(Index argument, QType type) {
  if (nodes_[argument].type == type) return argument;
  return apply(Operation::kCast, type, {argument});
}

ExpressionBuilder::Index ExpressionBuilder::in_set(Index argument, std::vector<std::int64_t> set) {
  ExpressionNode node = make_node(Operation::kInSet, QType::kBoolean);
  node.arguments[0] = argument;
  node.set = std::move(set);
  return add(std::move(node));
}

ExpressionBuilder::Index ExpressionBuilder::like(Index argument, std::string pattern) {
  ExpressionNode node = make_node(Operation::kLike, QType::kBoolean);
  node.arguments[0] = argument;
  node.pattern = std::move(pattern);
  return add(std::move(node));
}

Expression ExpressionBuilder::take(Index root) const {
  std::vector<bool> is_needed(root + 1, false);
  is_needed[root] = true;
  for (std::size_t i = root + 1; i-- > 0;) {
    if (!is_needed[i]) continue;
    for (std::size_t a = 0; a < argument_count(nodes_[i].operation); ++a) {
      is_needed[nodes_[i].arguments[a]] = true;
    }
  }
  Expression expression;
  std::vector<Index> places(root + 1, 0);
  for (std::size_t i = 0; i <= root; ++i) {
    if (!is_needed[i]) continue;
    places[i] = static_cast<Index>(expression.nodes.size());
    expression.nodes.push_back(nodes_[i]);
    for (std::size_t a = 0; a < argument_count(nodes_[i].operation); ++a) {
      Index& argument = expression.nodes.back().arguments[a];
      argument = places[argument];
    }
  }
  return expression;
}

}  // namespace hdbench::queries
