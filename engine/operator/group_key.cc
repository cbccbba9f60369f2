#include "engine/operator/group_key.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "engine/base/check.h"
#include "engine/kernel/order_keys.h"
#include "engine/kernel/scan.h"
#include "engine/operator/gather.h"

namespace hdbench {
namespace {

struct KeyRange {
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = std::numeric_limits<std::int64_t>::min();
  void take(std::int64_t value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

void set_range(KeyColumn& key, const KeyRange& range) {
  // A null would be far below: such a key stays hashed.
  if (range.low > range.high || range.low < -(std::int64_t{1} << 31)) return;
  key.base = range.low;
  key.cardinality = static_cast<std::uint64_t>(range.high - range.low) + 1;
}

// A flat table's date says its partitions in its index, whether or not conditions may use it.
void set_range_of_flat_partitions(KeyColumn& key, std::span<const PartitionView> views,
                                  const std::optional<FieldRange>& left) {
  KeyRange range;
  for (const PartitionView& view : views) {
    const Column* const column = view.columns[key.field];
    if (column == nullptr || column->index == nullptr) return;
    for (const std::int64_t value : column->index->keys) range.take(value);
  }
  if (left && left->field == key.field) {
    range = {std::max(range.low, left->low), std::min(range.high, left->high)};
  }
  set_range(key, range);
}

void set_cardinality(KeyColumn& key, const Schema& schema, std::span<const PartitionView> views,
                     const std::optional<FieldRange>& left) {
  const Field& field = schema.fields[key.field];
  if (schema.partitioned && key.field == 0) {
    KeyRange range;
    for (const PartitionView& view : views) range.take(view.partition_value);
    return set_range(key, range);
  }
  const bool is_computed = !views.empty() && views.front().columns[key.field] == nullptr;
  if (is_computed && field.type == QType::kBoolean) {
    key.cardinality = 2;
  } else if (field.type == QType::kSymbol || type_width(field.type) == 1) {
    key.cardinality = code_count(schema, views, key.field);
  } else if (field.type == QType::kDate || field.type == QType::kMonth) {
    set_range_of_flat_partitions(key, views, left);
  }
}

std::uint64_t big_endian(const std::byte* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return __builtin_bswap64(word);
}

void hash_cells(const std::byte* packed, std::size_t count, std::uint64_t* high,
                std::uint64_t* low) {
  for (std::size_t i = 0; i < count; ++i) {
    NestedCell cell;
    std::memcpy(&cell, packed + i * sizeof(cell), sizeof(cell));
    const XXH128_hash_t hash =
        XXH3_128bits_withSeed(cell.data, cell.bytes(), cell.kind * 2u + (cell.is_atom ? 1 : 0));
    high[i] = hash.high64;
    low[i] = hash.low64;
  }
}

// One column's values for sorting: numbers, or (nested) the cells' bytes.
struct SortColumn {
  explicit SortColumn(std::pmr::memory_resource& resource) : numbers(&resource), cells(&resource) {}

  std::pmr::vector<std::int64_t> numbers;
  std::pmr::vector<NestedCell> cells;

  int compare(std::uint32_t a, std::uint32_t b) const {
    if (cells.empty()) return numbers[a] < numbers[b] ? -1 : numbers[a] > numbers[b];
    const NestedCell& x = cells[a];
    const NestedCell& y = cells[b];
    const std::size_t common = std::min(x.bytes(), y.bytes());
    const int order = common == 0 ? 0 : std::memcmp(x.data, y.data, common);
    if (order != 0) return order;
    if (x.bytes() != y.bytes()) return x.bytes() < y.bytes() ? -1 : 1;
    // Equal bytes of different types are different keys: "a" the atom and "a" the list.
    const int x_type = x.kind * 2 + (x.is_atom ? 1 : 0);
    const int y_type = y.kind * 2 + (y.is_atom ? 1 : 0);
    return x_type - y_type;
  }
};

SortColumn sort_column(const Schema& schema, const KeyColumn& key, std::size_t word,
                       const GroupIndex& index, std::pmr::memory_resource& resource) {
  SortColumn column(resource);
  std::pmr::vector<std::uint64_t> words(index.size(), &resource);
  for (std::uint32_t g = 0; g < index.size(); ++g) words[g] = index.key(g)[key.first_word + word];
  column.numbers.resize(index.size());
  sort_numbers(schema, key, words.data(), words.size(), column.numbers.data());
  return column;
}

// Makes one column of several whose numbers fit side by side into one number: it is in their order.
void join_columns(std::vector<SortColumn>& columns) {
  struct Span {
    std::uint64_t low = 0;
    int bits = 0;
  };
  std::vector<Span> spans;
  int bits = 0;
  for (const SortColumn& column : columns) {
    if (column.numbers.empty()) return;  // cells, or no groups
    const auto [low, high] = std::minmax_element(column.numbers.begin(), column.numbers.end());
    const auto least = static_cast<std::uint64_t>(*low);
    spans.push_back(
        {least, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(*high) - least))});
    bits += spans.back().bits;
  }
  constexpr int kBitsMax = 63;  // no sign
  if (columns.size() < 2 || bits > kBitsMax) return;
  std::pmr::vector<std::int64_t>& joined = columns.front().numbers;
  for (std::size_t i = 0; i < joined.size(); ++i) {
    std::uint64_t number = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto value = static_cast<std::uint64_t>(columns[c].numbers[i]);
      number = number << spans[c].bits | (value - spans[c].low);
    }
    joined[i] = static_cast<std::int64_t>(number);
  }
  columns.erase(columns.begin() + 1, columns.end());
}

struct Numbered {
  std::int64_t number = 0;
  std::uint32_t group = 0;

  bool operator<(const Numbered& other) const { return number < other.number; }
};

// A digit's counters stay in the first-level cache.
constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
// More digits take longer than comparing.
constexpr int kDigitsMax = 4;
// Of fewer, clearing the counters does.
constexpr std::size_t kItemsMin = 512;

// By number, by radix where the numbers' range needs few digits, else by comparison; equal numbers
// keep their order. `scratch`: as many as `items`, left as they come.
void sort_numbered(std::span<Numbered> items, std::span<Numbered> scratch) {
  HDB_DCHECK(scratch.size() >= items.size(), "scratch for all items");
  if (items.size() < kItemsMin) return std::stable_sort(items.begin(), items.end());
  const auto [least, greatest] = std::minmax_element(items.begin(), items.end());
  const auto low = static_cast<std::uint64_t>(least->number);
  const auto bits =
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(greatest->number) - low));
  if (bits > kDigitsMax * kDigitBits) return std::stable_sort(items.begin(), items.end());
  Numbered* from = items.data();
  Numbered* to = scratch.data();
  for (int shift = 0; shift < bits; shift += kDigitBits, std::swap(from, to)) {
    const auto digit = [&](const Numbered& item) {
      return ((static_cast<std::uint64_t>(item.number) - low) >> shift) & (kDigits - 1);
    };
    std::array<std::uint32_t, kDigits> places = {};
    for (std::size_t i = 0; i < items.size(); ++i) ++places[digit(from[i])];
    std::uint32_t next = 0;
    for (std::uint32_t& place : places) {
      const std::uint32_t count = place;
      place = next;
      next += count;
    }
    for (std::size_t i = 0; i < items.size(); ++i) to[places[digit(from[i])]++] = from[i];
  }
  if (from != items.data()) std::copy_n(from, items.size(), items.data());
}

// Sorts pieces in parallel, then merges neighbours until one is left. sort(items, scratch): a
// piece.
template <typename T, typename Sort, typename Less>
void sort_by_all(std::pmr::vector<T>& items, ThreadPool* pool, const Sort& sort, const Less& less) {
  constexpr std::size_t kAlone = 8192;
  const std::size_t pieces = pool == nullptr || items.size() < kAlone ? 1 : pool->size();
  std::pmr::vector<T> scratch(items.size(), items.get_allocator());
  if (pieces == 1) return sort(std::span(items), std::span(scratch));
  const auto place = [&](std::size_t piece) {
    return items.size() * std::min(piece, pieces) / pieces;
  };
  pool->run(pieces, [&](std::size_t piece, std::size_t) {
    const std::size_t count = place(piece + 1) - place(piece);
    sort(std::span(items).subspan(place(piece), count),
         std::span(scratch).subspan(place(piece), count));
  });
  for (std::size_t width = 1; width < pieces; width *= 2) {
    pool->run((pieces + 2 * width - 1) / (2 * width), [&](std::size_t task, std::size_t) {
      const std::size_t first = 2 * width * task;
      const T* const from = items.data();
      std::merge(from + place(first), from + place(first + width), from + place(first + width),
                 from + place(first + 2 * width), scratch.data() + place(first), less);
    });
    items.swap(scratch);
  }
}

}  // namespace

std::vector<KeyColumn> make_key_columns(const Schema& schema, std::span<const GroupKey> by,
                                        std::span<const PartitionView> views,
                                        const std::optional<FieldRange>& left) {
  std::vector<KeyColumn> keys;
  std::size_t words = 0;
  for (const GroupKey& group_key : by) {
    KeyColumn key;
    key.field = group_key.field;
    key.type = schema.fields[key.field].type;
    key.first_word = words;
    key.word_count = key.type == QType::kGuid || key.type == QType::kNested ? 2 : 1;
    set_cardinality(key, schema, views, left);
    words += key.word_count;
    keys.push_back(key);
  }
  return keys;
}

std::uint32_t slot_bits(const KeyColumn& key) {
  return static_cast<std::uint32_t>(std::bit_width(key.cardinality - 1));
}

std::uint64_t code_count(const Schema& schema, std::span<const PartitionView> views,
                         std::size_t field) {
  const Field& of = schema.fields[field];
  if (of.type != QType::kSymbol) return type_width(of.type) == 1 ? 256 : 0;
  std::uint64_t count = of.domain->stored_size();
  for (const PartitionView& view : views) {
    const Column* const column = view.columns[field];
    count = std::max<std::uint64_t>(count,
                                    column == nullptr ? of.domain->size() : column->code_bound());
  }
  return count;
}

std::vector<std::uint64_t> word_cardinalities(std::span<const KeyColumn> keys) {
  std::vector<std::uint64_t> cardinalities;
  for (const KeyColumn& key : keys)
    cardinalities.insert(cardinalities.end(), key.word_count, key.cardinality);
  return cardinalities;
}

Status key_words(const Schema& schema, const PartitionView& view, const KeyColumn& key,
                 RowRange range, const std::uint64_t* bits, std::size_t count, std::byte* scratch,
                 std::span<std::uint64_t* const> words) {
  std::uint64_t* first = words[key.first_word];
  const auto base = static_cast<std::uint64_t>(key.base);
  if (schema.partitioned && key.field == 0) {
    std::fill_n(first, count, static_cast<std::uint64_t>(view.partition_value) - base);
    return ok_status();
  }
  const Column& column = *view.columns[key.field];
  const std::uint32_t width =
      column.type == QType::kSymbol ? column.width : type_width(column.type);
  HDB_TRY(gather_morsel(schema, view, key.field, range, bits, count, width, scratch));
  switch (key.type) {
    case QType::kSymbol: to_words(width, scratch, count, first); break;
    case QType::kGuid:
      for (std::size_t i = 0; i < count; ++i) {
        first[i] = big_endian(scratch + i * 16);
        words[key.first_word + 1][i] = big_endian(scratch + i * 16 + 8);
      }
      break;
    case QType::kNested: hash_cells(scratch, count, first, words[key.first_word + 1]); break;
    default:
      to_order_keys(key.type, scratch, count, reinterpret_cast<std::int64_t*>(first));
      for (std::size_t i = 0; i < count; ++i) first[i] -= base;
  }
  return ok_status();
}

void sort_numbers(const Schema& schema, const KeyColumn& key, const std::uint64_t* words,
                  std::size_t count, std::int64_t* numbers) {
  if (key.type == QType::kSymbol) {
    const std::span<const std::uint32_t> ranks = schema.fields[key.field].domain->ranks();
    for (std::size_t i = 0; i < count; ++i) numbers[i] = ranks[static_cast<std::size_t>(words[i])];
    return;
  }
  // Guids' words are unsigned, others were numbers before their base was taken off.
  const std::uint64_t shift =
      key.type == QType::kGuid ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(key.base);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<std::int64_t>(words[i] + shift);
}

void key_element(const KeyColumn& key, const std::uint64_t* words, std::uint32_t width,
                 std::byte* element) {
  const std::uint64_t* const word = words + key.first_word;
  if (key.type == QType::kGuid) {
    const std::uint64_t bytes[] = {__builtin_bswap64(word[0]), __builtin_bswap64(word[1])};
    std::memcpy(element, bytes, sizeof(bytes));
  } else if (key.type == QType::kSymbol) {
    std::memcpy(element, word, width);  // little-endian: the low bytes come first
  } else {
    const std::uint64_t value = word[0] + static_cast<std::uint64_t>(key.base);
    from_order_key(key.type, static_cast<std::int64_t>(value), element);
  }
}

Result<std::pmr::vector<std::uint32_t>> sorted_groups(
    const Schema& schema, std::span<const PartitionView> views, std::span<const KeyColumn> keys,
    const GroupIndex& index, std::span<const std::uint64_t> last_rows, ThreadPool* pool,
    std::pmr::memory_resource& resource) {
  std::vector<SortColumn> columns;
  for (const KeyColumn& key : keys) {
    if (key.type == QType::kNested) {
      SortColumn column(resource);
      column.cells.resize(index.size());
      HDB_TRY(gather_rows(schema, views, key.field, last_rows, sizeof(NestedCell),
                          reinterpret_cast<std::byte*>(column.cells.data())));
      columns.push_back(std::move(column));
      continue;
    }
    for (std::size_t word = 0; word < key.word_count; ++word) {
      columns.push_back(sort_column(schema, key, word, index, resource));
    }
  }
  std::pmr::vector<std::uint32_t> order(index.size(), &resource);
  join_columns(columns);
  if (columns.size() == 1 && columns[0].cells.empty()) {
    // The numbers go with their groups: both are found in one place.
    std::pmr::vector<Numbered> groups(index.size(), &resource);
    for (std::uint32_t g = 0; g < index.size(); ++g) groups[g] = {columns[0].numbers[g], g};
    sort_by_all(groups, pool, sort_numbered, std::less<>());
    for (std::uint32_t g = 0; g < index.size(); ++g) order[g] = groups[g].group;
    return order;
  }
  for (std::uint32_t g = 0; g < index.size(); ++g) order[g] = g;
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    for (const SortColumn& column : columns) {
      const int compared = column.compare(a, b);
      if (compared != 0) return compared < 0;
    }
    return false;
  };
  sort_by_all(
      order, pool, [&](auto items, auto) { std::sort(items.begin(), items.end(), less); }, less);
  return order;
}

}  // namespace hdbench
