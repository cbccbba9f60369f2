// What is made of the rows of a table (query_input.h): the rows themselves, or their groups.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/byte_stream.h"
#include "engine/column/result_table.h"
#include "engine/exec/query_input.h"
#include "engine/operator/access_log.h"
#include "engine/operator/group_aggregates.h"

namespace hdbench {

// How rows are given that another plan reads.
enum class RowsAre : std::uint8_t {
  kCopied,
  kViewed,  // all rows of one view that are neighbours: columns are views of the table's
  kMarked,  // and where most of such rows pass the conditions: ResultTable::marks tells which
};

// select without by: two passes over the morsels, so that the result is allocated once, exactly.
// The first pass filters and counts, keeping each morsel's selection; the second packs every column
// straight to its final place. Without scanned conditions there is no first pass.
// `accesses`: by worker. Throws WorkspaceLimit and QueryStop.
// `rows_by_view`: where not null, how many rows each view gave. Requires: of rows that are viewed,
// a table that outlives the result.
ResultTable run_select(const QueryInput& input, std::span<AccessLog> accesses,
                       RowsAre rows_are = RowsAre::kCopied,
                       std::vector<std::uint64_t>* rows_by_view = nullptr);

// select with by, and aggregates with or without by: one pass over the morsels, a table of groups a
// worker, one merge. The result's key_count is not set. Throws as run_select().
ResultTable run_group(const QueryInput& input, std::span<AccessLog> accesses);

// The groups of DistinctPlan, in the order of their first rows, where all combinations of their
// keys are few enough for a bit each: no key is looked up in a table. Nothing where they are not.
// Throws as run_select().
std::optional<ResultTable> run_distinct(const QueryInput& input, std::span<AccessLog> accesses);

// What this process has of groups that others have, too.
struct PartialGroups {
  PartialGroups(std::pmr::memory_resource& memory)
      : counts(&memory), first_rows(&memory), last_rows(&memory), states(memory) {}

  // A row a group: its key, and its outputs that are elements of a row (first, last).
  ResultTable table;
  // By group: as GroupRows has them, of this process's views.
  std::pmr::vector<std::uint64_t> counts;
  std::pmr::vector<std::uint64_t> first_rows;
  std::pmr::vector<std::uint64_t> last_rows;
  ByteSink states;  // of the aggregators of the other outputs (GroupAggregates::save())
};

// As run_group(), up to where groups of several processes are merged. Medians keep all values.
PartialGroups run_partial_group(const QueryInput& input, std::span<AccessLog> accesses);

// What must be kept of a plan's groups, and whether an output is an element of one of its rows.
GroupRowNeeds needs_of(const TablePlan& plan, bool has_keys_of_rows);
bool is_of_a_row(const Output& output);

}  // namespace hdbench
