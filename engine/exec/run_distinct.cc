#include <algorithm>
#include <deque>
#include <memory_resource>
#include <optional>
#include <utility>
#include <vector>

#include "engine/exec/computed_columns.h"
#include "engine/exec/group_state.h"
#include "engine/exec/prefetcher.h"
#include "engine/exec/run_plan.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/selection.h"
#include "engine/operator/filter.h"
#include "engine/operator/gather.h"

namespace hdbench {
namespace {

constexpr std::size_t kDistinctPieceRows = 4096;
// Bits of a combination's place: a bitmap of all combinations stays in a core's caches.
constexpr std::uint32_t kPlaceBitsMax = 24;

// A row with a combination that its morsel had not.
struct NewRow {
  std::uint64_t id = 0;  // RowId
  std::uint32_t place = 0;
};

// The combinations of keys that were met, a bit each.
class MetPlaces {
 public:
  MetPlaces(std::uint32_t bits, std::pmr::memory_resource& memory)
      : words_((std::size_t{1} << bits) / kWordRows + 1, 0, &memory) {}

  // Whether it is the first time.
  bool meet(std::uint32_t place) {
    std::uint64_t& word = words_[place / kWordRows];
    const std::uint64_t bit = std::uint64_t{1} << place % kWordRows;
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

 private:
  std::pmr::vector<std::uint64_t> words_;
};

class DistinctWorker {
 public:
  DistinctWorker(const GroupTask& task, std::span<const std::uint32_t> shifts, std::uint32_t bits)
      : task_(task),
        shifts_(shifts),
        memory_(task.input.context->memory),
        computed_(task.input, memory_),
        met_(bits, memory_),
        selected_(words_for(kMorselRows), &memory_),
        words_(shifts.size() * kDistinctPieceRows, &memory_),
        scratch_(kDistinctPieceRows * 16, &memory_) {
    for (std::size_t w = 0; w < shifts.size(); ++w)
      pointers_.push_back(words_.data() + w * kDistinctPieceRows);
  }

  void take(std::size_t m, std::pmr::vector<NewRow>& rows, AccessLog& accesses) {
    // A combination that was met in a later morsel may be new in this one.
    if (m < next_) met_.clear();
    next_ = m + 1;
    const Morsel& morsel = task_.input.morsels[m];
    const PartitionView& view = computed_.view(morsel.view);
    stop_unless(filter_morsel(task_.input.schema(), view, task_.input.conditions(morsel),
                              morsel.rows, selected_.data(), accesses));
    for (std::uint64_t begin = morsel.rows.begin; begin < morsel.rows.end;
         begin += kDistinctPieceRows) {
      const RowRange piece{begin, std::min(begin + kDistinctPieceRows, morsel.rows.end)};
      const std::uint64_t* bits = selected_.data() + (begin - morsel.rows.begin) / kWordRows;
      const auto count_of = static_cast<std::size_t>(piece.rows());
      const std::size_t count = count_bits(bits, words_for(count_of));
      if (count == piece.rows()) bits = nullptr;
      if (count != 0) take_piece(morsel, view, piece, bits, count, rows, accesses);
    }
  }

 private:
  void take_piece(const Morsel& morsel, const PartitionView& view, RowRange piece,
                  const std::uint64_t* bits, std::size_t count, std::pmr::vector<NewRow>& rows,
                  AccessLog& accesses) {
    reads_.begin(task_.input, morsel, piece, bits);
    const auto fixed = fixed_key(task_.input, morsel);
    for (const KeyColumn& key : task_.keys) {
      const bool is_read = !(fixed && fixed->field == key.field) &&
                           !(task_.input.schema().partitioned && key.field == 0);
      if (is_read) reads_.make_key(view, key.field, accesses);
    }
    read_key_words(task_, morsel, view, piece, bits, count, scratch_.data(), pointers_);
    std::uint16_t positions[kDistinctPieceRows];
    if (bits != nullptr) positions_of(bits, static_cast<std::size_t>(piece.rows()), positions);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t place = 0;
      for (std::size_t w = 0; w < shifts_.size(); ++w) place |= pointers_[w][i] << shifts_[w];
      if (!met_.meet(static_cast<std::uint32_t>(place))) continue;
      const std::uint64_t row = piece.begin + (bits == nullptr ? i : positions[i]);
      rows.push_back({RowId::make(morsel.view, row), static_cast<std::uint32_t>(place)});
    }
  }

  const GroupTask& task_;
  std::span<const std::uint32_t> shifts_;
  std::pmr::memory_resource& memory_;
  ComputedColumns computed_;
  MetPlaces met_;
  std::size_t next_ = 0;  // morsel
  PieceReads reads_;
  std::pmr::vector<std::uint64_t> selected_;
  std::pmr::vector<std::uint64_t> words_;
  std::pmr::vector<std::byte> scratch_;
  std::vector<std::uint64_t*> pointers_;
};

// Where each key's word lies in a place; nothing where the places are too many, or not known.
std::optional<std::vector<std::uint32_t>> shifts_of(const GroupTask& task, std::uint32_t& bits) {
  std::vector<std::uint32_t> shifts;
  bits = 0;
  for (const KeyColumn& key : task.keys) {
    const bool is_stored = key.field < task.input.first_computed();
    if (!is_stored || key.cardinality == 0 || key.word_count != 1 || is_key_of_a_row(key.type))
      return std::nullopt;
    shifts.push_back(bits);
    bits += slot_bits(key);
    if (bits > kPlaceBitsMax) return std::nullopt;
  }
  // Few rows are not worth clearing a bitmap.
  constexpr std::uint64_t kBitsARow = 64;
  const bool is_small = (std::uint64_t{1} << bits) <= kBitsARow * rows_of(task.input);
  return is_small ? std::optional(std::move(shifts)) : std::nullopt;
}

ResultTable rows_of_places(const GroupTask& task, std::span<const std::uint32_t> shifts,
                           std::span<const NewRow> rows) {
  std::pmr::memory_resource& memory = task.input.context->memory;
  ResultTable table;
  table.rows = rows.size();
  for (std::size_t k = 0; k < task.keys.size(); ++k) {
    const KeyColumn& key = task.keys[k];
    const Field& field = task.input.schema().fields[key.field];
    const std::uint32_t width = result_width(field, task.input.views, key.field);
    ResultColumn column{task.input.plan.by[k].name, field.type, width,
                        Buffer(memory, rows.size() * width), field.domain};
    const std::uint32_t mask = (1U << slot_bits(key)) - 1;
    std::vector<std::uint64_t> words(task.keys.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      words[key.first_word] = rows[i].place >> shifts[k] & mask;
      key_element(key, words.data(), width, column.buffer.data() + i * width);
    }
    table.columns.push_back(std::move(column));
  }
  ResultColumn ids{"", QType::kLong, sizeof(std::uint64_t),
                   Buffer(memory, rows.size() * sizeof(std::uint64_t)), nullptr};
  auto* const to = reinterpret_cast<std::uint64_t*>(ids.buffer.data());
  for (std::size_t i = 0; i < rows.size(); ++i) to[i] = rows[i].id;
  table.columns.push_back(std::move(ids));
  return table;
}

}  // namespace

std::optional<ResultTable> run_distinct(const QueryInput& input, std::span<AccessLog> accesses) {
  const GroupTask task{
      input, make_key_columns(input.schema(), input.plan.by, input.views, std::nullopt), {}, {}};
  std::uint32_t bits = 0;
  const auto shifts = shifts_of(task, bits);
  if (!shifts) return std::nullopt;
  std::pmr::memory_resource& memory = input.context->memory;
  std::deque<std::optional<DistinctWorker>> workers(accesses.size());
  std::vector<std::pmr::vector<NewRow>> found(input.morsels.size(),
                                              std::pmr::vector<NewRow>(&memory));
  {
    const PrefetchPass ahead(input,
                             [&](std::size_t m) { return group_fields(input, input.morsels[m]); });
    for_each_morsel(input, [&](std::size_t m, std::size_t worker) {
      if (!workers[worker]) workers[worker].emplace(task, *shifts, bits);
      workers[worker]->take(m, found[m], accesses[worker]);
    });
  }
  workers.clear();
  MetPlaces met(bits, memory);
  std::pmr::vector<NewRow> rows(&memory);
  for (const auto& of_morsel : found) {
    for (const NewRow& row : of_morsel) {
      if (met.meet(row.place)) rows.push_back(row);
    }
  }
  ResultTable table = rows_of_places(task, *shifts, rows);
  for (const ResultColumn& column : table.columns)
    accesses[0].write(column.buffer.data(), column.buffer.bytes());
  return table;
}

}  // namespace hdbench
