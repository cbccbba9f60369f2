#include "queries/condition_binder.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "queries/expression/computed_fields.h"
#include "queries/expression/expression_binder.h"
#include "queries/expression/expression_types.h"
#include "queries/literal_comparison.h"
#include "queries/literal_parser.h"
#include "queries/type_text.h"

namespace hdbench {
namespace {

constexpr RangeTest kTrue{1, 1};

class ConditionBinder {
 public:
  ConditionBinder(const BindScope& scope, Plan& plan) : scope_(scope), plan_(plan) {}

  Result<Condition> run(const Syntax& syntax) {
    Condition condition;
    condition.text = scope_.written(syntax);
    if (const auto unreadable = unreadable_field(syntax, scope_)) {
      condition.field = *unreadable;
      return condition;
    }
    const Syntax* inner = &syntax;
    for (; inner->is_call("not", 1); inner = &inner->arguments[0]) {
      condition.negated = !condition.negated;
    }
    HDB_ASSIGN(const bool is_test, column_test(*inner, condition));
    if (is_test) return condition;
    condition.test = kTrue;
    const std::size_t computed_before = plan_.computed.size();
    HDB_ASSIGN(condition.field, bind_field(*inner, scope_, plan_));
    if (type_of(condition) == QType::kBoolean) return condition;
    if (inner == &syntax) return no_boolean(syntax, condition);
    // `not` of a number is whether it is zero.
    plan_.computed.resize(computed_before);
    condition.negated = false;
    HDB_ASSIGN(condition.field, bind_field(syntax, scope_, plan_));
    return condition;
  }

 private:
  QType type_of(const Condition& condition) const {
    return field_type(plan_, scope_.table, condition.field);
  }

  Error no_boolean(const Syntax& syntax, const Condition& condition) const {
    return text_error(fmt::format("'type: a condition is a boolean, such as {}>0; found {}",
                                  condition.text, a_type(type_of(condition))),
                      syntax.begin);
  }

  // Whether the condition is a test of a column, which it then fills in.
  Result<bool> column_test(const Syntax& syntax, Condition& condition) {
    if (syntax.kind != SyntaxKind::kCall || syntax.arguments.size() != 2) return false;
    auto comparison = comparison_of(syntax.text);
    if (!comparison) return false;
    const Syntax* column = &syntax.arguments[0];
    const Syntax* value = &syntax.arguments[1];
    HDB_ASSIGN(auto field, bare_column(*column, scope_.table));
    if (!field) {
      comparison = flipped(*comparison);
      std::swap(column, value);
      HDB_ASSIGN(field, bare_column(*column, scope_.table));
    }
    if (!field || !comparison) return false;
    Literal literal;
    HDB_ASSIGN(const bool is_constant, read_constant(*value, literal));
    if (!is_constant) return false;
    const Field& tested = scope_.table.schema().fields[*field];
    if (tested.type == QType::kTimestamp && is_span(literal.type)) return false;
    condition.field = *field;
    condition.negated = condition.negated != (*comparison == Comparison::kNotEqual);
    HDB_ASSIGN(condition.test,
               bind_literal_test({"column " + column->text, tested.type, tested.domain.get()},
                                 {*comparison, syntax.position, std::move(literal)}));
    return true;
  }

  // Whether this is a literal, or as constant as one.
  Result<bool> read_constant(const Syntax& syntax, Literal& literal) {
    if (syntax.kind == SyntaxKind::kLiteral) {
      literal = syntax.literal;
      return true;
    }
    if (syntax.kind == SyntaxKind::kName) return false;
    if (syntax.kind == SyntaxKind::kList) return read_list(syntax, literal);
    TableLeaves leaves(scope_.table);
    HDB_ASSIGN(const Expression expression, bind_expression(syntax, scope_, leaves));
    const ExpressionNode& node = expression.nodes.back();
    if (node.operation != Operation::kConstant) return false;
    literal = constant_literal(node, syntax);
    return true;
  }

  // (last[date]-5;last date)
  Result<bool> read_list(const Syntax& syntax, Literal& literal) {
    std::vector<Literal> elements(syntax.arguments.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      HDB_ASSIGN(const bool is_constant, read_constant(syntax.arguments[i], elements[i]));
      if (!is_constant) return false;
    }
    HDB_ASSIGN(literal, make_list(std::move(elements), syntax.begin, syntax.end));
    return true;
  }

  const BindScope& scope_;
  Plan& plan_;
};

}  // namespace

Result<Condition> bind_condition(const Syntax& syntax, const BindScope& scope, Plan& plan) {
  return ConditionBinder(scope, plan).run(syntax);
}

}  // namespace hdbench
