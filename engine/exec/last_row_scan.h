// The last row of every group of a morsel, for `select by`: conditions, keys and groups piece by
// piece, so that a column's bytes pass through the caches once. Pieces come front to back, as
// memory is read fastest (Zen 5, a loop that does no more than read pieces of 256 KiB: 1.05 to 1.11
// times as fast as back to front on one thread, 1.02 to 1.08 on two; of the queries' times no more
// than noise was seen); of a morsel with one group back to front, up to its last selected row.
//
// For keys that address a direct table (GroupIndex::direct()); the key of a partition, or of a p#
// index that narrowed the rows, is a constant of the morsel and is not read. One thread; its
// buffers are of fixed size and part of the object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/exec/query_input.h"
#include "engine/kernel/last_rows.h"
#include "engine/operator/group_index.h"
#include "engine/operator/group_key.h"
#include "engine/operator/touch_log.h"

namespace hdbench {

// Where a scan leaves what it found: groups, and the RowId of the last row of each.
struct LastRows {
  GroupIndex& index;
  std::pmr::vector<std::uint64_t>& rows;

  // Returns whether the group is a new one.
  bool note(std::uint32_t slot, std::uint64_t row_id);
};

class LastRowScan {
 public:
  // Requires: index.direct(), and that it was made of these keys.
  LastRowScan(const QueryInput& input, std::span<const KeyColumn> keys, const GroupIndex& index);

  // A morsel by its number; they may come in any order. Throws QueryStop.
  void take(std::size_t m, TouchLog& touched, LastRows last);

 private:
  // Rows taken at once: a column's piece and the ids made of it stay in a core's second-level
  // cache; a morsel's at most. Of a morsel with one group only the last rows are looked for, so
  // that its pieces are shorter. (Zen 5: narrow codes' scans take 0.82 to 0.98 times as long on one
  // and two threads as in pieces of half as many rows, those of a quarter of a ms 0.96 to 1.08;
  // 8-byte codes' 0.90 to 1.04.)
  static constexpr std::size_t kPieceRows = kMorselRows;
  static constexpr std::size_t kOneGroupRows = kMorselRows / 2;

  // A key that must be read: its ids lie in a slot from bit `shift` on.
  struct ReadKey {
    const KeyColumn* key = nullptr;
    const Column* column = nullptr;
    std::uint32_t shift = 0;
    bool is_reported = false;  // of this piece: it is charged for its bytes
  };

  // Sorts the keys into those to be read and those that are constant.
  void settle_keys(const Morsel& morsel);
  // The rows of a piece up to where the key that had one value in the piece before goes on from its
  // first value here to another: a bisection, right where the column is sorted, and elsewhere no
  // more than a shorter piece. All of them where there is no such key, none that a condition reads,
  // or several short runs.
  RowRange run_of_one_value(const Morsel& morsel, RowRange rows) const;
  // Returns whether one of the rows is selected. `after`: what is read first after them.
  bool take_rows(const Morsel& morsel, RowRange rows, const std::byte* after, TouchLog& touched,
                 LastRows last);
  // False when the piece has no selected row.
  bool select_rows(const Morsel& morsel, RowRange rows, const std::byte* after, TouchLog& touched);
  // Which keys of a piece must become ids; those of one value only join the slot's constant part.
  void settle_piece(const Morsel& morsel, RowRange rows, TouchLog& touched);
  // Those of the piece that no condition has read.
  void report_keys(const Morsel& morsel, TouchLog& touched);
  void make_ids(RowRange rows, const std::byte* next);
  void read_key(const ReadKey& read, RowRange rows, std::uint32_t width, std::byte* ids,
                const std::byte* next);
  // To the ids made of the keys before it.
  void add_key(const ReadKey& read, RowRange rows, const std::byte* next);
  // Whether the column's values in these rows are ids of that width as they lie, but for values
  // that no key has, and may be read in whole: up to an eighth of the words of 64 rows are read
  // without a selected row, and not reported.
  bool lies_as_ids(const ReadKey& read, RowRange rows, std::uint32_t width) const;
  // Whether the column may be compared with known groups as it lies: read in whole (as above), at
  // that width.
  bool lies_as_known(const ReadKey& read, std::uint32_t width) const;
  // Whether the piece's one or two keys lie so, all of groups that are known: found out as they are
  // read.
  bool has_known_groups_only(const Morsel& morsel, RowRange rows, const std::byte* next);
  // Finds and notes the last rows of such a piece.
  void note_known_rows(const Morsel& morsel, RowRange rows, LastRows last);
  // From the piece whose groups were found.
  void learn_groups();
  // `seen`: the bits that the key's ids have, or-ed.
  void refuse_outside(const ReadKey& read, RowRange rows, std::uint64_t seen) const;
  // Of the morsel whose keys are settled: none of them is read.
  bool has_one_group() const { return read_keys_.empty(); }
  // Morsels have a row at least. Pieces begin at whole ones from the morsel's begin; the last may
  // be shorter.
  std::size_t pieces_of(const Morsel& morsel) const;
  RowRange piece(const Morsel& morsel, std::size_t p) const;
  std::size_t piece_rows() const { return has_one_group() ? kOneGroupRows : kPieceRows; }
  // The piece that comes after `taken` others.
  std::size_t nth_piece(std::size_t taken, std::size_t pieces) const {
    return has_one_group() ? pieces - 1 - taken : taken;
  }
  // The bytes of a morsel's rows from this one on that are read first; null when none is known.
  const std::byte* first_read(const Morsel& morsel, std::uint64_t row) const;
  // The bytes that are read first after the piece of morsel m that came after `taken` others: the
  // next piece's, or the next morsel's (if it is of this one's kind); null when none is known.
  const std::byte* bytes_after(std::size_t m, std::size_t taken) const;
  // Of those, what is fetched while ids are scanned, which the keys' scans have not; null for
  // nothing.
  const std::byte* fetched_between(const std::byte* after) const;
  // Notes a row of the morsel; ids that no value stands for are found out here.
  void note(const Morsel& morsel, std::uint32_t id, std::uint64_t row, LastRows last);
  bool is_filtered_by(const Morsel& morsel, std::size_t field) const;
  // Finds and notes the last rows of a piece whose ids are made.
  void find_rows(const Morsel& morsel, RowRange rows, const std::byte* after, LastRows last);
  // Every selected row of the first `words` words by itself: for pieces of many groups.
  void note_each_row(const Morsel& morsel, RowRange rows, std::size_t words, LastRows last);
  std::uint32_t id_at(std::size_t row) const;
  // A key's part of an id.
  static std::uint32_t word_of(const ReadKey& read, std::uint32_t id);

  const QueryInput& input_;
  std::span<const KeyColumn> keys_;
  const GroupIndex& index_;
  std::vector<ReadKey> read_keys_;   // of a morsel, from the lowest bits of a slot on
  std::uint32_t constant_slot_ = 0;  // the other keys' part of a slot
  std::vector<ReadKey> piece_keys_;  // of a piece
  std::uint32_t piece_slot_ = 0;
  Selected selected_;                           // of a piece
  std::optional<std::size_t> one_value_field_;  // found by the piece's conditions
  std::optional<std::size_t> steady_field_;     // of a key that had one value in the piece before
  std::uint32_t id_width_ = 1;
  bool most_words_selected_ = false;  // of a piece: seven eighths have a selected row, or more
  FoundGroups found_;
  // The groups of an earlier piece that had one or two keys and few groups, and those keys.
  KnownGroups known_;
  std::vector<const KeyColumn*> known_keys_;
  KeyWords key_words_;  // of a piece
  alignas(64) std::uint64_t bits_[kPieceRows / 64];
  alignas(64) std::byte ids_[kPieceRows * sizeof(std::uint32_t)];
  alignas(64) std::byte part_[kPieceRows * sizeof(std::uint32_t)];
};

}  // namespace hdbench
