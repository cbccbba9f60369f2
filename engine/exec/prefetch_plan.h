// The order in which a pass over the morsels reads blocks, for read-ahead.
//
// Blocks cover exactly the bytes of the fields that morsels read. Each worker starts with a range
// of its own (thread_pool.h), so the plan takes the ranges in turn, one large morsel or a few small
// ones of each, field by field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/exec/query_input.h"

namespace hdbench {

// The most rows whose bytes of a field are read at once: 512 KiB of an eight-byte column. Smaller
// requests do not keep the device busy; larger ones make workers wait longer for all fields of a
// morsel and hold more of the pass in memory.
constexpr std::uint64_t kPrefetchRows = std::uint64_t{1} << 16;

struct PrefetchBlock {
  std::span<const std::byte> bytes;
  // Morsels of the pass that will have begun before this block's when all workers are equally fast.
  std::uint64_t morsels_before = 0;
  // Those that read it: so many from the first on, the same of all blocks of these rows.
  std::size_t first_morsel = 0;
  std::size_t morsels = 0;
};

struct PrefetchPlan {
  std::vector<PrefetchBlock> blocks;
  std::uint64_t bytes = 0;
  std::uint64_t morsels = 0;            // of the pass
  std::uint64_t block_morsels_max = 1;  // that share a block
  std::size_t blocks_at_once = 0;       // at most, that the workers read at a time
  // True: a morsel reads its fields one after the other, completely, in the plan's order, and
  // reports each (begin_field(), end_field()). False: it reads them together.
  bool by_field = false;
};

// The fields that a morsel reads, in the order in which it reads them, each once; none: the pass
// leaves the morsel out.
using FieldsOfMorsel = std::function<std::vector<std::size_t>(std::size_t morsel)>;

// Requires: workers is the size of the pool that the pass will run on.
PrefetchPlan prefetch_plan(const QueryInput& input, std::size_t workers,
                           const FieldsOfMorsel& fields_of);

// Whether the value is that of one row of its group, and read when the groups are known.
bool is_of_a_row(Aggregate aggregate);

// The fields of the conditions that are still to be scanned.
std::vector<std::size_t> filter_fields(const QueryInput& input, const Morsel& morsel);
// The fields that a select shows.
std::vector<std::size_t> output_fields(const QueryInput& input);
// What grouping a morsel reads: the conditions' fields, the keys' but for one that an index tells,
// and those aggregated. A select by without aggregates shows rows, which are known only later.
std::vector<std::size_t> group_fields(const QueryInput& input, const Morsel& morsel);

}  // namespace hdbench
