// Builds one list of nodes: equal ones once, constants folded, casts only where types differ.
// Constants of expressions: from and to literals, cast, and folded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/expression/expression.h"
#include "queries/literal/literal.h"

namespace hdbench::queries {

// A node without arguments so far.
inline ExpressionNode make_node(Operation operation, QType type) {
  ExpressionNode node;
  node.operation = operation;
  node.type = type;
  return node;
}

// A constant of the atom's type. Requires: no symbol, no guid.
ExpressionNode constant_node(const Atom& atom);

// The atom of a constant, null and infinities of temporals as atoms have them.
Atom constant_atom(const ExpressionNode& node);

// A constant with this order key. Requires: a number, a temporal or a char.
ExpressionNode constant_of_key(QType type, std::int64_t key);

// The constant in another type, as kCast has it; nothing where only the engine decides (what does
// not fit).
std::optional<ExpressionNode> cast_constant(const ExpressionNode& node, QType type);

// The value of an operation on constants, as the engine would have it; nothing where this is not
// known here. `y` is null for one argument. Requires: both of one representation.
std::optional<ExpressionNode> fold(Operation operation, QType type, const ExpressionNode& x,
                                   const ExpressionNode* y);

class ExpressionBuilder {
 public:
  using Index = std::uint32_t;

  // The node, or the equal one that is there.
  Index add(ExpressionNode node);
  // `domain`: of a symbol that is an aggregate, which the engine settles; else null.
  Index field(std::size_t field, QType type, std::shared_ptr<const Domain> domain = nullptr);
  // Requires: as the operation has it (expression.h).
  Index apply(Operation operation, QType type, std::initializer_list<Index> arguments);
  Index boolean(bool value);
  // The argument itself where it has the type.
  Index cast(Index argument, QType type);
  Index in_set(Index argument, std::vector<std::int64_t> set);
  Index like(Index argument, std::string pattern);

  const ExpressionNode& operator[](Index index) const { return nodes_[index]; }
  bool is_constant(Index index) const { return nodes_[index].operation == Operation::kConstant; }

  // The nodes that this one needs, itself being the last.
  Expression take(Index root) const;

 private:
  std::vector<ExpressionNode> nodes_;
};

}  // namespace hdbench::queries
