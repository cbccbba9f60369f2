// Aggregates of the rows of a group by their definitions, with __float128 for sums of floats.
#pragma once

#include <vector>

#include "engine/operator/plan.h"
#include "engine/testing/plain_cells.h"

namespace hdbench {

// `type`: of the field that is aggregated. Rows have all that the output reads.
Cell aggregate_of_rows(const Output& output, QType type, const std::vector<Row>& rows);

}  // namespace hdbench
