// Keys to slots: what addresses a direct table (GroupIndex::direct()) for each row, made of the key
// columns a vector at a time.
//
// A key that a partition or a p# index tells of all rows of a morsel is not read; keys of which a
// column has one value in all rows of a piece are constants of that piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/operator/group_index.h"
#include "engine/operator/group_key.h"
#include "engine/operator/slice.h"

namespace hdbench {

// The order key that an index tells of a field.
struct ToldKey {
  std::size_t field = 0;
  std::int64_t value = 0;
};

class SlotReader {
 public:
  // Rows read at once, at most.
  static constexpr std::size_t kRowsMax = 4096;

  // Requires: index.direct(), and that it was made of these keys; both outlive this.
  SlotReader(std::span<const KeyColumn> keys, const GroupIndex& index);

  // Of the rows that are read after this.
  void begin(const Slice& slice, const std::optional<ToldKey>& told);
  // Of those, the fields that must be read; none: all have one slot.
  std::span<const std::size_t> fields() const { return fields_; }

  // Of all rows, where no field must be read.
  std::uint32_t constant_slot() const { return constant_slot_; }

  // The slot of all of the rows, where they have the same; else writes the slots of the selected
  // ones (bits null: of all), `count` of them, packed; `slots` has room for kRowsMax. Errors: kData
  // for a value that the key's domain, or index, does not have.
  Result<std::optional<std::uint32_t>> read(RowRange rows, const std::uint64_t* bits,
                                            std::size_t count, std::uint32_t* slots);
  // The slots that were written last lie in [slots_begin, slots_end).
  std::size_t slots_begin() const { return slots_begin_; }
  std::size_t slots_end() const { return slots_end_; }

 private:
  struct ReadKey {
    const KeyColumn* key = nullptr;
    const Column* column = nullptr;
    std::uint32_t shift = 0;
  };

  Status add_key(const ReadKey& read, RowRange rows, const std::uint64_t* bits,
                 std::uint32_t* slots);

  std::span<const KeyColumn> keys_;
  const GroupIndex& index_;
  std::vector<ReadKey> read_keys_;
  std::vector<std::size_t> fields_;
  std::uint32_t constant_slot_ = 0;
  std::size_t slots_begin_ = 0;
  std::size_t slots_end_ = 0;
  alignas(64) std::uint32_t slots_[kRowsMax] = {};
  alignas(64) std::byte ids_[kRowsMax * sizeof(std::uint32_t)] = {};
};

}  // namespace hdbench
