#include "queries/expression/expression_builder.h"

#include <algorithm>
#include <utility>

#include "queries/expression/expression_constants.h"

namespace hdbench::queries {

ExpressionBuilder::Index ExpressionBuilder::add(ExpressionNode node) {
  const auto found = std::find(nodes_.begin(), nodes_.end(), node);
  if (found != nodes_.end()) return static_cast<Index>(found - nodes_.begin());
  nodes_.push_back(std::move(node));
  return static_cast<Index>(nodes_.size() - 1);
}

ExpressionBuilder::Index ExpressionBuilder::field(std::size_t field, QType type) {
  ExpressionNode node = make_node(Operation::kField, type);
  node.field = field;
  return add(std::move(node));
}

ExpressionBuilder::Index ExpressionBuilder::apply(Operation operation, QType type,
                                                  std::initializer_list<Index> arguments) {
  const auto is_known = [&](Index index) { return is_constant(index); };
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
