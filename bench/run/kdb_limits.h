// What kdb+ would hold for queries over a placement: the rows at each step are counted by running
// parts of the plans.
#pragma once

#include "bench/base/layers.h"
#include "bench/kdb/kdb_memory.h"
#include "bench/model/axes.h"
#include "bench/model/cell_result.h"
#include "bench/run/session.h"
#include "engine/base/result.h"
#include "pmem/media/medium.h"
#include "queries/query.h"

namespace hdbench::bench {

// kdb+ under the same axes: `-s N` has N secondary threads where a query runs on several.
KdbSettings kdb_settings(const Setting& setting);
// The same over a medium: a flat table in memory is one in kdb+'s heap.
KdbSettings kdb_settings(const Setting& setting, const Medium& medium);

// Errors: those of running the plan's parts, which have no limit.
Result<KdbSteps> measure_kdb_steps(Session& session, const BoundQuery& query,
                                   const Setting& setting, Medium& medium);

// Of a query's steps, as a cell has it.
KdbNeed kdb_need(const BoundQuery& query, const KdbSteps& steps, const KdbSettings& settings);

}  // namespace hdbench::bench
