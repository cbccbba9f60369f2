#include "engine/storage/parted_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/check.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kIndexHeaderBytes = 16;
constexpr std::uint64_t kLongBytes = 8;
constexpr std::uint64_t kSlotsPerValue = 2;

// Where the pieces of an index of `keys` distinct values with space for `capacity` lie, from the
// vector's end on.
struct Layout {
  std::uint64_t padding = 0;       // before everything: 4-byte codes only
  std::uint64_t leading = 0;       // the i64 0 before U: 8-byte codes only
  std::uint64_t before_slots = 0;  // the i64 0 before the slots: 8-byte codes only
  std::uint32_t code_width = 8;

  std::uint64_t values_header() const { return padding + leading; }
  std::uint64_t values() const { return values_header() + kIndexHeaderBytes; }
  std::uint64_t slots(std::uint64_t capacity) const {
    return values() + capacity * code_width + before_slots;
  }
  std::uint64_t offsets_header(std::uint64_t capacity) const {
    return slots(capacity) + capacity * kSlotsPerValue * kLongBytes;
  }
  std::uint64_t offsets(std::uint64_t capacity) const {
    return offsets_header(capacity) + kIndexHeaderBytes;
  }
  std::uint64_t bytes(std::uint64_t keys, std::uint64_t capacity) const {
    return offsets(capacity) + (keys + 1) * kLongBytes;
  }
};

Layout layout_for(std::uint32_t code_width, std::uint64_t vector_bytes) {
  if (code_width == 8) return {0, kLongBytes, kLongBytes, 8};
  return {(kLongBytes - vector_bytes % kLongBytes) % kLongBytes, 0, 0, 4};
}

// kdb+'s size class: the smallest m with 16 << m >= bytes.
std::uint8_t size_class(std::uint64_t bytes) {
  std::uint8_t m = 0;
  while ((std::uint64_t{16} << m) < bytes) ++m;
  return m;
}

std::uint64_t capacity_for(std::uint64_t keys, std::uint32_t code_width) {
  const std::uint64_t least = code_width == 8 ? 1 : 2;
  return std::max(least, std::bit_ceil(keys));
}

template <typename T>
void store_at(std::vector<std::byte>& bytes, std::uint64_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

void store_header(std::vector<std::byte>& bytes, std::uint64_t at, std::uint64_t object_bytes,
                  std::uint8_t type, std::uint8_t attribute, std::uint64_t count) {
  store_at(bytes, at, size_class(object_bytes));
  store_at(bytes, at + 2, type);
  store_at(bytes, at + 3, attribute);
  store_at(bytes, at + 8, count);
}

// kdb+'s hash of a code, open addressing, linear probing, in value order.
void store_slots(std::vector<std::byte>& bytes, std::uint64_t at, std::uint64_t capacity,
                 std::span<const std::int64_t> keys) {
  const std::uint64_t mask = capacity * kSlotsPerValue - 1;
  std::vector<std::int64_t> slots(mask + 1, -1);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    std::uint64_t slot = ((static_cast<std::uint64_t>(keys[k]) * 0x9E3779B1U) >> 11) & mask;
    while (slots[slot] >= 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<std::int64_t>(k);
  }
  std::memcpy(bytes.data() + at, slots.data(), slots.size() * kLongBytes);
}

// An error about the index of `column` at `offset` bytes past the vector's end.
Error index_error(const Column& column, std::uint64_t offset, std::string what) {
  return data_error(fmt::format("{}: byte {} (p# index): {}", column.source,
                                column.data_offset + column.bytes() + offset, what));
}

struct Counts {
  std::uint64_t keys = 0;
  std::uint64_t capacity = 0;
};

Result<Counts> read_counts(const Column& column, const Layout& layout) {
  const Bytes bytes = column.index_bytes;
  const std::uint64_t fixed = layout.bytes(0, 0);
  const auto keys = read_at<std::int64_t>(bytes, layout.values_header() + 8);
  if (!keys.has_value() || bytes.size() < fixed) {
    return index_error(column, 0,
                       fmt::format("{} bytes, but an index has at least {}", bytes.size(),
                                   layout.bytes(0, layout.code_width == 8 ? 1 : 2)));
  }
  if (*keys < 0 || static_cast<std::uint64_t>(*keys) > column.rows) {
    return index_error(
        column, layout.values_header() + 8,
        fmt::format("{} distinct values, but the column has {} rows", *keys, column.rows));
  }
  const auto count = static_cast<std::uint64_t>(*keys);
  const std::uint64_t per_capacity = layout.code_width + kSlotsPerValue * kLongBytes;
  const std::uint64_t used = fixed + count * kLongBytes;
  const std::uint64_t room = bytes.size() >= used ? bytes.size() - used : 0;
  const std::uint64_t capacity = room / per_capacity;
  if (bytes.size() < used || room % per_capacity != 0 || capacity < count) {
    return index_error(column, layout.values_header(),
                       fmt::format("{} bytes, but {} distinct values take {}", bytes.size(), count,
                                   layout.bytes(count, capacity_for(count, layout.code_width))));
  }
  return Counts{count, capacity};
}

enum class NullKeys : std::uint8_t { kOutside, kMapped, kAllOutsideMapped };

Result<std::vector<std::int64_t>> read_keys(const Column& column, const Layout& layout,
                                            std::uint64_t count, NullKeys nulls) {
  const std::int64_t null = layout.code_width == 8 ? kNullLong : kNullInt;
  std::vector<std::int64_t> keys(count);
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t at = layout.values() + k * layout.code_width;
    keys[k] = layout.code_width == 8 ? load_at<std::int64_t>(column.index_bytes, at)
                                     : load_at<std::int32_t>(column.index_bytes, at);
    const bool is_outside =
        keys[k] < 0 || static_cast<std::uint64_t>(keys[k]) >= column.code_bound();
    if (nulls == NullKeys::kAllOutsideMapped ? is_outside
                                             : nulls == NullKeys::kMapped && keys[k] == null) {
      keys[k] = static_cast<std::int64_t>(column.domain->null_code());
    } else if (is_outside) {
      Error error = index_error(column, at,
                                fmt::format("index {}, but domain {} has {} symbols", keys[k],
                                            column.domain->name(), column.domain->stored_size()));
      error.subject = &column;
      return error;
    }
  }
  return keys;
}

// The least value that came twice, unless it is `except`: it would have two ranges, and rows that
// no lookup finds.
std::optional<std::int64_t> find_repeated(const std::vector<std::int64_t>& keys,
                                          std::optional<std::int64_t> except = std::nullopt) {
  std::vector<std::int64_t> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  const auto twice =
      std::adjacent_find(sorted.begin(), sorted.end(),
                         [&](std::int64_t a, std::int64_t b) { return a == b && a != except; });
  if (twice == sorted.end()) return std::nullopt;
  return *twice;
}

Status require_distinct(const Column& column, const Layout& layout,
                        const std::vector<std::int64_t>& keys,
                        std::optional<std::int64_t> except = std::nullopt) {
  const auto twice = find_repeated(keys, except);
  if (!twice) return ok_status();
  const auto first = std::find(keys.begin(), keys.end(), *twice);
  const auto second = std::find(first + 1, keys.end(), *twice) - keys.begin();
  return index_error(column,
                     layout.values() + static_cast<std::uint64_t>(second) * layout.code_width,
                     fmt::format("value {} a second time, but each has one range", *twice));
}

Result<std::vector<std::int64_t>> read_offsets(const Column& column, const Layout& layout,
                                               Counts counts) {
  const Bytes bytes = column.index_bytes;
  const std::uint64_t header = layout.offsets_header(counts.capacity);
  const auto written = load_at<std::int64_t>(bytes, header + 8);
  if (written != static_cast<std::int64_t>(counts.keys) + 1) {
    return index_error(column, header + 8,
                       fmt::format("{} offsets, but {} distinct values need {}", written,
                                   counts.keys, counts.keys + 1));
  }
  const auto rows = static_cast<std::int64_t>(column.rows);
  std::vector<std::int64_t> offsets(counts.keys + 1);
  std::memcpy(offsets.data(), bytes.data() + layout.offsets(counts.capacity),
              offsets.size() * kLongBytes);
  for (std::uint64_t k = 0; k <= counts.keys; ++k) {
    const bool last = k == counts.keys;
    const std::int64_t least = last ? rows : k == 0 ? 0 : offsets[k - 1] + 1;
    const std::int64_t most = k == 0 && !last ? 0 : rows;
    if (offsets[k] < least || offsets[k] > most) {
      return index_error(
          column, layout.offsets(counts.capacity) + k * kLongBytes,
          fmt::format("offset {}, but {} to {} is expected", offsets[k], least, most));
    }
  }
  return offsets;
}

// `null_code`: a key that may be there several times.
Result<PartedIndex> read_index(const Column& column, NullKeys nulls,
                               std::optional<std::int64_t> null_code = std::nullopt) {
  HDB_CHECK(column.domain != nullptr, "a column of symbols");
  const Layout layout = layout_for(index_code_width(column.width), column.bytes());
  HDB_ASSIGN(const Counts counts, read_counts(column, layout));
  PartedIndex index;
  HDB_ASSIGN(index.keys, read_keys(column, layout, counts.keys, nulls));
  HDB_TRY(require_distinct(column, layout, index.keys, null_code));
  HDB_ASSIGN(index.offsets, read_offsets(column, layout, counts));
  return index;
}

// Makes neighbours with one key one range.
void join_ranges(PartedIndex& index) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < index.keys.size(); ++k) {
    if (kept != 0 && index.keys[kept - 1] == index.keys[k]) continue;
    index.keys[kept] = index.keys[k];
    index.offsets[kept++] = index.offsets[k];
  }
  index.offsets[kept] = index.offsets.back();
  index.keys.resize(kept);
  index.offsets.resize(kept + 1);
}

}  // namespace

bool has_parted_index(const Column& column) {
  if (column.index != nullptr) return true;
  const bool usable = column.attribute == Attribute::kParted && column.type == QType::kSymbol;
  const bool made_in_memory = column.source.empty() && column.index_bytes.empty();
  return usable && !made_in_memory;
}

Result<std::shared_ptr<const PartedIndex>> parted_index(const Column& column) {
  if (column.index != nullptr) return column.index;
  if (!has_parted_index(column)) return std::shared_ptr<const PartedIndex>();
  HDB_ASSIGN(PartedIndex index,
             read_index(column, column.has_null_codes ? NullKeys::kMapped : NullKeys::kOutside));
  return std::shared_ptr<const PartedIndex>(std::make_shared<PartedIndex>(std::move(index)));
}

Result<std::shared_ptr<const PartedIndex>> parted_index_of_copy(const Column& column,
                                                                bool outside_is_null) {
  if (column.index != nullptr || !has_parted_index(column)) return parted_index(column);
  const auto null_code = static_cast<std::int64_t>(column.domain->null_code());
  const NullKeys nulls = outside_is_null ? NullKeys::kAllOutsideMapped : NullKeys::kMapped;
  HDB_ASSIGN(PartedIndex index, read_index(column, nulls, null_code));
  join_ranges(index);
  if (find_repeated(index.keys)) return std::shared_ptr<const PartedIndex>();
  return std::shared_ptr<const PartedIndex>(std::make_shared<PartedIndex>(std::move(index)));
}

std::vector<std::byte> encode_parted_index(const PartedIndex& index, std::uint32_t code_width,
                                           std::uint64_t vector_bytes) {
  HDB_CHECK(code_width == 4 || code_width == 8, "codes of 4 or 8 bytes");
  HDB_CHECK(index.offsets.size() == index.keys.size() + 1, "an offset more than keys");
  const Layout layout = layout_for(code_width, vector_bytes);
  const std::uint64_t keys = index.keys.size();
  const std::uint64_t capacity = capacity_for(keys, code_width);
  std::vector<std::byte> bytes(layout.bytes(keys, capacity));

  const std::uint64_t values_bytes =
      layout.offsets_header(capacity) - layout.values_header() + layout.leading;
  store_header(bytes, layout.values_header(), values_bytes, 0x14, 2, keys);
  for (std::uint64_t k = 0; k < keys; ++k) {
    const std::uint64_t at = layout.values() + k * code_width;
    if (code_width == 8) {
      store_at(bytes, at, index.keys[k]);
    } else {
      store_at(bytes, at, static_cast<std::int32_t>(index.keys[k]));
    }
  }
  store_slots(bytes, layout.slots(capacity), capacity, index.keys);
  store_header(bytes, layout.offsets_header(capacity), kIndexHeaderBytes + (keys + 1) * kLongBytes,
               7, 0, keys + 1);
  std::memcpy(bytes.data() + layout.offsets(capacity), index.offsets.data(),
              index.offsets.size() * kLongBytes);
  return bytes;
}

}  // namespace hdbench
