#include "queries/syntax.h"

#include <algorithm>
#include <utility>

namespace hdbench::queries {
namespace {

bool are_same_names(const std::vector<Name>& a, const std::vector<Name>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Name& x, const Name& y) { return x.text == y.text; });
}

bool are_same_literals(const Literal& a, const Literal& b) {
  return a.type == b.type && a.is_list == b.is_list &&
         std::equal(
             a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(),
             [](const Atom& x, const Atom& y) { return x.type == y.type && x.value == y.value; });
}

bool are_same_items(const std::vector<ParsedItem>& a, const std::vector<ParsedItem>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ParsedItem& x, const ParsedItem& y) {
                      const bool same_name = x.alias.has_value() == y.alias.has_value() &&
                                             (!x.alias || x.alias->text == y.alias->text);
                      return same_name && are_alike(x.expression, y.expression);
                    });
}

bool are_same_queries(const Query* a, const Query* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->is_exec == b->is_exec && a->is_update == b->is_update &&
         a->distinct.has_value() == b->distinct.has_value() && !a->limit.position &&
         !b->limit.position && are_same_names(a->deleted, b->deleted) &&
         are_same_items(a->columns, b->columns) && are_same_items(a->by, b->by) &&
         are_alike(a->table, b->table) && are_alike(a->where, b->where);
}

}  // namespace

Syntax call_of(std::string function, std::vector<Syntax> arguments) {
  const std::size_t begin = arguments.front().begin;
  const std::size_t end = arguments.back().end;
  return {SyntaxKind::kCall, std::move(function), begin, {}, std::move(arguments), begin, end};
}

bool are_alike(const Syntax& a, const Syntax& b) {
  return a.kind == b.kind && a.text == b.text && are_same_literals(a.literal, b.literal) &&
         are_alike(a.arguments, b.arguments) && are_same_queries(a.query.get(), b.query.get());
}

bool are_alike(const std::vector<Syntax>& a, const std::vector<Syntax>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Syntax& x, const Syntax& y) { return are_alike(x, y); });
}

bool are_alike(const TableSyntax& a, const TableSyntax& b) {
  return a.kind == b.kind && a.name.text == b.name.text && are_same_names(a.keys, b.keys) &&
         a.numbers == b.numbers && a.windows == nullptr && b.windows == nullptr &&
         are_same_queries(a.query.get(), b.query.get()) &&
         std::equal(a.of.begin(), a.of.end(), b.of.begin(), b.of.end(),
                    [](const TableSyntax& x, const TableSyntax& y) { return are_alike(x, y); });
}

}  // namespace hdbench::queries
