// Binds what stands behind `from`: tables, queries, joins and sorts of them.
#pragma once

#include <memory>

#include "engine/base/result.h"
#include "engine/operator/plan.h"
#include "queries/expression/expression_binder.h"
#include "queries/planned_table.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// What a query's phrases are bound to: a table, or rows that a source makes.
struct RowBase {
  const Table* leaf = nullptr;
  std::shared_ptr<const PlanSource> source;
  std::shared_ptr<const PlannedTable> planned;
  std::size_t keys = 0;  // how many first columns are a keyed table's keys

  const Table& table() const { return source == nullptr ? *leaf : *planned; }
};

// Errors: an unknown column, or one that the join or the sort cannot take.
Result<RowBase> bind_base(const TableSyntax& syntax, const BindTables& tables);

// The base of rows that a source makes; `name` is for messages.
RowBase make_base(PlanSource source, const std::string& name);

// A plan over the base as what other plans are made of.
PlanSide side_of(const RowBase& base, Plan plan);

// A column that the source's schema shows.
Field source_field(const SourceColumn& column, const Schema& left, const Schema& right);

}  // namespace hdbench::queries
