// The columns that a plan gives, known before it runs.
#pragma once

#include "engine/column/table.h"
#include "engine/operator/plan.h"

namespace hdbench {

// Names, types and domains of the plan's result, keys first. Requires: `schema` is that of what the
// plan runs over.
Schema result_schema(const Plan& plan, const Schema& schema);

// How many of them are the keys of a keyed table.
std::size_t key_count(const Plan& plan);

// A leaf of a tree of plans: one that runs over a table.
struct PlanLeaf {
  const Table& table;
  const Plan& plan;
};

// All that read a table, in the order in which they run. `table`: what a plan without a source of
// its own runs over.
std::vector<PlanLeaf> leaves_of(const Table& table, const Plan& plan);

}  // namespace hdbench
