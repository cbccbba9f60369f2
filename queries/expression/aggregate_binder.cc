#include "queries/expression/aggregate_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/operator/aggregator.h"
#include "queries/expression/computed_fields.h"
#include "queries/expression/expression_builder.h"
#include "queries/expression/expression_constants.h"
#include "queries/expression/functions.h"
#include "queries/type_text.h"

namespace hdbench {
namespace {

const Function& function_of(const Syntax& call) {
  return *find_function(call.text, call.arguments.size());
}

class AggregateBinder {
 public:
  AggregateBinder(std::string_view text, const Table& table, Plan& plan)
      : text_(text), table_(table), plan_(plan) {}

  Result<Output> run(const Syntax& syntax) {
    Output output;
    output.aggregate = function_of(syntax).aggregate;
    for (const Syntax& argument : syntax.arguments) HDB_TRY(no_aggregate_in(argument));
    const Syntax* value = &syntax.arguments.back();
    if (output.aggregate == Aggregate::kCount && value->is_call("distinct", 1)) {
      output.aggregate = Aggregate::kCountDistinct;
      value = &value->arguments[0];
    }
    if (syntax.arguments.size() == 2) {
      HDB_ASSIGN(output.weights, field_of(syntax, syntax.arguments[0], output.aggregate));
    }
    const bool counts_rows = output.aggregate == Aggregate::kCount;
    if (counts_rows && value->kind == SyntaxKind::kName) {
      HDB_ASSIGN(output.field, bare_column(*value, table_));
      if (output.field || value->text == "i") return output;
    }
    const std::size_t computed_before = plan_.computed.size();
    HDB_ASSIGN(output.field, field_of(syntax, *value, output.aggregate));
    if (counts_rows) {
      plan_.computed.resize(computed_before);
      output.field.reset();
    }
    return output;
  }

 private:
  static Status no_aggregate_in(const Syntax& syntax) {
    if (is_aggregate(syntax)) {
      return text_error(fmt::format("not supported yet: {} within an aggregate", syntax.text),
                        syntax.position);
    }
    for (const Syntax& argument : syntax.arguments) HDB_TRY(no_aggregate_in(argument));
    return ok_status();
  }

  Result<std::size_t> field_of(const Syntax& call, const Syntax& argument, Aggregate aggregate) {
    HDB_ASSIGN(const std::size_t field, bind_field(argument, text_, table_, plan_));
    const QType type = field_type(plan_, table_, field);
    const bool is_list = aggregate == Aggregate::kCountDistinct && type == QType::kNested;
    if (!aggregate_takes(aggregate, type) || is_list) {
      const bool is_column = field < table_.schema().fields.size();
      return text_error(
          fmt::format("'type: {} of {}{}, which is {}", call.text, is_column ? "column " : "",
                      text_.substr(argument.begin, argument.end - argument.begin), a_type(type)),
          argument.begin);
    }
    const bool is_truth = aggregate == Aggregate::kAny || aggregate == Aggregate::kAll;
    return is_truth && type != QType::kBoolean ? nonzero(field, type, argument) : field;
  }

  // any and all of what is no boolean: whether it is not zero.
  std::size_t nonzero(std::size_t field, QType type, const Syntax& argument) {
    ExpressionBuilder builder;
    const std::size_t fields = table_.schema().fields.size();
    ExpressionBuilder::Index value = 0;
    if (field < fields) {
      value = builder.field(field, type);
    } else {
      for (const ExpressionNode& node : plan_.computed[field - fields].expression.nodes) {
        value = builder.add(node);
      }
    }
    const auto zero = builder.add(constant_of_key(type, 0));
    const auto root = builder.apply(Operation::kNotEqual, QType::kBoolean, {value, zero});
    return add_computed(builder.take(root),
                        text_.substr(argument.begin, argument.end - argument.begin), table_, plan_);
  }

  std::string_view text_;
  const Table& table_;
  Plan& plan_;
};

}  // namespace

bool is_aggregate(const Syntax& syntax) {
  return syntax.kind == SyntaxKind::kCall && function_of(syntax).kind == FunctionKind::kAggregate;
}

bool has_aggregate(const Syntax& syntax) {
  return is_aggregate(syntax) ||
         std::any_of(syntax.arguments.begin(), syntax.arguments.end(), has_aggregate);
}

Result<Output> bind_aggregate(const Syntax& syntax, std::string_view text, const Table& table,
                              Plan& plan) {
  return AggregateBinder(text, table, plan).run(syntax);
}

Result<std::optional<Leaf>> AggregateLeaves::name(const Name& name) {
  return text_error(fmt::format("'{}' stands outside of an aggregate and beside one: mixing them "
                                "is not supported",
                                name.text),
                    name.position);
}

Result<Leaf> AggregateLeaves::aggregate(const Syntax& call) {
  HDB_ASSIGN(Output output, bind_aggregate(call, text_, table_, plan_));
  output.name = text_.substr(call.begin, call.end - call.begin);
  const auto is_same = [&](const Output& one) {
    return one.aggregate == output.aggregate && one.field == output.field &&
           one.weights == output.weights;
  };
  const auto found = std::find_if(plan_.outputs.begin(), plan_.outputs.end(), is_same);
  Leaf leaf;
  leaf.field = static_cast<std::size_t>(found - plan_.outputs.begin());
  leaf.type = QType::kLong;
  if (output.field) {
    leaf.type = aggregate_type(output.aggregate, field_type(plan_, table_, *output.field));
    if (*output.field < table_.schema().fields.size()) {
      leaf.domain = table_.schema().fields[*output.field].domain.get();
    }
  }
  if (found == plan_.outputs.end()) plan_.outputs.push_back(std::move(output));
  return leaf;
}

}  // namespace hdbench
