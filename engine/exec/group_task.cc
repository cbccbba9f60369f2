#include "engine/exec/group_task.h"

#include <algorithm>

namespace hdbench {

std::optional<ToldKey> told_key(const QueryInput& input, const Morsel& morsel) {
  if (!morsel.index_key) return std::nullopt;
  return ToldKey{input.index_field, *morsel.index_key};
}

void read_key_words(const GroupTask& task, const Morsel& morsel, const PartitionView& view,
                    RowRange rows, const std::uint64_t* bits, std::size_t count, std::byte* scratch,
                    std::span<std::uint64_t* const> words) {
  const auto told = told_key(task.input, morsel);
  for (const KeyColumn& key : task.keys) {
    if (told && told->field == key.field) {
      const auto word =
          static_cast<std::uint64_t>(told->value) - static_cast<std::uint64_t>(key.base);
      std::fill_n(words[key.first_word], count, word);
      continue;
    }
    stop_unless(key_words(task.input.schema(), view, key, rows, bits, count, scratch, words));
  }
}

}  // namespace hdbench
