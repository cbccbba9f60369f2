// The notes that a run prints about a placement before its cells run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/model/query_list.h"
#include "bench/run/table_placement.h"
#include "engine/operator/plan.h"

namespace hdbench {

// A line a query whose columns are compressed on disk: no cell times their decompression.
// Requires: what the queries need was mapped.
std::vector<std::string> compressed_lines(const std::vector<ListedQuery>& queries,
                                          const std::map<int, Plan>& plans,
                                          const TablePlacement& placement);

// A line for each emulated near cache that holds all columns of its medium: no query misses it.
// Requires: what the queries need was mapped.
std::vector<std::string> near_cache_lines(Medium& medium);

// Partitions that cannot be counted (a column file is missing) count nothing; queries that need
// them say what is wrong.
std::uint64_t rows_of(const Table& table);

// The rows of each table, for the report's head.
std::vector<std::pair<std::string, std::uint64_t>> rows_of_tables(
    const std::vector<ListedQuery>& queries, const TablePlacement& placement);

}  // namespace hdbench
