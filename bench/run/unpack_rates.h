// How fast the machine unpacks the blocks that the queries read, by threads: the ceiling of cells
// over compressed columns.
//
// The compression libraries themselves, on a sample of the database's own blocks, from memory into
// memory that has been used before, as a query's is from its second run on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/base/one_pool.h"
#include "bench/model/cell_ceiling.h"
#include "bench/run/table_placement.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Of at most 64 MiB of the compressed columns that the queries read, blocks evenly taken. Empty:
// none is compressed, or they are unpacked before. Errors: kData: a broken block. Requires: the
// columns are mapped.
Result<std::vector<UnpackRate>> measure_unpacking(const BoundQueries& bound,
                                                  const std::vector<std::string>& tables,
                                                  const TablePlacement& placement, OnePool& pools,
                                                  std::span<const std::size_t> threads);

}  // namespace hdbench::bench
