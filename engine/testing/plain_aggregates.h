// Aggregates of the rows of a group by their definitions, with __float128 for sums of floats.
#pragma once

#include <vector>

#include "engine/operator/plan.h"
#include "engine/testing/plain_cells.h"

namespace hdbench {

// Whether an aggregate has an argument on either side.
inline bool takes_two(Aggregate aggregate) {
  return aggregate == Aggregate::kWavg || aggregate == Aggregate::kWsum ||
         aggregate == Aggregate::kCov || aggregate == Aggregate::kSampleCov ||
         aggregate == Aggregate::kCor;
}

// `type`: of the field that is aggregated. Rows have all that the output reads.
Cell aggregate_of_rows(const Output& output, QType type, const std::vector<Row>& rows);

}  // namespace hdbench
