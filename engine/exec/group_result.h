// The table that a grouping query returns: keys and aggregates of its groups, in order.
#pragma once

#include <cstdint>
#include <span>

#include "engine/column/result_table.h"
#include "engine/exec/group_state.h"
#include "engine/exec/group_task.h"
#include "engine/exec/workspace.h"
#include "engine/operator/access_log.h"
#include "engine/operator/plan.h"

namespace hdbench {

// Whether the groups are the different rows of a select distinct: their first rows are shown.
bool is_distinct(const Plan& plan);

// Whether a key's element is shown as its group's last row has it: words do not tell a list's
// items, nor -0 from 0.
bool is_key_of_a_row(QType type);

// `order`: of groups (sorted_groups()). Many are finished by all of the pool's threads (null: by
// this one). What is read of columns is logged, what is written is not.
// Requires: all rows are taken; GroupState::settle() where groups are numbered by slot. Throws
// QueryStop and WorkspaceLimit.
ResultTable make_group_result(const GroupTask& task, const GroupState& groups,
                              std::span<const std::uint32_t> order, ThreadPool* pool,
                              Workspace& workspace, AccessLog& accesses);

}  // namespace hdbench
