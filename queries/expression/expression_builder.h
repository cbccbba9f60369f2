// Builds one list of nodes: equal ones once, constants folded, casts only where types differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "engine/expression/expression.h"

namespace hdbench::queries {

class ExpressionBuilder {
 public:
  using Index = std::uint32_t;

  // The node, or the equal one that is there.
  Index add(ExpressionNode node);
  Index field(std::size_t field, QType type);
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
