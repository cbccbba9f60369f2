// The parameters of a grouping query, shared read-only by its workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/exec/query_input.h"
#include "engine/operator/group_key.h"
#include "engine/operator/group_rows.h"
#include "engine/operator/selected_median.h"
#include "engine/operator/slot_reader.h"

namespace hdbench {

// The key columns, and what must be kept a group.
struct GroupTask {
  const QueryInput& input;
  const ExecuteSettings& settings;
  std::vector<KeyColumn> keys;
  GroupRowNeeds needs;
  std::vector<ValueRange> ranges;  // by output, of a median's values
};

// The key that an index says all of a morsel's rows have.
std::optional<ToldKey> told_key(const QueryInput& input, const Morsel& morsel);

// Writes the words of the selected rows' keys (key_words()); what an index tells is not read.
// `view`: the morsel's, in which computed keys are made for these rows. `scratch` has room for
// count x 16 bytes. Throws QueryStop.
void read_key_words(const GroupTask& task, const Morsel& morsel, const PartitionView& view,
                    RowRange rows, const std::uint64_t* bits, std::size_t count, std::byte* scratch,
                    std::span<std::uint64_t* const> words);

}  // namespace hdbench
