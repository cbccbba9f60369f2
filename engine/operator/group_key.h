// Group keys: converts key columns of any type to the words that a GroupIndex numbers, and orders
// groups in a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/thread_pool.h"
#include "engine/column/table.h"
#include "engine/operator/group_index.h"
#include "engine/operator/partition_view.h"
#include "engine/operator/plan.h"

namespace hdbench {

// How one key column becomes words. Symbols: the code. Scalars: order key - base. Guids: two words,
// big-endian, so that word order is q's order. Nested: a 128-bit hash of the content, two words.
struct KeyColumn {
  std::size_t field = 0;
  QType type = QType::kLong;
  std::int64_t base = 0;
  std::uint64_t cardinality = 0;  // of each word; 0: not known
  std::size_t first_word = 0;
  std::size_t word_count = 1;
};

// Bits that a key's word takes in a slot (group_index.h). Requires: a known cardinality.
std::uint32_t slot_bits(const KeyColumn& key);

// The order keys that a field has at most, in rows that an index has left: both ends belong to it.
struct FieldRange {
  std::size_t field = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// Key columns of a by-phrase; cardinalities from domains, partition values and the p# index
// of a flat date, of which `left` may leave fewer values: a smaller table to be cleared.
std::vector<KeyColumn> make_key_columns(const Schema& schema, std::span<const GroupKey> by,
                                        std::span<const PartitionView> views,
                                        const std::optional<FieldRange>& left);

// Of a field of symbols, or of a type of one byte: what its codes are below. Of others 0.
std::uint64_t code_count(const Schema& schema, std::span<const PartitionView> views,
                         std::size_t field);

// One cardinality a word, for GroupIndex.
std::vector<std::uint64_t> word_cardinalities(std::span<const KeyColumn> keys);

// Writes the words of the `count` selected rows of a morsel (bits null: all of them) to
// words[first_word...]. `scratch` has space for count x 16 bytes. Errors: kData for a code outside
// its domain or a broken cell.
Status key_words(const Schema& schema, const PartitionView& view, const KeyColumn& key,
                 RowRange range, const std::uint64_t* bits, std::size_t count, std::byte* scratch,
                 std::span<std::uint64_t* const> words);

// Numbers that are in the order of the elements that have these words: word `word` of the key, of
// `count` keys. Elements with equal words have equal numbers, and no others do. Requires: a key
// that is not nested; codes within their domain.
void sort_numbers(const Schema& schema, const KeyColumn& key, const std::uint64_t* words,
                  std::size_t count, std::int64_t* numbers);

// Writes the element, `width` bytes, that has these words. Requires: a key that is not nested; of
// floats, every null and every zero comes out as one.
void key_element(const KeyColumn& key, const std::uint64_t* words, std::uint32_t width,
                 std::byte* element);

// The groups in the order of a keyed table: ascending by key, symbols by text. last_rows[g] is a
// row of group g, read for nested keys. Many groups are sorted by all of the pool's threads (null:
// by this one).
Result<std::pmr::vector<std::uint32_t>> sorted_groups(
    const Schema& schema, std::span<const PartitionView> views, std::span<const KeyColumn> keys,
    const GroupIndex& index, std::span<const std::uint64_t> last_rows, ThreadPool* pool,
    std::pmr::memory_resource& resource);

}  // namespace hdbench
