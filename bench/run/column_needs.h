// How much memory the columns that queries read take.
#pragma once

#include <vector>

#include "bench/model/run_context.h"
#include "bench/run/needed_columns.h"
#include "engine/column/table.h"

namespace hdbench::bench {

// Every column of the table that lies somewhere, in their order, and those of linked tables that
// are read. Requires: what is needed was
// mapped.
std::vector<ColumnNeed> column_needs(const Table& table, const NeededColumns& needed);

// Of two sets of queries over one database: each column's greater need.
void merge_needs(std::vector<ColumnNeed>& all, const std::vector<ColumnNeed>& part);

}  // namespace hdbench::bench
