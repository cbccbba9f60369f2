// Random queries as text, for property tests: expressions with all their parentheses, from a few
// forms that stand within each other.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace hdbench::queries {

enum class TextKind : std::uint8_t { kNumber, kBoolean, kSymbol, kTime, kDate, kChar, kList };

// A column that a query may name. Sums of floats are compared bit by bit where __float128 holds
// them exactly.
struct TextColumn {
  std::string name;
  TextKind kind = TextKind::kNumber;
  bool sums_exactly = false;     // of its values, and of products of two
  bool squares_exactly = false;  // their squares too, multiplied by a count
};

struct TextTable {
  std::string text;  // a table's name, or a query in parentheses
  std::vector<TextColumn> columns;
};

using Dice = std::mt19937_64;

// A query over the two tables, whose columns date, sym and time are of one kind. depth: how many
// queries may stand within each other. Compilers draw in different orders: a seed gives the same
// query again with the same one.
std::string random_query(Dice& dice, const TextTable& left, const TextTable& right, int depth);

}  // namespace hdbench::queries
