#include "queries/expression/aggregate_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "engine/operator/aggregator.h"
#include "queries/expression/expression_binder.h"
#include "queries/expression/expression_builder.h"
#include "queries/expression/functions.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

class AggregateBinder {
 public:
  AggregateBinder(const std::string& name, const BindScope& scope, Plan& plan)
      : name_(name), scope_(scope), plan_(plan) {}

  Result<Output> run(std::span<const Syntax> arguments) {
    Output output;
    output.aggregate = find_function(name_, arguments.size())->aggregate;
    for (const Syntax& argument : arguments) HDB_TRY(no_aggregate_in(argument));
    const Syntax* value = &arguments.back();
    if (output.aggregate == Aggregate::kCount && value->is_call("distinct", 1)) {
      output.aggregate = Aggregate::kCountDistinct;
      value = &value->arguments[0];
    }
    // count x where c counts where c is true.
    const bool counts_chosen = output.aggregate == Aggregate::kCount && value->is_call("where", 2);
    if (counts_chosen) {
      output.aggregate = Aggregate::kSum;
      value = &value->arguments[1];
    }
    if (arguments.size() == 2) {
      HDB_ASSIGN(output.weights, field_of(arguments[0], output.aggregate));
    }
    if (value->is_call("where", 2) && leaves_nulls_out(output.aggregate) && arguments.size() == 1)
      scope_.chosen = value;
    const bool counts_rows = output.aggregate == Aggregate::kCount;
    const std::size_t computed_before = plan_.computed.size();
    HDB_ASSIGN(output.field, field_of(*value, output.aggregate));
    if (counts_rows && *output.field >= fields().size()) {
      plan_.computed.resize(computed_before);
      output.field.reset();
    }
    return output;
  }

 private:
  const std::vector<Field>& fields() const { return scope_.table.schema().fields; }

  Status no_aggregate_in(const Syntax& syntax) const {
    if (is_aggregate(syntax, scope_.made)) {
      return text_error(fmt::format("not supported yet: {} within an aggregate", syntax.text),
                        syntax.position);
    }
    for (const Syntax& argument : syntax.arguments) HDB_TRY(no_aggregate_in(argument));
    return ok_status();
  }

  Result<std::size_t> field_of(const Syntax& argument, Aggregate aggregate) {
    HDB_ASSIGN(const std::size_t field, bind_field(argument, scope_, plan_));
    const bool is_column = field < fields().size();
    if (is_column && fields()[field].unreadable) return field;
    const QType type = field_type(plan_, scope_.table, field);
    const bool is_list = aggregate == Aggregate::kCountDistinct && type == QType::kNested;
    const bool is_truth = aggregate == Aggregate::kAny || aggregate == Aggregate::kAll;
    if (!aggregate_takes(is_truth ? Aggregate::kMin : aggregate, type) || is_list) {
      return text_error(
          fmt::format("'type: {} of {}{}, which is {}", name_, is_column ? "column " : "",
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

  const std::string& name_;
  BindScope scope_;
  Plan& plan_;
};

bool is_made(const Syntax& syntax, const MadeColumns* made) {
  return made != nullptr && made->contains(&syntax);
}

}  // namespace

bool is_aggregate(const Syntax& syntax, const MadeColumns* made) {
  return syntax.kind == SyntaxKind::kCall && !is_made(syntax, made) &&
         find_function(syntax.text, syntax.arguments.size())->kind == FunctionKind::kAggregate;
}

bool leaves_nulls_out(Aggregate aggregate) {
  constexpr auto kLeavingOut = std::to_array<Aggregate>(
      {Aggregate::kSum, Aggregate::kAvg, Aggregate::kMin, Aggregate::kMax, Aggregate::kMed,
       Aggregate::kDev, Aggregate::kVar, Aggregate::kSampleDev, Aggregate::kSampleVar});
  return std::find(kLeavingOut.begin(), kLeavingOut.end(), aggregate) != kLeavingOut.end();
}

bool has_aggregate(const Syntax& syntax, const MadeColumns* made) {
  return !is_made(syntax, made) &&
         (is_aggregate(syntax) ||
          std::any_of(syntax.arguments.begin(), syntax.arguments.end(),
                      [&](const Syntax& argument) { return has_aggregate(argument, made); }));
}

Result<Output> bind_aggregate(const std::string& name, std::span<const Syntax> arguments,
                              const BindScope& scope, Plan& plan) {
  return AggregateBinder(name, scope, plan).run(arguments);
}

Result<std::size_t> add_aggregate(const Syntax& call, const BindScope& scope, Plan& plan) {
  HDB_ASSIGN(Output output, bind_aggregate(call.text, call.arguments, scope, plan));
  output.name = scope.written(call);
  const auto is_same = [&](const Output& one) {
    return one.aggregate == output.aggregate && one.field == output.field &&
           one.weights == output.weights;
  };
  const auto found = std::find_if(plan.outputs.begin(), plan.outputs.end(), is_same);
  const auto place = static_cast<std::size_t>(found - plan.outputs.begin());
  if (found == plan.outputs.end()) plan.outputs.push_back(std::move(output));
  return place;
}

}  // namespace hdbench::queries
