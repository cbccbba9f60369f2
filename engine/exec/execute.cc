#include "engine/exec/execute.h"

#include <fmt/format.h>

#include "engine/exec/query_input.h"
#include "engine/exec/result_expressions.h"
#include "engine/exec/run_group.h"
#include "engine/exec/run_select.h"

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

void fill_stats(const QueryInput& input, const std::vector<AccessLog>& logs, ExecuteStats& stats) {
  stats = {};
  stats.parts_total = input.parts_total;
  stats.parts_scanned = input.views.size();
  for (const PartitionView& view : input.views) stats.rows_in += view.rows;
  stats.bytes_read_by_field.assign(input.table->schema().fields.size(), 0);
  for (const AccessLog& accesses : logs) {
    stats.bytes_written += accesses.written();
    for (std::size_t field = 0; field < stats.bytes_read_by_field.size(); ++field) {
      stats.bytes_read_by_field[field] += accesses.read_by_field()[field];
      stats.bytes_read += accesses.read_by_field()[field];
    }
  }
}

Result<ResultTable> execute_once(const Table& table, const Plan& plan,
                                 const ExecuteSettings& settings, ThreadPool& pool,
                                 Workspace& workspace, ExecuteStats* stats) {
  try {
    HDB_ASSIGN(const QueryInput input, make_query_input(table, plan, settings, pool));
    std::vector<AccessLog> accesses(pool.size(),
                                    AccessLog(table.schema().fields.size(), settings.meter));
    ResultTable result = plan.by.empty() && !plan.aggregates()
                             ? run_select(input, settings, pool, workspace, accesses)
                             : run_group(input, settings, pool, workspace, accesses);
    if (!plan.results.empty())
      result = with_results(plan, std::move(result), workspace, accesses[0]);
    keep_columns_alive(input, result);
    if (stats != nullptr) fill_stats(input, accesses, *stats);
    return result;
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

}  // namespace

Result<ResultTable> execute(const Table& table, const Plan& plan, const ExecuteSettings& settings,
                            ThreadPool& pool, Workspace& workspace, ExecuteStats* stats) {
  bool restarted = false;
  for (;;) {
    Result<ResultTable> result = execute_once(table, plan, settings, pool, workspace, stats);
    // Null indices are found where a code exceeds its bound, so that columns without any cost
    // nothing.
    if (result.ok() || !table.mend_codes(result.error().subject)) {
      if (stats != nullptr) stats->restarted = restarted;
      return result;
    }
    restarted = true;
  }
}

}  // namespace hdbench
