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

namespace hdbench::queries {
namespace {

const Function& function_of(const Syntax& call) {
  return *find_function(call.text, call.arguments.size());
}

class AggregateBinder {
 public:
  AggregateBinder(const BindScope& scope, Plan& plan) : scope_(scope), plan_(plan) {}

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
    const std::size_t computed_before = plan_.computed.size();
    HDB_ASSIGN(output.field, field_of(syntax, *value, output.aggregate));
    if (counts_rows && *output.field >= fields().size()) {
      plan_.computed.resize(computed_before);
      output.field.reset();
    }
    return output;
  }

 private:
  const std::vector<Field>& fields() const { return scope_.table.schema().fields; }

  static Status no_aggregate_in(const Syntax& syntax) {
    if (is_aggregate(syntax)) {
      return text_error(fmt::format("not supported yet: {} within an aggregate", syntax.text),
                        syntax.position);
    }
    for (const Syntax& argument : syntax.arguments) HDB_TRY(no_aggregate_in(argument));
    return ok_status();
  }

  Result<std::size_t> field_of(const Syntax& call, const Syntax& argument, Aggregate aggregate) {
    HDB_ASSIGN(const std::size_t field, bind_field(argument, scope_, plan_));
    const bool is_column = field < fields().size();
    if (is_column && fields()[field].unreadable) return field;
    const QType type = field_type(plan_, scope_.table, field);
    const bool is_list = aggregate == Aggregate::kCountDistinct && type == QType::kNested;
    const bool is_truth = aggregate == Aggregate::kAny || aggregate == Aggregate::kAll;
    if (!aggregate_takes(is_truth ? Aggregate::kMin : aggregate, type) || is_list) {
      return text_error(
          fmt::format("'type: {} of {}{}, which is {}", call.text, is_column ? "column " : "",
                      scope_.written(argument), a_type(type)),
          argument.begin);
    }
    return is_truth && type != QType::kBoolean ? nonzero(field, type, argument) : field;
  }

  // any and all of what is no boolean: whether it is not zero.
  std::size_t nonzero(std::size_t field, QType type, const Syntax& argument) {
    ExpressionBuilder builder;
    ExpressionBuilder::Index value = 0;
    if (field < fields().size()) {
      value = builder.field(field, type);
    } else {
      for (const ExpressionNode& node : plan_.computed[field - fields().size()].expression.nodes) {
        value = builder.add(node);
      }
    }
    const auto zero = builder.add(constant_of_key(type, 0));
    const auto root = builder.apply(Operation::kNotEqual, QType::kBoolean, {value, zero});
    return add_computed(builder.take(root), scope_.written(argument), scope_.table, plan_);
  }

  const BindScope& scope_;
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

Result<Output> bind_aggregate(const Syntax& syntax, const BindScope& scope, Plan& plan) {
  return AggregateBinder(scope, plan).run(syntax);
}

Result<std::optional<Leaf>> AggregateLeaves::name(const Name& name) {
  return text_error(fmt::format("'{}' stands outside of an aggregate and beside one: mixing them "
                                "is not supported",
                                name.text),
                    name.position);
}

Result<Leaf> AggregateLeaves::aggregate(const Syntax& call) {
  HDB_ASSIGN(Output output, bind_aggregate(call, scope_, plan_));
  output.name = scope_.written(call);
  const auto is_same = [&](const Output& one) {
    return one.aggregate == output.aggregate && one.field == output.field &&
           one.weights == output.weights;
  };
  const auto found = std::find_if(plan_.outputs.begin(), plan_.outputs.end(), is_same);
  Leaf leaf;
  leaf.field = static_cast<std::size_t>(found - plan_.outputs.begin());
  leaf.type = QType::kLong;
  if (output.field) {
    leaf.type = aggregate_type(output.aggregate, field_type(plan_, scope_.table, *output.field));
    const std::vector<Field>& fields = scope_.table.schema().fields;
    if (*output.field < fields.size()) {
      leaf.domain = fields[*output.field].domain.get();
    }
  }
  if (found == plan_.outputs.end()) plan_.outputs.push_back(std::move(output));
  return leaf;
}

}  // namespace hdbench::queries
