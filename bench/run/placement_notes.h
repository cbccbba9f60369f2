// The notes of a run about its placements and their cells.
#pragma once

#include <cstddef>
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
#include "bench/run/needed_columns.h"
#include "bench/run/table_placement.h"
#include "engine/column/table.h"
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

// The bytes that narrow codes save: the columns that a placement has loaded, compared with the same
// columns as stored.
struct CodesSaving {
  // Columns whose elements became equally wide and represent the same.
  struct Group {
    std::vector<std::string> columns;
    std::uint32_t width = 0;
    std::string meaning;  // "domain sym, 15 symbols", "from 2019.11.01 on"
  };
  std::vector<Group> groups;
  std::uint64_t codes_stored_bytes = 0;  // of the narrowed columns, as stored
  std::uint64_t codes_narrow_bytes = 0;  // the same, as loaded
  std::uint64_t stored_bytes = 0;        // of all columns loaded, none narrowed
};

// Requires: the columns at these places were mapped without an error.
CodesSaving codes_saving(const Table& table, const std::vector<NeededColumns::Place>& loaded);

// "col1 col2 at 1 byte (domain sym, 15 symbols): 917.3 MB -> 114.7 MB, 802.6 MB saved (30.8 % of
// the columns loaded)".
std::string to_text(const CodesSaving& saving);

// A line a table of a placement with narrow codes, and one that says where they lie on nvme; none
// where codes are as stored. Requires: what the queries need was mapped.
std::vector<std::string> saving_lines(const std::vector<ListedQuery>& queries,
                                      const BoundQueries& bound, const TablePlacement& placement);

}  // namespace hdbench::bench
