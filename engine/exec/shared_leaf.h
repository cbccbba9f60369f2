// A plan over a partitioned table that several ranks read (ranks.h): what each rank has of it is
// sent to rank 0 and merged there. Rows are put in partition order; groups with equal keys become
// one, of which aggregates are finished then.
//
// Memory comes from the query's workspace, on every rank.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/base/byte_stream.h"
#include "engine/base/result.h"
#include "engine/column/result_table.h"
#include "engine/exec/query_input.h"
#include "engine/exec/rank_tables.h"
#include "engine/exec/ranks.h"
#include "engine/operator/access_log.h"
#include "engine/operator/plan.h"
#include "engine/operator/query_context.h"

namespace hdbench {

// A plan whose groups are the different rows of another: by all columns, the first row of each.
struct DistinctPlan {
  explicit DistinctPlan(const TablePlan& rows);
  DistinctPlan(const DistinctPlan&) = delete;
  DistinctPlan& operator=(const DistinctPlan&) = delete;

  std::vector<GroupKey> columns;
  Output first_row{"", Aggregate::kFirstRow, std::nullopt, std::nullopt};
  TablePlan plan;
};

// A leaf of a tree of plans as it runs.
struct SharedLeaf {
  const Table& table;
  const Plan& plan;
  std::span<const Condition> where;  // with the tests that other queries gave
  bool is_distinct = false;
};

class SharedRun {
 public:
  // Makes the input of a table's plan, has `run` make a result of it, and counts what was accessed.
  using Run = std::function<ResultTable(const QueryInput&, std::span<AccessLog>)>;
  using RunLeaf = std::function<Result<ResultTable>(const Table&, const TablePlan&, const Run&)>;

  // Of one execution of a plan over a table. What is handed in must outlive this.
  SharedRun(const Table& table, const Plan& plan, QueryContext& context, RunLeaf run_leaf);

  // On rank 0: a leaf's result, of all ranks. Errors: any rank's, which it names.
  Result<ResultTable> run(const SharedLeaf& leaf);
  // On rank 0, once: no leaf of this execution comes any more.
  static void end(Ranks& ranks);
  // On another rank: does its part of each leaf until the end.
  void serve();

 private:
  // What a rank has; of another one's the table's columns are still to be received.
  struct Partial;
  struct Parcel;

  Partial make_partial(const SharedLeaf& leaf, const TablePlan& plan);
  Parcel packed(const Table& table_read, Partial partial);
  void send_next(Parcel& parcel);
  // sizes: of the heads, as ranks answer.
  void receive_heads(const Table& table, const Ranks::Answers& sizes,
                     std::vector<Partial>& partials);
  void take_head(std::size_t from, const Table& table, const Partial& own, Partial& partial);
  ResultTable joined(std::span<const RankSegment> segments, std::vector<Partial>& partials);
  ResultTable merge_rows(std::vector<Partial>& partials);
  ResultTable merge_groups(const TablePlan& plan, const Schema& schema,
                           std::vector<Partial>& partials);

  const Table& table_;
  const Plan& plan_;
  QueryContext& context_;
  Ranks& ranks_;
  RunLeaf run_leaf_;
};

}  // namespace hdbench
