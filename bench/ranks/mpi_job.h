// The one place that knows MPI.
#pragma once

#include <memory>

#include "bench/base/layers.h"
#include "bench/ranks/rank_job.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Null: the job has one rank. Errors: as RankJob::join()'s.
Result<std::unique_ptr<RankJob>> join_mpi();

}  // namespace hdbench::bench
