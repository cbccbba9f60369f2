// Other engines' times beside hdbench's, as text: a table for each thread count, a line a query.
#pragma once

#include <string>

#include "bench/report/views/report_pivot.h"

namespace hdbench {

// Empty without peers. A peer that answers without reading the columns has its time in parentheses,
// its reason below and no ratio; one that failed has "-", with its error below.
std::string peer_text(const ReportPivot& pivot);

}  // namespace hdbench
