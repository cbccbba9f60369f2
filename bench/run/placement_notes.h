// The notes of a run about its placements and their cells.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "bench/machine/setting_notes.h"
#include "bench/model/cell_result.h"
#include "bench/model/query_list.h"
#include "bench/run/table_placement.h"
#include "engine/operator/plan.h"
#include "pmem/machine/block_device.h"

namespace hdbench::bench {

// A line a query whose columns are compressed on disk: no cell times their decompression.
// Requires: what the queries need was mapped.
std::vector<std::string> compressed_lines(const std::vector<ListedQuery>& queries,
                                          const BoundQueries& bound,
                                          const TablePlacement& placement);

// The name of their preflight notes.
inline constexpr const char* kNearCacheNote = "near cache";
// A line for each emulated near cache that holds all columns of its medium: no query misses it.
// Requires: what the queries need was mapped.
std::vector<std::string> near_cache_lines(Medium& medium);

// Partitions that cannot be counted (a column file is missing) count nothing; queries that need
// them say what is wrong.
std::uint64_t rows_of(const Table& table);

// The rows of each table, for the report's head.
std::vector<std::pair<std::string, std::uint64_t>> rows_of_tables(
    const std::vector<ListedQuery>& queries, const TablePlacement& placement);

// Of cold cells of a real disk for which the device gave kReadaheadTold times what their query
// read, or more; `disk` is the database's. Nothing: there are none.
std::optional<PreflightNote> read_ahead_note(const std::vector<CellResult>& cells,
                                             const std::optional<BlockDevice>& disk);

}  // namespace hdbench::bench
