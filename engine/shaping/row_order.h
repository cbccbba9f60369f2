// The rows of a result in another order, or some of them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/base/thread_pool.h"
#include "engine/column/result_table.h"
#include "engine/operator/access_log.h"
#include "engine/operator/plan.h"

namespace hdbench {

using RowNumbers = std::pmr::vector<std::uint64_t>;

// Which of so many rows are taken, in their order.
struct TakenRows {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
TakenRows taken_rows(const std::optional<RowTake>& take, std::uint64_t rows);

// The numbers of the rows at the places `taken` of the order. Rows that are equal in it keep their
// order. Only what is taken is put in order. Throws WorkspaceLimit.
RowNumbers ordered_rows(const ResultTable& table, const RowOrder& order, TakenRows taken,
                        ThreadPool& pool, std::pmr::memory_resource& resource);

// The table of these rows. What is read and written is logged. Throws WorkspaceLimit.
ResultTable take_rows(ResultTable table, std::span<const std::uint64_t> rows,
                      std::pmr::memory_resource& resource, AccessLog& accesses);

}  // namespace hdbench
