#include "engine/exec/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "engine/exec/made_table.h"
#include "engine/exec/query_input.h"
#include "engine/exec/result_expressions.h"
#include "engine/exec/run_group.h"
#include "engine/exec/run_select.h"
#include "engine/shaping/result_schema.h"
#include "engine/shaping/row_aggregates.h"
#include "engine/shaping/row_joins.h"
#include "engine/shaping/row_lists.h"
#include "engine/shaping/row_order.h"
#include "engine/shaping/windows.h"

namespace hdbench {
namespace {

Error limit_error(const WorkspaceLimit& limit) {
  return {ErrorKind::kLimit,
          fmt::format("-w abort: {} bytes asked for with {} in use, limit {} bytes",
                      limit.asked_bytes, limit.used_bytes, limit.limit_bytes)};
}

// Results with nested cells point into the columns they came from.
void keep_columns_alive(const QueryInput& input, ResultTable& result) {
  bool nested = false;
  for (const ResultColumn& column : result.columns) nested |= column.type == QType::kNested;
  if (!nested) return;
  for (const PartitionView& view : input.views) {
    for (const Column* column : view.columns) {
      if (column == nullptr || column->type != QType::kNested) continue;
      result.keep_alive.insert(result.keep_alive.end(), column->keep_alive.begin(),
                               column->keep_alive.end());
    }
  }
}

// Rows that other plans made are no table's: of them what is written counts.
void add_stats(const QueryInput& input, bool is_made, const std::vector<AccessLog>& logs,
               ExecuteStats& stats) {
  for (const AccessLog& accesses : logs) stats.bytes_written += accesses.written();
  if (is_made) return;
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

// Rows that equal an earlier one are left out: groups of all columns, in the order of their first
// rows.
Plan distinct_groups(const Plan& plan) {
  Plan groups = plan;
  groups.distinct = false;
  for (const Output& output : plan.outputs) groups.by.push_back({output.name, *output.field});
  groups.outputs = {{"", Aggregate::kFirstRow, std::nullopt, std::nullopt}};
  return groups;
}

// Runs a plan and what stands below it.
class PlanTree {
 public:
  PlanTree(const ExecuteSettings& settings, ThreadPool& pool, Workspace& workspace,
           ExecuteStats* stats)
      : settings_(settings), pool_(pool), workspace_(workspace), stats_(stats) {}

  // is_made: the table is rows that another plan made.
  Result<ResultTable> run(const Table* table, const Plan& plan, bool is_made = false) {
    if (!plan.condition_queries.empty()) {
      HDB_ASSIGN(const Plan settled, with_tests(plan));
      return run(table, settled, is_made);
    }
    if (plan.source == nullptr) return shaped(plan, *table, is_made);
    HDB_ASSIGN(MadeTable made, make_source(*plan.source));
    if (shows_columns_alone(plan)) return finished(plan, projection(plan, std::move(made).take()));
    return shaped(plan, made.table(), true);
  }

 private:
  Result<Plan> with_tests(const Plan& plan) {
    Plan settled = plan;
    settled.condition_queries.clear();
    for (const ConditionQuery& query : plan.condition_queries) {
      HDB_ASSIGN(const ResultTable rows, run(query.query.table, *query.query.plan));
      HDB_ASSIGN(settled.where[query.condition].test, query.make_test(rows));
    }
    return settled;
  }

  Result<MadeTable> make_source(const PlanSource& source) {
    HDB_ASSIGN(ResultTable left, run(source.left.table, *source.left.plan));
    stop_if_asked();
    if (source.kind == SourceKind::kRows) return made(std::move(left), source.schema);
    require_few(left);
    AccessLog accesses(0, settings_.meter);
    if (source.kind == SourceKind::kWindows) {
      add_windows(source, left, accesses);
    } else {
      HDB_ASSIGN(left, joined(source, std::move(left), accesses));
    }
    if (stats_ != nullptr) stats_->bytes_written += accesses.written();
    return made(std::move(left), source.schema);
  }

  Result<ResultTable> joined(const PlanSource& source, ResultTable left, AccessLog& accesses) {
    if (source.is_right_over_left) {
      if (auto own = aggregate_rows(source, left, pool_, workspace_, accesses)) {
        return join_rows(source, std::move(left), own->groups, std::move(own->matches), pool_,
                         workspace_, accesses);
      }
    }
    HDB_ASSIGN(const ResultTable right, right_rows(source, left));
    stop_if_asked();
    require_few(right);
    read_columns(left, source.left_keys, accesses);
    read_columns(right, source.right_keys, accesses);
    Matches matches = match_rows(source, left, right, pool_, workspace_, accesses);
    return join_rows(source, std::move(left), right, std::move(matches), pool_, workspace_,
                     accesses);
  }

  MadeTable made(ResultTable rows, const Schema& schema) {
    return MadeTable(std::move(rows), schema, workspace_);
  }

  Result<ResultTable> right_rows(const PlanSource& source, ResultTable& left) {
    if (!source.is_right_over_left) return run(source.right.table, *source.right.plan);
    MadeTable table = made(std::move(left), source.left.rows);
    Result<ResultTable> right = run(&table.table(), *source.right.plan, true);
    left = std::move(table).take();
    return right;
  }

  void add_windows(const PlanSource& source, ResultTable& rows, AccessLog& accesses) {
    std::vector<std::size_t> by;
    std::optional<RowSegments> segments;
    for (const Window& window : source.windows) {
      if (!segments || by != window.by) {
        by = window.by;
        read_columns(rows, by, accesses);
        segments = make_segments(rows, by, pool_, workspace_, accesses);
      }
      const ResultColumn& input = rows.columns[window.input];
      accesses.pass(input.buffer.data(), input.buffer.bytes(), AccessKind::kRead);
      ResultColumn made = make_window(window, input, rows.rows, *segments, pool_, workspace_);
      accesses.write(made.buffer.data(), made.buffer.bytes());
      rows.columns.push_back(std::move(made));
      stop_if_asked();
    }
  }

  // Whole columns of rows that were made: keys and what rows are ordered by.
  static void read_columns(const ResultTable& rows, std::span<const std::size_t> columns,
                           AccessLog& accesses) {
    for (const std::size_t column : columns) {
      const Buffer& read = rows.columns[column].buffer;
      accesses.pass(read.data(), read.bytes(), AccessKind::kRead);
    }
  }

  static bool shows_columns_alone(const Plan& plan) {
    return plan.where.empty() && plan.by.empty() && plan.computed.empty() && plan.results.empty() &&
           !plan.aggregates() && !plan.distinct;
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
      shown.back().buffer = Buffer(workspace_, column.buffer.bytes());
      if (column.buffer.bytes() != 0)
        std::memcpy(shown.back().buffer.data(), column.buffer.data(), column.buffer.bytes());
    }
    rows.columns = std::move(shown);
    rows.key_count = 0;
    return rows;
  }

  Result<ResultTable> shaped(const Plan& plan, const Table& table, bool is_made) {
    if (!plan.distinct) {
      HDB_ASSIGN(ResultTable rows, run_plan(table, plan, is_made));
      return finished(plan, std::move(rows));
    }
    HDB_ASSIGN(ResultTable groups, run_plan(table, distinct_groups(plan), is_made));
    AccessLog accesses(0, settings_.meter);
    const RowOrder by_first_row{{groups.columns.size() - 1}, false};
    read_columns(groups, by_first_row.columns, accesses);
    const RowNumbers order =
        ordered_rows(groups, by_first_row, {0, groups.rows}, pool_, workspace_);
    groups.columns.pop_back();
    groups.key_count = 0;
    groups = take_rows(std::move(groups), order, workspace_, accesses);
    if (stats_ != nullptr) stats_->bytes_written += accesses.written();
    return finished(plan, std::move(groups));
  }

  // In order, and those that are taken.
  ResultTable finished(const Plan& plan, ResultTable rows) {
    if (plan.order || plan.take) {
      AccessLog accesses(0, settings_.meter);
      const TakenRows taken = taken_rows(plan.take, rows.rows);
      RowNumbers numbers(&workspace_);
      if (plan.order) {
        read_columns(rows, plan.order->columns, accesses);
        numbers = ordered_rows(rows, *plan.order, taken, pool_, workspace_);
      } else {
        for (std::uint64_t row = taken.begin; row < taken.end; ++row) numbers.push_back(row);
      }
      rows.columns.erase(rows.columns.end() - static_cast<std::ptrdiff_t>(plan.hidden),
                         rows.columns.end());
      rows = take_rows(std::move(rows), numbers, workspace_, accesses);
      if (stats_ != nullptr) stats_->bytes_written += accesses.written();
    }
    if (plan.lists) {
      require_few(rows);
      AccessLog accesses(0, settings_.meter);
      rows = list_rows(*plan.lists, std::move(rows), pool_, workspace_, accesses);
      if (stats_ != nullptr) stats_->bytes_written += accesses.written();
    }
    if (plan.by.empty()) rows.key_count = key_count(plan);
    return rows;
  }

  Result<ResultTable> run_plan(const Table& table, const Plan& plan, bool is_made) {
    ExecuteSettings settings = settings_;
    if (is_made) settings.prefetcher = nullptr;
    HDB_ASSIGN(const QueryInput input, make_query_input(table, plan, settings, pool_));
    std::vector<AccessLog> accesses(pool_.size(),
                                    AccessLog(table.schema().fields.size(), settings.meter));
    ResultTable result = plan.by.empty() && !plan.aggregates()
                             ? run_select(input, settings, pool_, workspace_, accesses)
                             : run_group(input, settings, pool_, workspace_, accesses);
    if (!plan.results.empty())
      result = with_results(plan, std::move(result), workspace_, accesses[0]);
    keep_columns_alive(input, result);
    if (stats_ != nullptr) add_stats(input, is_made, accesses, *stats_);
    return result;
  }

  // Joins, windows and lists number rows by 32 bits.
  static void require_few(const ResultTable& rows) {
    constexpr std::uint64_t kRowsMax = UINT32_MAX - 1;
    if (rows.rows <= kRowsMax) return;
    throw QueryStop{{ErrorKind::kLimit,
                     fmt::format("a join, a window or lists of {} rows: {} at most; choose fewer "
                                 "rows by a condition before it",
                                 rows.rows, kRowsMax)}};
  }

  void stop_if_asked() const {
    if (settings_.stop != nullptr && settings_.stop->load(std::memory_order_relaxed))
      throw QueryStop{usage_error("interrupted")};
  }

  const ExecuteSettings& settings_;
  ThreadPool& pool_;
  Workspace& workspace_;
  ExecuteStats* stats_;
};

Result<ResultTable> execute_once(const Table& table, const Plan& plan,
                                 const ExecuteSettings& settings, ThreadPool& pool,
                                 Workspace& workspace, ExecuteStats* stats) {
  try {
    return PlanTree(settings, pool, workspace, stats).run(&table, plan);
  } catch (const QueryStop& stop) {
    return stop.error;
  } catch (const WorkspaceLimit& limit) {
    return limit_error(limit);
  } catch (const std::bad_alloc& failure) {
    // No -w: the machine, or the medium of the results, is full.
    const std::string_view what = failure.what();
    return Error{ErrorKind::kLimit, fmt::format("no room for the result: {}",
                                                what == "std::bad_alloc" ? "out of memory" : what)};
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
  bool restarted = false;
  for (;;) {
    if (stats != nullptr) *stats = {};
    Result<ResultTable> result = execute_once(table, plan, settings, pool, workspace, stats);
    // Null indices are found where a code exceeds its bound, so that columns without any cost
    // nothing.
    if (result.ok() || !mend_codes(table, plan, result.error().subject)) {
      if (stats != nullptr) stats->restarted = restarted;
      return result;
    }
    restarted = true;
  }
}

}  // namespace hdbench
