// The tables of several ranks (ranks.h) as one on rank 0, a column at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/column/result_table.h"
#include "engine/exec/ranks.h"

namespace hdbench {

// Rows that lie beside each other in a rank's table and in the whole.
struct RankSegment {
  std::size_t rank = 0;
  std::uint64_t begin = 0;  // in the rank's table
  std::uint64_t rows = 0;
};

// What another rank has to send: its columns' elements and, of lists, the items behind them.
struct SentTable {
  std::uint64_t rows = 0;
  std::vector<std::uint32_t> widths;      // by column
  std::vector<std::uint64_t> list_bytes;  // likewise; 0 where it is none of lists
  // All columns, each its elements and items: of a small table, that need not be asked for.
  std::optional<Bytes> columns = {};
};

// The items of a column of lists, cell after cell; empty for other columns.
Buffer items_of_lists(const ResultColumn& column, std::uint64_t rows,
                      std::pmr::memory_resource& memory);

struct TableJoin {
  Ranks& ranks;
  std::pmr::memory_resource& memory;
  // Has the other ranks send their next column, unless theirs are here. Called when all memory for
  // it is there.
  std::function<void()> ask;
  double& receive_ms;  // the time in which columns are received is added
};

// The segments' rows in their order. `sent`: by rank, rank 0's unused. Names, types and domains are
// the own columns'; codes are as wide as the widest. Throws what `memory` and the ranks throw;
// QueryStop for lists that are broken.
ResultTable join_tables(ResultTable own, std::span<const SentTable> sent,
                        std::span<const RankSegment> segments, const TableJoin& join);

}  // namespace hdbench
