#include "queries/list_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "queries/expression/aggregate_binder.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

// count distinct x, and what takes `x where c` as x with nulls.
bool is_plain_aggregate(const Syntax& call) {
  const Syntax& list = call.arguments[0];
  if (list.text == "distinct" && call.text == "count")
    return !is_of_kind(list.arguments[0], FunctionKind::kList);
  const Aggregate aggregate = find_function(call.text, 1)->aggregate;
  return list.text == "where" && (aggregate == Aggregate::kCount || leaves_nulls_out(aggregate));
}

// 1 2 sublist: two items from the second on.
Result<ListStep> pair_of(const Literal& pair, const Syntax& call) {
  std::int64_t numbers[2] = {};
  for (std::size_t n = 0; n < 2; ++n) {
    const auto* number = std::get_if<std::int64_t>(&pair.atoms[n].value);
    if (number == nullptr || *number < 0 || pair.atoms[n].type > QType::kLong)
      return text_error("sublist takes a number of rows, or a first row and a number",
                        call.position);
    numbers[n] = *number;
  }
  return ListStep{ListStep::Kind::kTake, {numbers[0], numbers[1]}};
}

Result<ListStep> list_step(const Syntax& call, const BindScope& scope) {
  constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  const std::string& word = call.text;
  if (word == "asc") return ListStep{ListStep::Kind::kAscending};
  if (word == "desc") return ListStep{ListStep::Kind::kDescending};
  if (word == "distinct") return ListStep{ListStep::Kind::kDistinct};
  if (word == "where") return ListStep{ListStep::Kind::kWhere};
  if (word == "reverse") return ListStep{ListStep::Kind::kTake, {0, kAll, false, true}};
  const Syntax& left = call.arguments[0];
  const bool is_pair =
      word == "sublist" && scope.is_literal(left) && scope.literal_of(left).atoms.size() == 2;
  if (is_pair) return pair_of(scope.literal_of(left), call);
  HDB_ASSIGN(const std::int64_t number, length_of(left, call, scope));
  if (word == "#") return ListStep{ListStep::Kind::kTake, {0, number, true}};
  if (word == "sublist") return ListStep{ListStep::Kind::kTake, {0, number}};
  ListStep drop{ListStep::Kind::kTake, {std::max<std::int64_t>(number, 0), kAll}};
  drop.take.without_last = std::max<std::int64_t>(-number, 0);
  return drop;
}

}  // namespace

bool is_of_kind(const Syntax& syntax, FunctionKind kind) {
  if (syntax.kind != SyntaxKind::kCall) return false;
  const Function* function = find_function(syntax.text, syntax.arguments.size());
  return function != nullptr && function->kind == kind;
}

Result<std::int64_t> length_of(const Syntax& syntax, const Syntax& call, const BindScope& scope) {
  const Literal length =
      scope.is_literal(syntax) ? scope.literal_of(syntax) : Literal{QType::kNested, true, {}};
  const bool is_atom = !length.is_list && length.type >= QType::kShort &&
                       length.type <= QType::kLong && !is_null(length.atoms[0]);
  if (!is_atom) {
    return text_error(fmt::format("'type: {} takes a number of rows on its left, such as 5 {} x",
                                  call.text, call.text),
                      syntax.begin);
  }
  return std::get<std::int64_t>(length.atoms.front().value);
}

Status take_list_steps(PhraseItem& item, const BindScope& scope) {
  const Syntax* syntax = item.expression;
  const auto gives_list = [&](const Syntax& of) {
    return !scope.made->contains(&of) &&
           (is_of_kind(of, FunctionKind::kList) || is_of_kind(of, FunctionKind::kDistinct));
  };
  if (is_aggregate(*syntax, scope.made) && syntax->arguments.size() == 1 &&
      gives_list(syntax->arguments[0]) && !is_plain_aggregate(*syntax)) {
    item.list.aggregate = find_function(syntax->text, 1)->aggregate;
    syntax = &syntax->arguments[0];
  }
  std::vector<ListStep> steps;
  while (gives_list(*syntax)) {
    if (syntax->text == "where" && gives_list(syntax->arguments[0]))
      return text_error("where chooses from a column: write the other functions before it",
                        syntax->position);
    HDB_ASSIGN(const ListStep step, list_step(*syntax, scope));
    if (step.kind == ListStep::Kind::kWhere) item.chosen_by.push_back(&syntax->arguments[1]);
    steps.push_back(step);
    syntax = &syntax->arguments[syntax->text == "where" ? 0 : syntax->arguments.size() - 1];
  }
  item.list.steps.assign(steps.rbegin(), steps.rend());
  item.expression = syntax;
  return ok_status();
}

}  // namespace hdbench::queries
