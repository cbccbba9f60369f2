// Binds what is behind `from`: tables, queries, joins and sorts of them.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"
#include "queries/bind_scope.h"

namespace hdbench::queries {

// Rows that other plans will make, of which the schema alone is known when a query is bound.
class PlannedTable final : public Table {
 public:
  // `name`: for messages.
  PlannedTable(std::string name, Schema schema)
      : name_(std::move(name)), schema_(std::move(schema)) {}

  const std::string& name() const override { return name_; }
  const Schema& schema() const override { return schema_; }
  std::size_t part_count() const override { return 1; }
  std::int64_t partition_value(std::size_t /*part*/) const override { return 0; }
  Result<std::uint64_t> rows(std::size_t /*part*/) const override { return std::uint64_t{0}; }
  Result<const Column*> column(std::size_t /*part*/, std::size_t /*field*/) const override {
    HDB_CHECK(false, "binding reads no data");
    return nullptr;
  }

 private:
  std::string name_;
  Schema schema_;
};

// What a query's phrases are bound to: a table, or rows that a source makes.
struct RowBase {
  const Table* leaf = nullptr;
  std::shared_ptr<const PlanSource> source;
  std::shared_ptr<const PlannedTable> planned;
  std::size_t keys = 0;  // how many first columns are a keyed table's keys

  const Table& table() const { return source == nullptr ? *leaf : *planned; }
};

// Errors: an unknown column, or one that the join or the sort cannot take.
Result<RowBase> bind_base(const TableSyntax& syntax, const BindContext& context);

// A table as what other plans are made of: a query's own plan, of all else all columns.
Result<PlanSide> bind_side(const TableSyntax& syntax, const BindContext& context,
                           ListForm lists = ListForm::kLists);

// The base of rows that another plan gives; `name` is for messages.
RowBase make_base_of(PlanSide rows, const std::string& name);

// A plan of all columns of a base.
PlanSide all_of(const RowBase& base);

// The base of rows that a source makes; `name` is for messages.
RowBase make_base(PlanSource source, const std::string& name);

// A plan over the base as what other plans are made of.
PlanSide side_of(const RowBase& base, Plan plan);

}  // namespace hdbench::queries
