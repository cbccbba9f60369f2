// The ids of a piece's rows: the keys of each selected row packed side by side as in a slot, at the
// narrowest width that holds them.
//
// A key with one value in all rows of a piece is not part of the ids; it joins the constant part of
// the slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "engine/exec/morsel_keys.h"
#include "engine/exec/piece_rows.h"
#include "engine/exec/query_input.h"
#include "engine/operator/touch_log.h"

namespace hdbench {

class PieceIds {
 public:
  PieceIds(const QueryInput& input, const MorselKeys& keys, const PieceRows& selection)
      : input_(input), keys_(keys), selection_(selection) {}

  // Begins a piece that has a selected row: which keys must become ids. Logs what is read of all.
  void begin(const Morsel& morsel, RowRange rows, TouchLog& touched);
  // Of this piece: the keys that must become ids, and the other keys' part of a slot.
  std::span<const ReadKey> keys() const { return piece_keys_; }
  std::uint32_t constant_slot() const { return piece_slot_; }
  // The field of a key that had one value in all of this piece's rows.
  std::optional<std::size_t> steady_field() const { return steady_field_; }

  // Makes the ids; `next` is read after that. Throws QueryStop where a selected row has a value
  // that no id's bits hold.
  void make(RowRange rows, const std::byte* next);
  // Of the ids that were made, those of whole words of 64 rows.
  std::uint32_t width() const { return id_width_; }
  const std::byte* ids() const { return ids_; }
  std::uint32_t id_at(std::size_t row) const {
    std::uint32_t id = 0;
    std::memcpy(&id, ids_ + row * id_width_, id_width_);
    return id;
  }
  // Throws QueryStop if the id of a row represents no value: it exceeds the key's cardinality
  // within its bits. Called when a group is new.
  void refuse_unknown(std::uint32_t id, std::uint64_t row) const;

 private:
  // Whether all of the piece's rows have the key's first value, which then joins the slot. Logs the
  // read of its rows if it must look at all of them.
  bool has_one_value(const Morsel& morsel, RowRange rows, ReadKey& read, TouchLog& touched);
  void read_key(const ReadKey& read, RowRange rows, std::uint32_t width, std::byte* ids,
                const std::byte* next);
  // To the ids made of the keys before it.
  void add_key(const ReadKey& read, RowRange rows, const std::byte* next);
  // Whether the stored values of these rows are ids of that width (except for values that no key
  // has), and may be read completely: up to an eighth of the words of 64 rows are read without a
  // selected row, and not reported.
  bool lies_as_ids(const ReadKey& read, RowRange rows, std::uint32_t width) const;
  // `seen`: the bits that the key's ids have, or-ed.
  void refuse_outside(const ReadKey& read, RowRange rows, std::uint64_t seen) const;

  const QueryInput& input_;
  const MorselKeys& keys_;
  const PieceRows& selection_;
  std::vector<ReadKey> piece_keys_;
  std::uint32_t piece_slot_ = 0;
  Selected selected_;
  std::optional<std::size_t> steady_field_;
  std::uint32_t id_width_ = 1;
  alignas(64) std::byte ids_[PieceRows::kRowsMax * sizeof(std::uint32_t)];
  alignas(64) std::byte part_[PieceRows::kRowsMax * sizeof(std::uint32_t)];
};

}  // namespace hdbench
