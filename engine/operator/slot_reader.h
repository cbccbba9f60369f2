// Converts key columns to slots, the addresses of a direct table (GroupIndex::direct()), a vector
// at a time.
//
// A key that a partition or p# index fixes for all rows of a morsel is not read. A key with one
// value in all rows of a piece is a constant of that piece. Where the rows of a piece have few ids,
// IdRuns splits them: one bitmap of rows for each id, so that reductions of whole vectors
// (reduce.h, split_sum.h) serve groups as they serve a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/kernel/bits.h"
#include "engine/operator/group_index.h"
#include "engine/operator/group_key.h"
#include "engine/operator/partition_view.h"

namespace hdbench {

// Ids of 1, 2 or 4 bytes, whole words of 64 of them; those of rows that are not selected are any.
struct RowIds {
  std::uint32_t width = 1;
  const std::byte* ids = nullptr;
  std::size_t rows = 0;
  const std::uint64_t* bits = nullptr;  // the selected rows; null: all
};

class IdRuns {
 public:
  static constexpr std::size_t kRowsMax = 4096;
  static constexpr std::size_t kRunsMax = 8;

  struct Run {
    std::uint32_t id = 0;
    std::size_t count = 0;  // of rows
    std::uint64_t bits[kRowsMax / kWordRows] = {};
  };

  // Returns false if the selected rows have more than kRunsMax ids, and then for a while without
  // looking, as neighbouring rows have as many. Requires: rows <= kRowsMax.
  bool split(const RowIds& rows);
  // Of the last split() that returned true, by the id's first row.
  std::span<const Run> runs() const { return std::span(runs_).first(count_); }

 private:
  std::size_t count_ = 0;
  std::size_t skipped_ = 0;  // calls to be refused without a look
  std::uint64_t left_[kRowsMax / kWordRows] = {};
  Run runs_[kRunsMax];
};

// Where rows with one id stand beside each other, as rows that are sorted by a key do: each run's
// end.
class NeighbourRuns {
 public:
  static constexpr std::size_t kRowsMax = IdRuns::kRowsMax;
  // The fewest rows a run, on average: shorter ones are taken faster row by row.
  static constexpr std::size_t kRowsARun = 24;

  // Returns false if the runs are shorter, and then for a while without looking. Requires: all rows
  // are selected; rows <= kRowsMax.
  bool split(const RowIds& rows);
  // Of the last split() that returned true.
  std::span<const std::uint16_t> ends() const { return std::span(ends_).first(count_); }

 private:
  std::size_t count_ = 0;
  std::size_t skipped_ = 0;  // calls to be refused without a look
  std::uint16_t ends_[kRowsMax / kRowsARun + 1] = {};
};

// A field's order key, fixed by an index for all rows.
struct FixedKey {
  std::size_t field = 0;
  std::int64_t value = 0;
};

class SlotReader {
 public:
  // Rows read at once, at most, unless more are requested: their ids stay in the first-level cache.
  static constexpr std::size_t kRowsMax = 4096;

  // Requires: index.direct(), and that it was made of these keys; both outlive this. rows_max: a
  // multiple of 64.
  SlotReader(std::span<const KeyColumn> keys, const GroupIndex& index,
             std::size_t rows_max = kRowsMax);

  // Of the rows that are read after this.
  void begin(const PartitionView& view, const std::optional<FixedKey>& fixed);
  // Of those, the fields that must be read; none: all have one slot.
  std::span<const std::size_t> fields() const { return fields_; }

  // Of all rows, where no field must be read.
  std::uint32_t constant_slot() const { return constant_slot_; }

  // Reads the selected rows' keys (bits null: all rows'). Returns their slot if all have the same
  // one. Errors: kData for a value outside the key's domain or index.
  Result<std::optional<std::uint32_t>> read(RowRange rows, const std::uint64_t* bits);

  // Of the rows read last, where their slots differ. Valid until the next read().
  RowIds ids() const { return {width_, combined_, rows_, bits_}; }
  std::uint32_t slot_of(std::uint32_t id) const { return constant_ | id << shift_; }
  // Writes the slots of the selected rows, packed; `slots` has space for the most rows.
  void pack(std::uint32_t* slots);
  // They lie in [slots_begin, slots_end).
  std::size_t slots_begin() const { return slots_begin_; }
  std::size_t slots_end() const { return slots_end_; }

 private:
  struct ReadKey {
    const KeyColumn* key = nullptr;
    const Column* column = nullptr;
    std::uint32_t shift = 0;
  };

  // Ids of the key's selected rows, of `width` bytes.
  Status read_ids(const ReadKey& read, std::uint32_t width, std::byte* ids);
  // Those of one key as they are, of several side by side as in a slot.
  Status combine();

  std::span<const KeyColumn> keys_;
  const GroupIndex& index_;
  std::vector<ReadKey> read_keys_;
  std::vector<std::size_t> fields_;
  std::uint32_t constant_slot_ = 0;

  // Of the rows read last: the keys that vary, and their ids.
  std::vector<ReadKey> varying_;
  std::uint64_t first_row_ = 0;
  std::size_t rows_ = 0;
  const std::uint64_t* bits_ = nullptr;
  std::uint32_t constant_ = 0;  // the other keys' part of a slot
  std::uint32_t width_ = 1;
  std::uint32_t shift_ = 0;
  std::size_t slots_begin_ = 0;
  std::size_t slots_end_ = 0;
  // Ids of rows_max_ rows, twice; aligned, and not cleared, as queries rarely need all of them.
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::size_t rows_max_;
  std::unique_ptr<Line[]> lines_;
  std::byte* combined_;
  std::byte* part_;
};

}  // namespace hdbench
