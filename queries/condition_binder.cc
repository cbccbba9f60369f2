#include "queries/condition_binder.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "queries/expression/expression_binder.h"
#include "queries/expression/expression_builder.h"
#include "queries/expression/expression_types.h"
#include "queries/literal/literal_comparison.h"
#include "queries/literal/literal_parser.h"
#include "queries/types.h"

namespace hdbench::queries {
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
    HDB_ASSIGN(auto field, bare_column(*column, scope_));
    if (!field) {
      comparison = flipped(*comparison);
      std::swap(column, value);
      HDB_ASSIGN(field, bare_column(*column, scope_));
    }
    if (!field || !comparison) return false;
    if (value->kind == SyntaxKind::kQuery) {
      HDB_TRY(query_test(syntax, *column, *field, *comparison, *value, condition));
      return true;
    }
    Literal literal;
    HDB_ASSIGN(const bool is_constant, read_constant(*value, literal));
    if (!is_constant) return false;
    const Field& tested = scope_.table.schema().fields[*field];
    if (tested.type == QType::kTimestamp && is_span(literal.type)) return false;
    condition.field = *field;
    condition.negated = condition.negated != (*comparison == Comparison::kNotEqual);
    HDB_ASSIGN(
        condition.test,
        bind_literal_test({"column " + *scope_.name_of(*column), tested.type, tested.domain.get()},
                          {*comparison, syntax.position, std::move(literal)}));
    return true;
  }

  // A column compared with what a query gives: the test is made of its rows when they are there.
  Status query_test(const Syntax& syntax, const Syntax& column, std::size_t field,
                    Comparison comparison, const Syntax& value, Condition& condition) {
    HDB_ASSIGN(PlanSide query, bind_query(*value.query, value.query->table, scope_.context));
    if (query.rows.fields.size() != 1 || query.rows.fields.front().type == QType::kNested) {
      return text_error("'type: the query within gives no list of values: exec one column",
                        value.begin);
    }
    const Field tested = scope_.table.schema().fields[field];
    condition.field = field;
    condition.negated = condition.negated != (comparison == Comparison::kNotEqual);
    const auto make_test = [tested, comparison, text = "column " + *scope_.name_of(column),
                            position = syntax.position,
                            begin = value.begin](const ResultTable& rows) -> Result<Test> {
      HDB_ASSIGN(Literal literal, literal_of(rows, comparison, begin));
      return bind_literal_test({text, tested.type, tested.domain.get()},
                               {comparison, position, std::move(literal)});
    };
    // Its type is right or wrong already.
    Literal none{query.rows.fields.front().type, true, {}, value.begin, value.end};
    HDB_ASSIGN(condition.test, bind_literal_test({"column " + *scope_.name_of(column), tested.type,
                                                  tested.domain.get()},
                                                 {Comparison::kIn, syntax.position, none}));
    plan_.condition_queries.push_back({plan_.where.size(), std::move(query), make_test});
    return ok_status();
  }

  static Atom atom_of(const ResultColumn& column, std::uint64_t row, std::size_t position) {
    const std::byte* const element = column.buffer.data() + row * column.width;
    Atom atom{column.type, std::int64_t{0}, position};
    if (column.type == QType::kSymbol) {
      std::uint64_t code = 0;
      std::memcpy(&code, element, column.width);
      atom.value = std::string(column.domain->text(static_cast<std::size_t>(code)));
    } else if (column.type == QType::kGuid) {
      Guid guid;
      std::memcpy(guid.data(), element, guid.size());
      atom.value = guid;
    } else {
      ExpressionNode node = make_node(Operation::kConstant, column.type);
      std::memcpy(node.constant.data(), element, column.width);
      atom.value = constant_atom(node).value;
    }
    return atom;
  }

  // The values as the text could have them.
  static Result<Literal> literal_of(const ResultTable& rows, Comparison comparison,
                                    std::size_t position) {
    const bool is_list = comparison == Comparison::kIn || comparison == Comparison::kWithin;
    const ResultColumn& column = rows.columns.front();
    if (!is_list && rows.rows != 1) {
      return text_error(
          fmt::format("'length: one value is compared, the query within gives {}", rows.rows),
          position);
    }
    Literal literal{column.type, is_list, {}, position, position};
    for (std::uint64_t row = 0; row < rows.rows; ++row)
      literal.atoms.push_back(atom_of(column, row, position));
    return literal;
  }

  // Whether this is a literal, or as constant as one.
  Result<bool> read_constant(const Syntax& syntax, Literal& literal) {
    if (scope_.is_literal(syntax)) {
      literal = scope_.literal_of(syntax);
      return true;
    }
    if (scope_.name_of(syntax) != nullptr) return false;
    if (syntax.kind == SyntaxKind::kList) return read_list(syntax, literal);
    HDB_ASSIGN(const Expression expression, bind_expression(syntax, scope_));
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

}  // namespace hdbench::queries
