#include "queries/expression/expression_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "engine/operator/aggregator.h"
#include "queries/expression/aggregate_binder.h"
#include "queries/expression/expression_builder.h"
#include "queries/expression/expression_types.h"
#include "queries/expression/functions.h"
#include "queries/expression/symbol_values.h"
#include "queries/expression/value_operations.h"
#include "queries/literal/literal_comparison.h"
#include "queries/literal/literal_parser.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

using Index = ExpressionBuilder::Index;

Error type_mismatch(const Syntax& call, const Function& function, std::string found) {
  return text_error(fmt::format("'type: {} takes {}; found {}", call.text, function.takes, found),
                    call.position);
}

class ExpressionBinder {
 public:
  // `plan`: of whose aggregates the expression is; null: it is one of rows.
  ExpressionBinder(const BindScope& scope, Plan* plan) : scope_(scope), plan_(plan) {}

  Result<Expression> run(const Syntax& syntax) {
    HDB_ASSIGN(const BoundValue value, bind(syntax));
    Expression expression = builder_.take(value.node);
    expression.domain = value.domain;
    return expression;
  }

 private:
  bool is_literal(const Syntax& syntax) const { return scope_.is_literal(syntax); }

  Result<BoundValue> bind(const Syntax& syntax) {
    if (is_literal(syntax)) return literal(scope_.literal_of(syntax));
    if (const std::string* const text = scope_.name_of(syntax)) return name(*text, syntax);
    switch (syntax.kind) {
      case SyntaxKind::kCall: return call(syntax);
      case SyntaxKind::kQuery:
        return text_error(
            "not supported yet: a query within an expression, but for a column "
            "compared with it: sym in exec sym from ...",
            syntax.begin);
      default: break;
    }
    return text_error("a list can stand only behind in and within", syntax.begin);
  }

  BoundValue value_of(Index node) const { return {node, builder_[node].type, {}}; }

  static constexpr Index kNoNode = std::numeric_limits<Index>::max();

  // The table's column of that name; kNoNode: it has none.
  Result<BoundValue> column(const std::string& name, std::size_t position) {
    if (plan_ != nullptr) {
      return text_error(fmt::format("'{}' is outside of an aggregate and beside one: mixing "
                                    "them is not supported",
                                    name),
                        position);
    }
    if (!scope_.table.schema().find(name)) return BoundValue{kNoNode, QType::kLong, {}};
    HDB_ASSIGN(const std::size_t at, find_column(scope_.table, {name, position}));
    const Field& field = scope_.table.schema().fields[at];
    return BoundValue{builder_.field(at, field.type), field.type, field.domain};
  }

  Result<BoundValue> name(const std::string& text, const Syntax& syntax) {
    HDB_ASSIGN(const BoundValue value, column(text, syntax.position));
    if (value.node != kNoNode) return value;
    if (text == "i") {
      return value_of(builder_.add(make_node(Operation::kRow, QType::kLong)));
    }
    const std::size_t dot = text.rfind('.');
    if (dot != std::string::npos && dot != 0) {
      HDB_ASSIGN(const BoundValue whole, column(text.substr(0, dot), syntax.position));
      if (whole.node != kNoNode && !is_link(text.substr(0, dot)))
        return part(whole, text.substr(dot + 1), syntax);
    }
    if (text.front() == '.') {
      return text_error(fmt::format("not supported yet: {}", text), syntax.position);
    }
    if (find_function(text) != nullptr) {
      return text_error(fmt::format("{} is a function: what it is of is missing", text),
                        syntax.position);
    }
    HDB_TRY(find_column(scope_.table, {text, syntax.position}));
    return text_error(fmt::format("'{}' may not stand here", text), syntax.position);
  }

  bool is_link(const std::string& column) const {
    return !scope_.table.schema().fields[*scope_.table.schema().find(column)].link.empty();
  }

  Result<BoundValue> part(const BoundValue& whole, const std::string& name, const Syntax& syntax) {
    const auto part = temporal_part(name, whole.type);
    if (!part) {
      const std::string parts = temporal_parts(whole.type);
      return text_error(fmt::format("'type: {} has no part {}{}", a_type(whole.type), name,
                                    parts.empty() ? "" : "; its parts are: " + parts),
                        syntax.position);
    }
    if (part->operation == Operation::kCast) return value_of(builder_.cast(whole.node, part->type));
    if (part->operation == Operation::kBar) return monday(whole);
    return value_of(builder_.apply(part->operation, part->type, {whole.node}));
  }

  // 2000.01.01 was a Saturday.
  BoundValue monday(const BoundValue& whole) {
    const auto number = [&](std::int64_t days) {
      return builder_.add(constant_of_key(QType::kInt, days));
    };
    const auto with = [&](Operation operation, Index a, Index b) {
      return builder_.apply(operation, QType::kInt, {a, b});
    };
    const Index days = builder_.cast(builder_.cast(whole.node, QType::kDate), QType::kInt);
    const Index weeks = with(Operation::kBar, number(7), with(Operation::kAdd, days, number(5)));
    return value_of(builder_.cast(with(Operation::kSubtract, weeks, number(5)), QType::kDate));
  }

  Result<BoundValue> literal(const Literal& literal) {
    if (literal.is_list) {
      return text_error("a list can stand only behind in, within and like", literal.begin);
    }
    if (literal.type == QType::kSymbol)
      return symbol_constant(std::get<std::string>(literal.atoms.front().value), builder_);
    if (literal.type == QType::kGuid) {
      return text_error(fmt::format("not supported yet: {} that is not compared with a column",
                                    a_type(literal.type)),
                        literal.begin);
    }
    return value_of(builder_.add(constant_node(literal.atoms.front())));
  }

  Result<BoundValue> call(const Syntax& syntax) {
    const Function* function = find_function(syntax.text, syntax.arguments.size());
    switch (function->kind) {
      case FunctionKind::kAggregate: return aggregate(syntax);
      case FunctionKind::kCast: return cast(syntax);
      case FunctionKind::kTest: return test(syntax);
      case FunctionKind::kSymbols: return text_case(syntax);
      case FunctionKind::kBin:
      case FunctionKind::kApply: return lookup(syntax);
      case FunctionKind::kItemCount: return item_count(syntax);
      case FunctionKind::kOperation: break;
      case FunctionKind::kList:
        if (&syntax == scope_.chosen) return chosen(syntax);
        return text_error(
            fmt::format("'{}' gives a list of another length: it can stand first in a "
                        "column, with an aggregate before it, alone",
                        syntax.text),
            syntax.position);
      default:
        return text_error(fmt::format("not supported yet: {}, except in count distinct and behind "
                                      "select and exec",
                                      syntax.text),
                          syntax.position);
    }
    if (comparison_of(syntax.text)) return comparison(syntax, *function);
    if (function->arity == 1) return unary(syntax, *function);
    return function->arity == 2 ? pair(syntax, *function) : choose(syntax, *function);
  }

  // upper, lower.
  Result<BoundValue> text_case(const Syntax& syntax) {
    HDB_ASSIGN(const BoundValue x, bind(syntax.arguments[0]));
    if (x.type != QType::kSymbol)
      return text_error(
          fmt::format("'type: {} takes a symbol; found {}", syntax.text, a_type(x.type)),
          syntax.position);
    const bool is_upper = syntax.text == "upper";
    const auto change = [is_upper](char c) {
      const bool is_other = is_upper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z';
      return is_other ? static_cast<char>(c ^ 0x20) : c;
    };
    return map_symbols(
        x,
        [&](std::string_view text) {
          std::string made(text);
          std::transform(made.begin(), made.end(), made.begin(), change);
          return made;
        },
        builder_);
  }

  // list bin x; a dictionary or a list, and an index.
  Result<BoundValue> lookup(const Syntax& syntax) {
    const Syntax& of = syntax.arguments[0];
    HDB_ASSIGN(const BoundValue x, bind(syntax.arguments[1]));
    const bool is_step = of.is_call("`s#!", 2);
    const bool is_dictionary = is_step || of.is_call("!", 2);
    if (is_dictionary) {
      const Literal& keys = of.arguments[0].literal;
      const bool are_lists = of.arguments[0].kind == SyntaxKind::kLiteral &&
                             of.arguments[1].kind == SyntaxKind::kLiteral && !keys.atoms.empty() &&
                             keys.atoms.size() == of.arguments[1].literal.atoms.size();
      if (!are_lists)
        return text_error("a dictionary is of two lists of literals of one length", of.begin);
    }
    if (is_dictionary)
      return bind_dictionary(of.arguments[0].literal, of.arguments[1].literal, is_step, x,
                             builder_);
    if (!is_literal(of))
      return text_error(fmt::format("not supported yet: {} of what is no literal", syntax.text),
                        of.begin);
    const Literal list = scope_.literal_of(of);
    return syntax.text == "bin" ? bind_bin(list, x, builder_) : bind_index(list, x, builder_);
  }

  Result<BoundValue> item_count(const Syntax& syntax) {
    HDB_ASSIGN(const BoundValue x, bind(syntax.arguments[0]));
    if (x.type != QType::kNested)
      return text_error(fmt::format("'type: count each takes lists; found {}", a_type(x.type)),
                        syntax.position);
    return value_of(builder_.apply(Operation::kItemCount, QType::kLong, {x.node}));
  }

  // `x where c` within an aggregate that leaves nulls out: x, or a null where c is false.
  Result<BoundValue> chosen(const Syntax& syntax) {
    HDB_ASSIGN(const BoundValue x, bind(syntax.arguments[0]));
    HDB_ASSIGN(const BoundValue which, bind(syntax.arguments[1]));
    const QType type = type_width(x.type) == 1 ? wide_number(x.type) : x.type;
    if (which.type != QType::kBoolean || !(is_a_number(x.type) || is_temporal(x.type)))
      return text_error(fmt::format("'type: where takes a boolean on its right, found {} and {}",
                                    a_type(x.type), a_type(which.type)),
                        syntax.position);
    const Atom null = is_floating(type) ? Atom{type, std::numeric_limits<double>::quiet_NaN(), 0}
                                        : Atom{type, kNullLong, 0};
    return value_of(builder_.apply(
        Operation::kChoose, type,
        {which.node, builder_.cast(x.node, type), builder_.add(constant_node(null))}));
  }

  // Of rows only the first and the last partition (`last date`), which are known already.
  Result<BoundValue> aggregate(const Syntax& call) {
    if (plan_ != nullptr) {
      HDB_ASSIGN(const std::size_t place, add_aggregate(call, scope_, *plan_));
      const Output& output = plan_->outputs[place];
      const std::vector<Field>& fields = scope_.table.schema().fields;
      const bool is_column = output.field && *output.field < fields.size();
      std::shared_ptr<const Domain> domain;
      if (output.field)
        domain = is_column ? fields[*output.field].domain
                           : plan_->computed[*output.field - fields.size()].expression.domain;
      const QType type =
          output.field
              ? aggregate_type(output.aggregate, field_type(*plan_, scope_.table, *output.field))
              : QType::kLong;
      if (type != QType::kSymbol) domain = nullptr;
      return BoundValue{builder_.field(place, type, domain), type, domain};
    }
    if (const auto known = partition_end(call))
      return value_of(builder_.add(constant_node(*known)));
    return text_error(
        fmt::format("not supported yet: the aggregate {} within an expression of rows", call.text),
        call.position);
  }

  std::optional<Atom> partition_end(const Syntax& call) const {
    const Schema& schema = scope_.table.schema();
    const Syntax& argument = call.arguments.back();
    const bool is_partition = schema.partitioned && call.arguments.size() == 1 &&
                              argument.kind == SyntaxKind::kName &&
                              argument.text == schema.fields[0].name;
    const bool is_last = call.text == "last" || call.text == "max";
    if (!is_partition || (!is_last && call.text != "first" && call.text != "min")) {
      return std::nullopt;
    }
    const std::size_t parts = scope_.table.part_count();
    const std::size_t part = is_last ? parts - 1 : 0;
    return Atom{schema.fields[0].type, parts == 0 ? kNullLong : scope_.table.partition_value(part),
                call.begin};
  }

  Result<BoundValue> cast(const Syntax& syntax) {
    const Syntax& target = syntax.arguments[0];
    const Literal named = is_literal(target) ? scope_.literal_of(target) : Literal{};
    const bool is_word =
        named.atoms.size() == 1 && (named.type == QType::kSymbol || named.type == QType::kChar);
    if (!is_word) {
      return text_error("'type: a cast is a type's name or letter: `long$x or \"j\"$x",
                        target.begin);
    }
    const Atom& atom = named.atoms.front();
    const std::string word =
        atom.type == QType::kSymbol
            ? std::get<std::string>(atom.value)
            : std::string(1, static_cast<char>(std::get<std::int64_t>(atom.value)));
    const auto type = cast_type(word);
    if (!type && !is_temporal_part(word)) {
      return text_error(fmt::format("no type is called {}", word), target.begin);
    }
    HDB_ASSIGN(const BoundValue value, bind(syntax.arguments[1]));
    if (!type) return part(value, word, syntax);
    if (*type == value.type) return value;
    if (!can_cast(value.type, *type)) {
      return text_error(
          fmt::format("'type: {} cannot be cast to {}", a_type(value.type), a_type(*type)),
          syntax.position);
    }
    if (*type != QType::kBoolean) return value_of(builder_.cast(value.node, *type));
    return value_of(
        builder_.apply(Operation::kNotEqual, QType::kBoolean, {value.node, zero(value.type)}));
  }

  Index zero(QType type) { return builder_.add(constant_of_key(type, 0)); }

  Result<BoundValue> unary(const Syntax& syntax, const Function& function) {
    const Syntax& argument = syntax.arguments[0];
    HDB_ASSIGN(const BoundValue x, bind(argument));
    const bool is_number = is_a_number(x.type);
    const Operation operation = function.operation;
    const auto mismatch = [&] { return type_mismatch(syntax, function, a_type(x.type)); };
    switch (operation) {
      case Operation::kNot:
        if (!is_number && !is_span(x.type) && !is_instant(x.type)) return mismatch();
        return value_of(builder_.apply(operation, QType::kBoolean, {x.node}));
      case Operation::kIsNull: return null_test(syntax, function, x);
      case Operation::kNegate:
      case Operation::kAbsolute: {
        if (!is_number && !is_span(x.type)) return mismatch();
        const QType type = is_number ? wide_number(x.type) : x.type;
        return value_of(builder_.apply(operation, type, {builder_.cast(x.node, type)}));
      }
      case Operation::kSignum: {
        if (!is_number && !is_span(x.type)) return mismatch();
        const Index wide = is_number ? builder_.cast(x.node, wide_number(x.type)) : x.node;
        return value_of(builder_.apply(operation, QType::kInt, {wide}));
      }
      case Operation::kFloor:
      case Operation::kCeiling:
        if (!is_number) return mismatch();
        if (!is_floating(x.type)) return value_of(builder_.cast(x.node, QType::kLong));
        return value_of(builder_.apply(operation, QType::kLong, {x.node}));
      default: {
        if (!is_number) return mismatch();
        const Index real = builder_.cast(x.node, QType::kFloat);
        return value_of(builder_.apply(operation, QType::kFloat, {real}));
      }
    }
  }

  Result<BoundValue> null_test(const Syntax& syntax, const Function& function,
                               const BoundValue& x) {
    if (x.type == QType::kSymbol) {
      LiteralComparison empty{Comparison::kEqual, syntax.position, {}};
      empty.value.type = QType::kSymbol;
      empty.value.atoms.push_back({QType::kSymbol, std::string(), syntax.position});
      return compare_literal(x, syntax.arguments[0], std::move(empty));
    }
    if (x.type == QType::kNested) {
      return type_mismatch(syntax, function, a_type(x.type));
    }
    return value_of(builder_.apply(Operation::kIsNull, QType::kBoolean, {x.node}));
  }

  Result<BoundValue> pair(const Syntax& syntax, const Function& function) {
    HDB_ASSIGN(BoundValue x, bind(syntax.arguments[0]));
    HDB_ASSIGN(BoundValue y, bind(syntax.arguments[1]));
    const auto mismatch = [&] {
      return type_mismatch(syntax, function,
                           fmt::format("{} and {}", a_type(x.type), a_type(y.type)));
    };
    Operation operation = function.operation;
    if (operation == Operation::kDivide) {
      const auto types = divisible(x, y);
      if (!types) return mismatch();
      const Index left = builder_.cast(builder_.cast(x.node, types->left), QType::kFloat);
      const Index right = builder_.cast(builder_.cast(y.node, types->right), QType::kFloat);
      return value_of(builder_.apply(operation, QType::kFloat, {left, right}));
    }
    if (operation == Operation::kLesser || operation == Operation::kGreater ||
        operation == Operation::kFill) {
      if (operation == Operation::kFill && x.type == QType::kSymbol && y.type == x.type) {
        share_domain(x, y, builder_);
        const Index filled = builder_.apply(operation, x.type, {x.node, y.node});
        return BoundValue{filled, x.type, x.domain};
      }
      auto type = common_type(x.type, y.type);
      if (!type) return mismatch();
      const bool is_fill = operation == Operation::kFill;
      if (!is_fill && *type == QType::kBoolean) {
        operation = operation == Operation::kLesser ? Operation::kAnd : Operation::kOr;
      } else if (!is_fill && is_a_number(*type)) {
        type = wide_number(*type);
      }
      return apply_pair(operation, x, y, {*type, *type, *type}, builder_);
    }
    const auto types = arithmetic_types(operation, x.type, y.type);
    if (!types) return mismatch();
    if (operation == Operation::kBar) return apply_bar(syntax.position, x, y, *types, builder_);
    const bool is_real_quotient =
        operation == Operation::kIntegerDivide && is_floating(types->result);
    if (is_real_quotient) return real_quotient(x, y, builder_);
    return apply_pair(operation, x, y, *types, builder_);
  }

  Result<BoundValue> choose(const Syntax& syntax, const Function& function) {
    HDB_ASSIGN(const BoundValue which, bind(syntax.arguments[0]));
    HDB_ASSIGN(BoundValue x, bind(syntax.arguments[1]));
    HDB_ASSIGN(BoundValue y, bind(syntax.arguments[2]));
    const bool are_symbols = x.type == QType::kSymbol && y.type == QType::kSymbol;
    if (which.type == QType::kBoolean && are_symbols) {
      share_domain(x, y, builder_);
      return BoundValue{builder_.apply(Operation::kChoose, x.type, {which.node, x.node, y.node}),
                        x.type, x.domain};
    }
    const auto type = common_type(x.type, y.type);
    if (which.type != QType::kBoolean || !type) {
      return type_mismatch(
          syntax, function,
          fmt::format("{}, {} and {}", a_type(which.type), a_type(x.type), a_type(y.type)));
    }
    return value_of(
        builder_.apply(Operation::kChoose, *type,
                       {which.node, builder_.cast(x.node, *type), builder_.cast(y.node, *type)}));
  }

  Result<BoundValue> comparison(const Syntax& syntax, const Function& function) {
    const Syntax* x = &syntax.arguments[0];
    const Syntax* y = &syntax.arguments[1];
    Comparison which = *comparison_of(syntax.text);
    if (is_literal(*x) && !is_literal(*y)) {
      std::swap(x, y);
      which = *flipped(which);
    }
    HDB_ASSIGN(const BoundValue left, bind(*x));
    if (is_literal(*y))
      return compare_literal(left, *x, {which, syntax.position, scope_.literal_of(*y)});
    HDB_ASSIGN(const BoundValue right, bind(*y));
    const bool is_left_known = builder_.is_constant(left.node);
    const bool is_right_known = builder_.is_constant(right.node);
    if (is_left_known == is_right_known) return compare_values(syntax, function, left, right);
    if (is_right_known)
      return compare_literal(left, *x, {which, syntax.position, known(right, *y)});
    return compare_literal(right, *y, {*flipped(which), syntax.position, known(left, *x)});
  }

  // A constant that the text does not have as a literal.
  Literal known(const BoundValue& value, const Syntax& syntax) const {
    return constant_literal(builder_[value.node], syntax);
  }

  Result<BoundValue> compare_values(const Syntax& syntax, const Function& function,
                                    const BoundValue& x, const BoundValue& y) {
    const Operation operation = function.operation;
    const bool is_equality = operation == Operation::kEqual || operation == Operation::kNotEqual;
    if (x.type == QType::kSymbol && y.type == QType::kSymbol) {
      BoundValue a = x;
      BoundValue b = y;
      share_domain(a, b, builder_);
      if (!is_equality) {
        a = symbol_ranks(a, builder_);
        b = symbol_ranks(b, builder_);
      }
      return value_of(builder_.apply(operation, QType::kBoolean, {a.node, b.node}));
    }
    const bool is_code = x.type == QType::kSymbol || x.type == QType::kGuid;
    if (x.type == y.type && is_code && is_equality) {
      return value_of(builder_.apply(operation, QType::kBoolean, {x.node, y.node}));
    }
    const auto type = comparable_type(x.type, y.type);
    if (!type) {
      return type_mismatch(syntax, function,
                           fmt::format("{} and {}", a_type(x.type), a_type(y.type)));
    }
    return apply_pair(operation, x, y, {*type, *type, QType::kBoolean}, builder_);
  }

  // in, within, like.
  Result<BoundValue> test(const Syntax& syntax) {
    const Syntax& x = syntax.arguments[0];
    const Syntax& y = syntax.arguments[1];
    if (is_literal(x)) {
      return text_error(fmt::format("'{}' needs its column on the left", syntax.text),
                        syntax.position);
    }
    HDB_ASSIGN(const BoundValue value, bind(x));
    if (is_literal(y)) {
      return compare_literal(value, x,
                             {*comparison_of(syntax.text), syntax.position, scope_.literal_of(y)});
    }
    const bool is_pair = y.kind == SyntaxKind::kList && y.arguments.size() == 2;
    if (syntax.text != "within" || !is_pair) {
      return text_error(fmt::format("not supported yet: {} of what is no literal", syntax.text),
                        y.begin);
    }
    HDB_ASSIGN(const BoundValue low, within_end(syntax, value, 0));
    HDB_ASSIGN(const BoundValue high, within_end(syntax, value, 1));
    return value_of(builder_.apply(Operation::kAnd, QType::kBoolean, {low.node, high.node}));
  }

  // x within (low;high), either end.
  Result<BoundValue> within_end(const Syntax& syntax, const BoundValue& value, std::size_t end) {
    const Syntax& bound = syntax.arguments[1].arguments[end];
    if (is_literal(bound)) {
      const Comparison which = end == 0 ? Comparison::kGreaterEqual : Comparison::kLessEqual;
      return compare_literal(value, syntax.arguments[0],
                             {which, syntax.position, scope_.literal_of(bound)});
    }
    HDB_ASSIGN(const BoundValue other, bind(bound));
    return compare_values(syntax, *find_function(end == 0 ? ">=" : "<=", 2), value, other);
  }

  Result<BoundValue> compare_literal(BoundValue value, const Syntax& syntax,
                                     LiteralComparison comparison) {
    if (value.type == QType::kTimestamp && is_span(comparison.value.type)) {
      value = value_of(builder_.cast(value.node, comparison.value.type));
    }
    const bool is_negated = comparison.comparison == Comparison::kNotEqual;
    const std::string* const name = is_literal(syntax) ? nullptr : scope_.name_of(syntax);
    const std::string subject =
        name != nullptr ? "column " + *name : std::string(scope_.written(syntax));
    const std::size_t position = comparison.position;
    HDB_ASSIGN(const Test test,
               bind_literal_test({subject, value.type, value.domain.get()}, std::move(comparison)));
    if (std::holds_alternative<GuidTest>(test)) {
      return text_error("not supported yet: a guid's comparison within an expression", position);
    }
    const Index node = lower_test(value, test, builder_);
    if (!is_negated) return value_of(node);
    return value_of(builder_.apply(Operation::kNot, QType::kBoolean, {node}));
  }

  const BindScope& scope_;
  Plan* plan_;
  ExpressionBuilder builder_;
};

}  // namespace

Result<Expression> bind_expression(const Syntax& syntax, const BindScope& scope) {
  return ExpressionBinder(scope, nullptr).run(syntax);
}

Result<Expression> bind_result_expression(const Syntax& syntax, const BindScope& scope,
                                          Plan& plan) {
  return ExpressionBinder(scope, &plan).run(syntax);
}

Literal constant_literal(const ExpressionNode& node, const Syntax& syntax) {
  Atom atom = constant_atom(node);
  atom.position = syntax.begin;
  Literal literal{node.type, false, {}, syntax.begin, syntax.end};
  literal.atoms.push_back(std::move(atom));
  return literal;
}

Result<std::size_t> bind_field(const Syntax& syntax, const BindScope& scope, Plan& plan) {
  if (const auto unreadable = unreadable_field(syntax, scope)) return *unreadable;
  HDB_ASSIGN(const auto column, bare_column(syntax, scope));
  if (column) return *column;
  HDB_ASSIGN(Expression expression, bind_expression(syntax, scope));
  return add_computed(std::move(expression), scope.written(syntax), scope.table, plan);
}

std::size_t add_computed(Expression expression, std::string_view text, const Table& table,
                         Plan& plan) {
  const std::size_t fields = table.schema().fields.size();
  for (std::size_t i = 0; i < plan.computed.size(); ++i) {
    if (plan.computed[i].expression == expression) return fields + i;
  }
  plan.computed.push_back({std::string(text), std::move(expression)});
  return fields + plan.computed.size() - 1;
}

QType field_type(const Plan& plan, const Table& table, std::size_t field) {
  const std::vector<Field>& fields = table.schema().fields;
  if (field < fields.size()) return fields[field].type;
  return plan.computed[field - fields.size()].expression.type();
}

}  // namespace hdbench::queries
