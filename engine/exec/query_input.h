// The first half of every query: prunes parts, maps the needed columns, lets an index narrow the
// rows, and divides them into morsels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/partition_view.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"

namespace hdbench {

// Rows that one thread takes at a time, at most: half a MiB of an eight-byte column, so that a few
// columns stay in a core's cache.
constexpr std::uint64_t kMorselRows = 65536;
// The fewest rows of a morsel, where a query has few rows: its work must exceed the cost of taking
// it.
constexpr std::uint64_t kMorselRowsMin = 8192;

struct Morsel {
  std::size_t view = 0;
  RowRange rows;
  // The conditions from this one on are still to be scanned (those before pruned, or narrowed by an
  // index).
  std::size_t first_condition = 0;
  // The order key of QueryInput::index_field that a p# index says all of these rows have.
  std::optional<std::int64_t> index_key;
};

struct QueryInput {
  const Table* table = nullptr;
  TablePlan plan;
  QueryContext* context = nullptr;
  bool is_made = false;              // the table is rows that another plan made
  Prefetcher* prefetcher = nullptr;  // null: bytes are read when they are accessed
  std::uint64_t parts_total = 0;
  std::vector<PartitionView> views;  // the parts left, in order
  std::vector<Morsel> morsels;       // in row order
  std::size_t index_field = 0;       // of Morsel::index_key
  // What a thread takes at once: [task_starts[t], task_starts[t+1]) of morsels. Mode 4.0: one;
  // mode 3.6: a view's.
  std::vector<std::size_t> task_starts;
  // Where the plan computes fields: the table's schema with them behind, and what each reads.
  std::optional<Schema> extended;
  std::vector<std::vector<std::size_t>> computed_inputs;

  const Schema& schema() const { return extended ? *extended : table->schema(); }
  std::size_t first_computed() const { return table->schema().fields.size(); }
  // Calls use(field) for the columns behind a field: itself, or a computed one's inputs.
  template <typename Use>
  void for_each_column(std::size_t field, const Use& use) const {
    if (field < first_computed()) return use(field);
    for (const std::size_t input : computed_inputs[field - first_computed()]) use(input);
  }
  std::size_t task_count() const { return task_starts.size() - 1; }
  std::span<const Condition> conditions(const Morsel& morsel) const {
    return plan.where.subspan(morsel.first_condition);
  }
};

// Parts that survive pruning, in order.
std::vector<std::size_t> parts_left(const Table& table, const TablePlan& plan);

// A table's schema with the fields behind that a plan computes.
Schema schema_with_computed(const Schema& schema, const TablePlan& plan);

// The real fields that a plan reads, also to compute others. Requires: the table's own schema.
std::vector<bool> fields_read(const Schema& schema, const TablePlan& plan);

// The rows of a morsel for so many rows and threads: enough morsels for each thread that the last
// one finishes soon, within the bounds above; a multiple of 64.
std::uint64_t morsel_rows(std::uint64_t rows, std::size_t threads);

// Of all morsels, before they are filtered.
std::uint64_t rows_of(const QueryInput& input);

// What `plan` views and the context must outlive the input. is_made: as QueryInput has it; such
// rows are in memory. Errors: as Table::column().
Result<QueryInput> make_query_input(const Table& table, const TablePlan& plan,
                                    QueryContext& context, bool is_made = false);

// Runs work(morsel number, worker) over all morsels in tasks as the mode has them, watching the
// stop flag.
void for_each_morsel(const QueryInput& input,
                     const std::function<void(std::size_t morsel, std::size_t worker)>& work);

}  // namespace hdbench
