// Binds aggregates: of columns, of expressions, and expressions of aggregates.
#pragma once

#include <optional>

#include "engine/base/result.h"
#include "engine/operator/plan.h"
#include "queries/expression/expression_binder.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// Whether the expression is the call of an aggregate, or has one in it.
bool is_aggregate(const Syntax& syntax);
bool has_aggregate(const Syntax& syntax);

// The call of an aggregate as an output, still without a name; what it is of may become a computed
// field of the plan. Errors: 'type, an aggregate within an aggregate. Requires:
// is_aggregate(syntax).
Result<Output> bind_aggregate(const Syntax& syntax, const BindScope& scope, Plan& plan);

// Aggregates as what an expression reads: places in the plan's outputs, equal ones being one.
// Columns may not stand beside them.
class AggregateLeaves : public Leaves {
 public:
  AggregateLeaves(const BindScope& scope, Plan& plan) : scope_(scope), plan_(plan) {}
  Result<std::optional<Leaf>> name(const Name& name) override;
  Result<Leaf> aggregate(const Syntax& call) override;
  bool has_rows() const override { return false; }

 private:
  const BindScope& scope_;
  Plan& plan_;
};

}  // namespace hdbench::queries
