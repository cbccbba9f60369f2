#include "engine/exec/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "engine/base/check.h"
#include "engine/column/memory_table.h"
#include "engine/exec/computed_columns.h"
#include "engine/exec/group_state.h"
#include "engine/exec/query_error.h"
#include "engine/exec/query_input.h"
#include "engine/exec/row_aggregates.h"
#include "engine/exec/run_plan.h"
#include "engine/exec/shared_leaf.h"
#include "engine/expression/evaluator.h"
#include "engine/shaping/result_schema.h"
#include "engine/shaping/row_joins.h"
#include "engine/shaping/row_lists.h"
#include "engine/shaping/row_order.h"
#include "engine/shaping/row_tables.h"
#include "engine/shaping/window_joins.h"
#include "engine/shaping/windows.h"

namespace hdbench {
namespace {

// Results with nested cells point into the columns they came from.
void keep_columns_alive(const QueryInput& input, ResultTable& result) {
  bool nested = false;
  for (const ResultColumn& column : result.columns) nested |= column.type == QType::kNested;
  if (!nested) return;
  if (input.context->unpacking->is_used()) result.keep_alive.push_back(input.context->unpacking);
  for (const PartitionView& view : input.views) {
    for (const Column* column : view.columns) {
      if (column == nullptr || column->type != QType::kNested) continue;
      result.keep_alive.insert(result.keep_alive.end(), column->keep_alive.begin(),
                               column->keep_alive.end());
    }
  }
}

// Adds what was accessed of a table. Rows that other plans made are no table's: of them what is
// written counts.
void add_stats(const QueryInput& input, const std::vector<AccessLog>& logs, ExecuteStats& stats) {
  for (const AccessLog& accesses : logs) stats.bytes_written += accesses.written();
  if (input.is_made) return;
  stats.parts_total += input.parts_total;
  stats.parts_scanned += input.views.size();
  for (const PartitionView& view : input.views) stats.rows_in += view.rows;
  TableReads reads{input.table, {}};
  reads.bytes_by_field.assign(input.table->schema().fields.size(), 0);
  for (const AccessLog& accesses : logs) {
    for (std::size_t field = 0; field < reads.bytes_by_field.size(); ++field) {
      reads.bytes_by_field[field] += accesses.read_by_field()[field];
      stats.bytes_read += accesses.read_by_field()[field];
    }
  }
  stats.reads.push_back(std::move(reads));
}

Column view_of(const ResultTable& rows, const ResultColumn& made) {
  Column column;
  column.type = made.type;
  column.width = made.width;
  column.rows = rows.rows;
  column.data = made.buffer.data();
  column.domain = made.domain;
  column.has_null_codes = made.type == QType::kSymbol;
  column.source = made.name;
  column.keep_alive = rows.keep_alive;
  return column;
}

MemoryTable as_table(ResultTable& rows, const Schema& schema, std::pmr::memory_resource& resource) {
  MemoryTable::Part part;
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    settle_domain(rows.columns[c], schema.fields[c].domain, rows.rows, resource);
    part.columns.push_back(view_of(rows, rows.columns[c]));
  }
  std::vector<MemoryTable::Part> parts;
  parts.push_back(std::move(part));
  return MemoryTable("the rows of a query", schema, std::move(parts));
}

// A plan's result as a table that another plan reads.
class MadeTable {
 public:
  // `schema`: as the outer plan was bound to it. Symbols of another domain than the schema's become
  // codes of that one. Memory comes from the resource.
  MadeTable(ResultTable rows, const Schema& schema, std::pmr::memory_resource& resource);

  const Table& table() const { return table_; }
  // Ends the table.
  ResultTable take() && { return std::move(rows_); }

 private:
  ResultTable rows_;
  MemoryTable table_;
};

MadeTable::MadeTable(ResultTable rows, const Schema& schema, std::pmr::memory_resource& resource)
    : rows_(std::move(rows)), table_(as_table(rows_, schema, resource)) {}

// Joins, windows and lists number rows by 32 bits.
void require_few(const ResultTable& rows) {
  constexpr std::uint64_t kRowsMax = UINT32_MAX - 1;
  if (rows.rows <= kRowsMax) return;
  throw QueryStop{{ErrorKind::kLimit,
                   fmt::format("a join, a window or lists of {} rows: {} at most; choose fewer "
                               "rows by a condition before it",
                               rows.rows, kRowsMax)}};
}

// Runs a plan and the plans below it. Accesses to rows made on the way are logged in the context.
class PlanTree {
  // What a plan wants of the rows below it.
  struct Wanted {
    std::span<const Condition> having = {};  // groups that fail them are not needed
    std::uint64_t needed = std::numeric_limits<std::uint64_t>::max();  // the first rows, in order
    RowsAre rows_are = RowsAre::kCopied;
  };

 public:
  explicit PlanTree(QueryContext& context) : context_(context) {}

  // Under several ranks (ranks.h): rank 0 has the result, the others do their parts of it and have
  // none.
  Result<ResultTable> run_shared(const Table& table, const Plan& plan) {
    shared_.emplace(table, plan, context_,
                    [&](const Table& of, const TablePlan& part, const SharedRun::Run& run) {
                      return run_leaf(of, part, false, run);
                    });
    if (context_.settings.ranks->rank() != 0) {
      shared_->serve();
      return ResultTable();
    }
    return run(&table, plan);
  }

  // is_made: the table is rows that another plan made.
  Result<ResultTable> run(const Table* table, const Plan& plan, bool is_made = false) {
    TablePlan over_rows(plan);
    Wanted wanted = std::exchange(wanted_, {});
    over_rows.having = wanted.having;
    // Lists and rows that are taken are made of them before this ends.
    if (plan.lists || plan.order || plan.take) wanted.rows_are = RowsAre::kViewed;
    if (is_made) wanted.rows_are = RowsAre::kCopied;
    std::vector<Condition> where;
    if (!plan.condition_queries.empty()) {
      HDB_ASSIGN(where, settled_conditions(plan));
      over_rows.where = where;
    }
    if (plan.source == nullptr) return shaped(plan, over_rows, *table, is_made, wanted);
    // Of groups that are left out, rows have other numbers.
    const bool reads_numbers =
        std::any_of(plan.computed.begin(), plan.computed.end(),
                    [](const ComputedField& field) { return reads_row_numbers(field.expression); });
    std::vector<Condition> having;
    if (!reads_numbers) having = count_conditions(*plan.source, over_rows.where);
    wanted_.having = having;
    if (takes_first(plan))
      wanted_.needed = std::min(wanted.needed, static_cast<std::uint64_t>(plan.take->count));
    HDB_ASSIGN(MadeTable made, make_source(*plan.source));
    if (shows_columns_alone(plan))
      return finished(plan, projection(plan, std::move(made).take()), wanted.needed);
    return shaped(plan, over_rows, made.table(), true, {.needed = wanted.needed});
  }

 private:
  // Those that compare a count of the groups which the source is: select from (select n:count i by
  // sym from t) where n>1000.
  static std::vector<Condition> count_conditions(const PlanSource& source,
                                                 std::span<const Condition> where) {
    std::vector<Condition> counted;
    const Plan& groups = *source.left.plan;
    const bool is_of_groups = source.kind == SourceKind::kRows && groups.source == nullptr &&
                              !groups.by.empty() && groups.aggregates() && groups.results.empty() &&
                              !groups.order && !groups.take && !groups.lists;
    for (const Condition& condition : where) {
      const std::size_t keys = groups.by.size();
      const bool is_output =
          is_of_groups && condition.field >= keys && condition.field - keys < groups.outputs.size();
      const bool is_plain = std::holds_alternative<RangeTest>(condition.test) ||
                            std::holds_alternative<SetTest>(condition.test);
      if (!is_output || !is_plain) continue;
      if (groups.outputs[condition.field - keys].aggregate != Aggregate::kCount) continue;
      counted.push_back(condition);
      counted.back().field -= keys;
    }
    return counted;
  }

  // The plan's, those among them whose tests other queries give with these tests.
  Result<std::vector<Condition>> settled_conditions(const Plan& plan) {
    std::vector<Condition> settled = plan.where;
    for (const ConditionQuery& query : plan.condition_queries) {
      HDB_ASSIGN(const ResultTable rows, run(query.query.table, *query.query.plan));
      HDB_ASSIGN(settled[query.condition].test, query.make_test(rows));
    }
    return settled;
  }

  Result<MadeTable> make_source(const PlanSource& source) {
    wanted_.rows_are = RowsAre::kViewed;
    HDB_ASSIGN(ResultTable left, run(source.left.table, *source.left.plan));
    context_.stop_if_asked();
    if (source.kind == SourceKind::kRows) return made(std::move(left), source.schema);
    require_few(left);
    if (source.kind == SourceKind::kWindows) {
      add_windows(source, left);
    } else if (source.kind == SourceKind::kItems) {
      HDB_ASSIGN(left, item_rows(source, std::move(left), context_));
    } else {
      HDB_ASSIGN(left, joined(source, std::move(left)));
    }
    return made(std::move(left), source.schema);
  }

  Result<ResultTable> joined(const PlanSource& source, ResultTable left) {
    if (source.is_right_over_left) {
      if (auto own = aggregate_rows(source, left, context_))
        return join_rows(source, std::move(left), own->groups, std::move(own->matches), context_);
    }
    HDB_ASSIGN(ResultTable right, right_rows(source, left));
    context_.stop_if_asked();
    require_few(right);
    settle_domains(left, source.left.rows);
    settle_domains(right, source.right.rows);
    read_columns(left, source.left_keys);
    read_columns(right, source.right_keys);
    switch (source.kind) {
      case SourceKind::kAppend:
        return append_rows(source, std::move(left), std::move(right), context_);
      case SourceKind::kBetween:
        read_columns(left, source.ends);
        return join_between(source, std::move(left), right, context_);
      case SourceKind::kEach: return join_every_match(source, std::move(left), right, context_);
      default: break;
    }
    Matches matches = match_rows(source, left, right, context_);
    return join_rows(source, std::move(left), right, std::move(matches), context_);
  }

  void settle_domains(ResultTable& rows, const Schema& schema) {
    for (std::size_t c = 0; c < rows.columns.size(); ++c)
      settle_domain(rows.columns[c], schema.fields[c].domain, rows.rows, context_.memory);
  }

  MadeTable made(ResultTable rows, const Schema& schema) {
    return MadeTable(std::move(rows), schema, context_.memory);
  }

  Result<ResultTable> right_rows(const PlanSource& source, ResultTable& left) {
    if (!source.is_right_over_left) {
      const bool takes_marks =
          source.kind == SourceKind::kAsOf || source.kind == SourceKind::kAsOfTimes;
      wanted_.rows_are =
          takes_marks && is_select_alone(*source.right.plan) ? RowsAre::kMarked : RowsAre::kViewed;
      return run(source.right.table, *source.right.plan);
    }
    MadeTable table = made(std::move(left), source.left.rows);
    Result<ResultTable> right = run(&table.table(), *source.right.plan, true);
    left = std::move(table).take();
    return right;
  }

  void add_windows(const PlanSource& source, ResultTable& rows) {
    std::vector<std::size_t> by;
    std::optional<RowSegments> segments;
    for (const Window& window : source.windows) {
      if (!segments || by != window.by) {
        by = window.by;
        read_columns(rows, by);
        segments = make_segments(rows, by, context_);
      }
      read_columns(rows, {&window.input, 1});
      ResultColumn made = make_window(window, rows.columns[window.input], rows.rows, *segments,
                                      context_, rows.keep_alive);
      context_.accesses.write(made.buffer.data(), made.buffer.bytes());
      rows.columns.push_back(std::move(made));
      context_.stop_if_asked();
    }
  }

  // Whole columns of rows that were made: keys and what rows are ordered by.
  void read_columns(const ResultTable& rows, std::span<const std::size_t> columns) {
    for (const std::size_t column : columns) {
      context_.accesses.pass_column(rows.columns[column].buffer);
    }
  }

  // Nothing looks at its rows before they are given.
  static bool is_select_alone(const Plan& plan) {
    return plan.source == nullptr && !plan.order && !plan.take && !plan.lists &&
           plan.pivot == Plan::Pivot::kNone;
  }

  static bool shows_columns_alone(const Plan& plan) {
    return plan.where.empty() && plan.by.empty() && plan.computed.empty() && plan.results.empty() &&
           !plan.aggregates() && !plan.distinct;
  }

  // 10#, 10 sublist: of the plan's source only the first rows are looked at.
  static bool takes_first(const Plan& plan) {
    return plan.source->kind == SourceKind::kRows && shows_columns_alone(plan) && !plan.order &&
           plan.take && plan.take->first == 0 && plan.take->count >= 0 &&
           !plan.take->is_backwards && plan.take->without_last == 0;
  }

  // The rows' own columns, copied where one is shown twice.
  ResultTable projection(const Plan& plan, ResultTable rows) {
    std::vector<ResultColumn> shown;
    for (std::size_t o = 0; o < plan.outputs.size(); ++o) {
      const std::size_t field = *plan.outputs[o].field;
      const auto again =
          std::any_of(plan.outputs.begin() + static_cast<std::ptrdiff_t>(o) + 1, plan.outputs.end(),
                      [&](const Output& later) { return *later.field == field; });
      ResultColumn& column = rows.columns[field];
      shown.push_back({plan.outputs[o].name, column.type, column.width, {}, column.domain});
      if (!again) {
        shown.back().buffer = std::move(column.buffer);
        continue;
      }
      context_.accesses.pass_column(column.buffer);
      shown.back().buffer = Buffer(context_.memory, column.buffer.bytes());
      if (column.buffer.bytes() != 0)
        std::memcpy(shown.back().buffer.data(), column.buffer.data(), column.buffer.bytes());
    }
    rows.columns = std::move(shown);
    return rows;
  }

  Result<ResultTable> shaped(const Plan& plan, const TablePlan& over_rows, const Table& table,
                             bool is_made, const Wanted& wanted) {
    if (plan.distinct) {
      HDB_ASSIGN(ResultTable rows, different_rows(plan, over_rows, table, is_made));
      return finished(plan, std::move(rows), wanted.needed);
    }
    HDB_ASSIGN(ResultTable rows, run_plan(plan, table, over_rows, is_made, wanted.rows_are));
    if (!plan.results.empty()) rows = with_results(plan, std::move(rows), context_);
    return finished(plan, std::move(rows), wanted.needed);
  }

  static bool rises(const ResultColumn& longs, std::uint64_t rows) {
    const auto* const values = reinterpret_cast<const std::int64_t*>(longs.buffer.data());
    return std::is_sorted(values, values + rows);
  }

  // Rows that equal an earlier one are left out: groups of all columns, in the order of their first
  // rows.
  Result<ResultTable> different_rows(const Plan& of, const TablePlan& rows, const Table& table,
                                     bool is_made) {
    const DistinctPlan distinct(rows);
    HDB_ASSIGN(ResultTable groups, run_plan(of, table, distinct.plan, is_made));
    const RowOrder by_first_row{{groups.columns.size() - 1}, false};
    read_columns(groups, by_first_row.columns);
    const bool is_ordered = rises(groups.columns.back(), groups.rows);
    RowNumbers order(&context_.memory);
    if (!is_ordered) order = ordered_rows(groups, by_first_row, {0, groups.rows}, context_);
    groups.columns.pop_back();
    return is_ordered ? std::move(groups) : take_rows(std::move(groups), order, context_);
  }

  // In order, and those that are taken; of rows in order the first that are needed.
  ResultTable finished(const Plan& plan, ResultTable rows, std::uint64_t needed) {
    if (plan.order || plan.take) {
      const RowTake take = plan.take.value_or(RowTake{0, std::numeric_limits<std::int64_t>::max()});
      const TakenRows ordered = !plan.take && !plan.lists
                                    ? TakenRows{0, std::min(rows.rows, needed)}
                                : take.is_range() ? taken_rows(take, rows.rows)
                                                  : TakenRows{0, rows.rows};
      RowNumbers numbers(&context_.memory);
      if (!take.is_range() || !plan.order) append_taken(take, rows.rows, numbers);
      if (plan.order) {
        read_columns(rows, plan.order->columns);
        RowNumbers order = ordered_rows(rows, *plan.order, ordered, context_);
        if (take.is_range()) {
          numbers = std::move(order);
        } else {
          for (std::uint64_t& row : numbers) row = row == kNoRow ? row : order[row];
        }
      }
      rows.columns.erase(rows.columns.end() - static_cast<std::ptrdiff_t>(plan.hidden),
                         rows.columns.end());
      rows = take_rows(std::move(rows), numbers, context_);
    }
    if (plan.lists) {
      require_few(rows);
      rows = list_rows(*plan.lists, std::move(rows), context_);
    }
    rows.key_count = key_count(plan);
    if (plan.pivot != Plan::Pivot::kNone)
      return pivot_rows(plan.pivot, key_count(plan), std::move(rows), context_);
    return rows;
  }

  // `of`: the plan that this is the table's part of.
  Result<ResultTable> run_plan(const Plan& of, const Table& table, const TablePlan& plan,
                               bool is_made, RowsAre rows_are = RowsAre::kCopied) {
    if (shared_ && !is_made && table.schema().partitioned)
      return shared_->run({table, of, plan.where, is_distinct(plan)});
    return run_leaf(
        table, plan, is_made, [&](const QueryInput& input, std::span<AccessLog> accesses) {
          if (is_distinct(plan)) {
            if (auto rows = run_distinct(input, accesses)) return std::move(*rows);
          }
          return plan.by.empty() && !plan.aggregates() ? run_select(input, accesses, rows_are)
                                                       : run_group(input, accesses);
        });
  }

  Result<ResultTable> run_leaf(const Table& table, const TablePlan& plan, bool is_made,
                               const SharedRun::Run& run) {
    HDB_ASSIGN(const QueryInput input, make_query_input(table, plan, context_, is_made));
    std::vector<AccessLog> accesses = context_.logs_for(table, is_made);
    ResultTable result = run(input, accesses);
    keep_columns_alive(input, result);
    add_stats(input, accesses, context_.stats);
    return result;
  }

  QueryContext& context_;
  Wanted wanted_;                    // of the next plan that runs
  std::optional<SharedRun> shared_;  // under several ranks
};

// Views of a table's columns become the result's own.
ResultTable owned(ResultTable rows, QueryContext& context) {
  for (ResultColumn& column : rows.columns) {
    if (!column.buffer.is_view()) continue;
    Buffer copy(context.memory, column.buffer.bytes());
    context.accesses.pass_column(column.buffer);
    for_each_chunk(context.pool, copy.bytes(), [&](std::size_t begin, std::size_t end) {
      std::memcpy(copy.data() + begin, column.buffer.data() + begin, end - begin);
    });
    context.accesses.write(copy.data(), copy.bytes());
    column.buffer = std::move(copy);
  }
  return rows;
}

Result<ResultTable> execute_once(const Table& table, const Plan& plan, QueryContext& context) {
  PlanTree tree(context);
  try {
    HDB_ASSIGN(ResultTable rows, context.settings.ranks == nullptr ? tree.run(&table, plan)
                                                                   : tree.run_shared(table, plan));
    return owned(std::move(rows), context);
  } catch (...) {
    return error_of_exception();
  }
}

// Whether a leaf's table now gives other columns where a code exceeded its bound.
bool mend_codes(const Table& table, const Plan& plan, const void* column) {
  const std::vector<PlanLeaf> leaves = leaves_of(table, plan);
  return std::any_of(leaves.begin(), leaves.end(),
                     [&](const PlanLeaf& leaf) { return leaf.table.mend_codes(column); });
}

}  // namespace

Result<ResultTable> execute(const Table& table, const Plan& plan, const ExecuteSettings& settings,
                            ThreadPool& pool, Workspace& workspace, ExecuteStats* stats) {
  // Whatever ends the query, the others are told, when nothing is run again.
  const bool leads = settings.ranks != nullptr && settings.ranks->rank() == 0;
  const auto ended = [](Ranks* ranks) { SharedRun::end(*ranks); };
  const std::unique_ptr<Ranks, decltype(ended)> end(leads ? settings.ranks : nullptr, ended);
  for (;;) {
    QueryContext context(settings, pool, workspace,
                         {[&workspace](std::uint64_t bytes) { workspace.charge(bytes); },
                          [&workspace](std::uint64_t bytes) { workspace.give_back(bytes); }});
    Result<ResultTable> result = execute_once(table, plan, context);
    // Null indices are found where a code exceeds its bound, so that columns without any cost
    // nothing.
    if (result.ok() || !mend_codes(table, plan, result.error().subject)) {
      context.stats.bytes_written += context.accesses.written();
      context.stats.bytes_unpacked = context.unpacking->unpacked_bytes();
      if (stats != nullptr) *stats = std::move(context.stats);
      return result;
    }
  }
}

}  // namespace hdbench
