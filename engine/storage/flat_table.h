// The flat layout: all partitions joined to one table with a real date column (docs/q-semantics.md,
// "Attributes", says what p means there).
#pragma once

#include <memory>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/base/thread_pool.h"
#include "engine/column/table.h"
#include "engine/storage/narrow_codes.h"

namespace hdbench {

// Copies `source` (a partitioned table) into regions of `store`, one a column, partitions in
// parallel, each piece straight from the source's mapping. The partition field becomes real field 0
// with a p# index over its partitions. It and symbols keep their stored width (symbols 8 bytes
// where partitions differ), or are narrowed as they are joined (Codes::kNarrow); nested columns
// become arrays of cells and keep the source's heaps alive. A table that is not partitioned is
// copied as it is. Null indices become codes as in narrow_codes.h, and so do indices outside their
// domain where `outside` is given. A field that cannot be read in some partition is unreadable in
// the flat table, and the others are joined. What a linked table follows is not copied: the flat
// table's links are followed in their turn. Where memory maps run out, fewer columns are joined at
// once. Errors: kData: a partition whose rows the source cannot tell; the store's; kLimit: one
// column's maps are too many. Requires: the source's codes are as stored; nobody else uses its
// columns.
Result<std::shared_ptr<Table>> make_flat_table(const Table& source,
                                               const std::shared_ptr<Store>& store,
                                               ThreadPool& pool, Codes codes = Codes::kStored,
                                               OutsideCodes* outside = nullptr);

}  // namespace hdbench
