#include "engine/exec/group_worker.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "engine/expression/evaluator.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/last_rows.h"
#include "engine/kernel/selection.h"
#include "engine/kernel/take.h"
#include "engine/operator/filter.h"
#include "engine/operator/gather.h"

namespace hdbench {
namespace {

// Rows grouped at once: a piece's keys, groups and values stay in the first-level caches.
constexpr std::size_t kPieceRows = SlotReader::kRowsMax;
// Rows of one group at once: a few columns of them stay in the second-level cache.
constexpr std::size_t kRunPieceRows = 4 * kPieceRows;
// The same with computed fields, whose values stay in the first-level cache until they are
// aggregated.
constexpr std::size_t kComputedPieceRows = kPieceRows / 2;
// Of a selection this thin the values are packed, where vectors would be all but empty.
constexpr std::size_t kThinRows = 8;
static_assert(kRunPieceRows <= kRunRowsMax && kRunPieceRows % kWordRows == 0);
static_assert(kComputedPieceRows % Evaluator::kBlockRows == 0);
constexpr std::size_t kWidestElement = 16;

// Slots that groups are numbered by, at most, and rows that there must be for each: a table that is
// not small must be worth being cleared.
constexpr std::size_t kSlotsMax = std::size_t{1} << 16;
constexpr std::size_t kSmallTableSlots = 256;
constexpr std::uint64_t kRowsASlot = 16;

std::size_t total_words(std::span<const KeyColumn> keys) {
  return keys.empty() ? 0 : keys.back().first_word + keys.back().word_count;
}

// Whether a group's number is its slot in the direct table: no lookup a row, but every aggregator
// then has a state for every slot.
bool numbers_by_slot(const QueryInput& input, const GroupIndex& index) {
  if (!index.direct() || index.slot_count() > kSlotsMax) return false;
  return index.slot_count() <= kSmallTableSlots ||
         rows_of(input) >= kRowsASlot * index.slot_count();
}

// Rows of one group that are looked at together: only the last selected one is wanted.
constexpr std::uint64_t kOneGroupRows = kMorselRows / 2;

// Requires: a bit is set.
std::size_t last_set(const std::uint64_t* bits, std::size_t words) {
  while (bits[words - 1] == 0) --words;
  return words * kWordRows - 1 - static_cast<std::size_t>(std::countl_zero(bits[words - 1]));
}

// Of neighbours with one number.
std::uint64_t runs_in(const std::uint32_t* groups, std::size_t count) {
  std::uint64_t runs = 1;
  for (std::size_t i = 1; i < count; ++i) runs += groups[i] != groups[i - 1] ? 1 : 0;
  return runs;
}

}  // namespace

// Receives the result of a scan: groups, and the RowId of the last row of each.
struct LastRows {
  GroupIndex& index;
  std::pmr::vector<std::uint64_t>& rows;

  void note(std::uint32_t slot, std::uint64_t row_id);
};

// Finds the last row of every group of a morsel, for `select by`: conditions select rows, the keys
// of those become ids (slot_reader.h), and the ids are scanned from the last row to the first
// (last_rows.h). Requires keys that address a direct table. Its buffers have a fixed size.
class LastRowScan {
 public:
  // Requires: index.direct(), and that it was made of these keys.
  LastRowScan(const QueryInput& input, std::span<const KeyColumn> keys, const GroupIndex& index,
              ComputedColumns& computed);

  // A morsel by its number; they may come in any order. Throws QueryStop.
  void take(std::size_t m, AccessLog& accesses, LastRows last);

 private:
  // Of a morsel whose rows have one group: from its end to its last selected row.
  void take_one_group(const Morsel& morsel, AccessLog& accesses, LastRows last);
  // Sets bits_; returns whether one of the rows is selected.
  bool select(const Morsel& morsel, RowRange rows, AccessLog& accesses);
  // Logs the read of the keys that no condition has read, which are in the cache. Computed ones are
  // made.
  void read_keys(const Morsel& morsel, AccessLog& accesses);
  // Of the rows selected last, whose ids were read.
  void note_ids(const Morsel& morsel, LastRows last);

  const QueryInput& input_;
  ComputedColumns& computed_;
  SlotReader reader_;
  PieceReads reads_;
  FoundGroups found_;
  alignas(64) std::uint64_t bits_[kMorselRows / 64];  // of the rows selected last
};

void LastRows::note(std::uint32_t slot, std::uint64_t row_id) {
  const std::uint32_t group = index.group_of_slot(slot);
  if (group >= rows.size()) rows.resize(std::size_t{group} + 1, 0);
  // RowIds rise in table order, so morsels may be noted in any order.
  rows[group] = std::max(rows[group], row_id);
}

LastRowScan::LastRowScan(const QueryInput& input, std::span<const KeyColumn> keys,
                         const GroupIndex& index, ComputedColumns& computed)
    : input_(input), computed_(computed), reader_(keys, index, kMorselRows) {}

void LastRowScan::take(std::size_t m, AccessLog& accesses, LastRows last) {
  const Morsel& morsel = input_.morsels[m];
  reader_.begin(computed_.view(morsel.view), fixed_key(input_, morsel));
  // Where the partition decides every key, the whole morsel is one group.
  if (reader_.fields().empty()) return take_one_group(morsel, accesses, last);
  if (!select(morsel, morsel.rows, accesses)) return;
  read_keys(morsel, accesses);
  // A slot: all selected rows have the same keys. Nothing: ids() has one for each row.
  const auto slot = reader_.read(morsel.rows, bits_);
  if (!slot.ok()) throw QueryStop{slot.error()};
  if (!*slot) return note_ids(morsel, last);
  const std::size_t words = words_for(static_cast<std::size_t>(morsel.rows.rows()));
  last.note(**slot, RowId::make(morsel.view, morsel.rows.begin + last_set(bits_, words)));
}

void LastRowScan::take_one_group(const Morsel& morsel, AccessLog& accesses, LastRows last) {
  // From the end, a step at a time: conditions are not evaluated on rows before the one wanted.
  // Steps begin at multiples of kOneGroupRows, so only the first may be shorter.
  std::uint64_t end = morsel.rows.end;
  while (end > morsel.rows.begin) {
    const std::uint64_t steps_before = (end - 1 - morsel.rows.begin) / kOneGroupRows;
    const RowRange rows{morsel.rows.begin + steps_before * kOneGroupRows, end};
    if (select(morsel, rows, accesses)) {
      const std::size_t words = words_for(static_cast<std::size_t>(rows.rows()));
      last.note(reader_.constant_slot(),
                RowId::make(morsel.view, rows.begin + last_set(bits_, words)));
      return;
    }
    end = rows.begin;
  }
}

bool LastRowScan::select(const Morsel& morsel, RowRange rows, AccessLog& accesses) {
  stop_unless(filter_morsel(input_.schema(), computed_.view(morsel.view), input_.conditions(morsel),
                            rows, bits_, accesses));
  return count_words(bits_, words_for(static_cast<std::size_t>(rows.rows()))) != 0;
}

void LastRowScan::read_keys(const Morsel& morsel, AccessLog& accesses) {
  // Without conditions all rows are read, and the log needs no bitmap of them.
  reads_.begin(input_, morsel, morsel.rows, input_.conditions(morsel).empty() ? nullptr : bits_);
  for (const std::size_t field : reader_.fields())
    reads_.make_key(computed_.view(morsel.view), field, accesses);
}

void LastRowScan::note_ids(const Morsel& morsel, LastRows last) {
  const RowIds ids = reader_.ids();
  const auto note = [&](std::uint32_t id, std::size_t row) {
    last.note(reader_.slot_of(id), RowId::make(morsel.view, morsel.rows.begin + row));
  };
  const std::size_t left = find_last_rows({ids.width, ids.ids, bits_, words_for(ids.rows)}, found_);
  for (std::size_t k = 0; k < found_.count; ++k) note(found_.ids[k], found_.rows[k]);
  // The kernel works from the end, so its rows are the last of their groups within this morsel.
  // With more groups than the kernel searches for, every row of the other words is noted.
  for (std::size_t w = 0; w < left; ++w) {
    for (std::uint64_t word = bits_[w]; word != 0; word &= word - 1) {
      const std::size_t row = w * kWordRows + static_cast<std::size_t>(std::countr_zero(word));
      std::uint32_t id = 0;
      std::memcpy(&id, ids.ids + row * ids.width, ids.width);
      note(id, row);
    }
  }
}

GroupWorker::GroupWorker(const GroupTask& task, std::pmr::memory_resource& resource)
    : task_(task),
      state_(task, word_cardinalities(task.keys), resource),
      computed_(task.input, resource),
      bits_(&resource),
      words_(&resource),
      groups_(&resource),
      positions_(&resource),
      run_positions_(&resource),
      values_(&resource),
      weights_(&resource) {
  const GroupIndex& index = state_.index();
  if (task.input.plan.last_rows && index.direct()) {
    last_row_scan_ = std::make_unique<LastRowScan>(task.input, task.keys, index, computed_);
    return;
  }
  if (!task.input.plan.last_rows && numbers_by_slot(task.input, index)) {
    slot_reader_ = std::make_unique<SlotReader>(task.keys, index);
    state_.rows().need_counts();
  }
  bits_.resize(words_for(kMorselRows));
  groups_.resize(kPieceRows);
  positions_.resize(kPieceRows);
  run_positions_.resize(kRunPieceRows + kPositionsSlack);
  values_.resize(kPieceRows * kWidestElement);
  weights_.resize(kPieceRows * kWidestElement);
  if (!slot_reader_) {
    // One array of words for each word of the key, as GroupIndex::assign() reads them.
    words_.resize(total_words(task.keys) * kPieceRows);
    for (std::size_t w = 0; w < total_words(task.keys); ++w)
      word_pointers_.push_back(words_.data() + w * kPieceRows);
  }
  // Numbers by slot are all known from the start; numbers by appearance grow with the index.
  state_.make_aggregators(/*by_slot=*/slot_reader_ != nullptr);
  if (slot_reader_) state_.resize(index.slot_count());
  settle_preferences();
  const auto is_computed = [&](const std::optional<std::size_t>& field) {
    return field && *field >= task.input.first_computed();
  };
  for (const Output& output : task.input.plan.outputs)
    aggregates_computed_ |= is_computed(output.field) || is_computed(output.weights);
}

GroupWorker::~GroupWorker() = default;

bool GroupWorker::takes(std::size_t output, Which which) {
  const Aggregator* const aggregator = state_.active(output);
  if (aggregator == nullptr || which == Which::kAll) return aggregator != nullptr;
  // An output takes a piece's rows either as runs or as one batch, so none counts them twice.
  return (aggregator->few_groups() != FewGroups::kBatch) == (which == Which::kRuns);
}

// Which ways of taking rows the aggregators that are active want: only these are prepared.
void GroupWorker::settle_preferences() {
  takes_runs_ = takes_batches_ = false;
  for (std::size_t o = 0; o < task_.input.plan.outputs.size(); ++o) {
    takes_runs_ |= takes(o, Which::kRuns);
    takes_batches_ |= takes(o, Which::kBatches);
  }
}

bool GroupWorker::has_many_groups(std::size_t workers) const {
  // Fewer groups' tables stay in a core's caches, however many of the first rows had a new one.
  constexpr std::uint64_t kGroupsMin = 32768;
  constexpr std::uint64_t kRowsAGroupMax = 8;
  // Of slots, all groups are known from the start.
  if (rows_taken_ == 0) return false;
  const std::uint64_t groups = state_.index().size();
  if (groups_of_morsel_ * kRowsAGroupMax < rows_of_morsel_) return false;
  const std::uint64_t left = rows_of(task_.input) - rows_visited_;
  const bool will_be_many =
      groups + groups_of_morsel_ * left / visited_of_morsel_ >= 2 * kGroupsMin;
  // What a morsel tells of the rest where keys come once: it is not worth waiting.
  // Rows that are moved cost more than looking up groups of many rows.
  constexpr std::uint64_t kRowsAGroupFew = 4;
  const bool is_each_run_new =
      groups_of_morsel_ * 20 >= runs_of_morsel_ * 19 && groups * kRowsAGroupFew >= rows_taken_;
  if (groups < kGroupsMin) return will_be_many && is_each_run_new;
  // Several workers' tables would have to be merged. A single one stays as it is where few groups
  // are to come.
  return workers > 1 || will_be_many;
}

void GroupWorker::begin_second_pass(const GroupWorker& merged) {
  state_.begin_second_pass(merged.state_);
  settle_preferences();
}

void GroupWorker::take(std::size_t m, AccessLog& accesses) {
  const std::uint64_t rows_before = rows_taken_;
  const std::uint64_t runs_before = runs_taken_;
  const std::uint32_t groups_before = state_.index().size();
  take_rows(m, accesses);
  rows_visited_ += task_.input.morsels[m].rows.rows();
  if (rows_taken_ == rows_before) return;
  visited_of_morsel_ = task_.input.morsels[m].rows.rows();
  rows_of_morsel_ = rows_taken_ - rows_before;
  // has_many_groups() judges by the last morsel that had rows: later ones meet fewer new groups.
  groups_of_morsel_ = state_.index().size() - groups_before;
  runs_of_morsel_ = runs_taken_ - runs_before;
}

void GroupWorker::take_rows(std::size_t m, AccessLog& accesses) {
  if (last_row_scan_)
    return last_row_scan_->take(m, accesses, {state_.index(), state_.rows().last_rows_to_fill()});
  const QueryInput& input = task_.input;
  const Morsel& morsel = input.morsels[m];
  const PartitionView& view = computed_.view(morsel.view);
  stop_unless(filter_morsel(input.schema(), view, input.conditions(morsel), morsel.rows,
                            bits_.data(), accesses));
  take_morsel(morsel, accesses);
}

void GroupWorker::take_morsel(const Morsel& morsel, AccessLog& accesses) {
  const PartitionView& view = computed_.view(morsel.view);
  if (slot_reader_) slot_reader_->begin(view, fixed_key(task_.input, morsel));
  // Without a field to read, the partition decides the keys: the morsel is one group.
  const bool is_run = slot_reader_ && slot_reader_->fields().empty();
  const std::size_t step = !is_run                ? kPieceRows
                           : aggregates_computed_ ? kComputedPieceRows
                                                  : kRunPieceRows;
  for (std::uint64_t begin = morsel.rows.begin; begin < morsel.rows.end; begin += step) {
    const RowRange rows{begin, std::min<std::uint64_t>(begin + step, morsel.rows.end)};
    const std::uint64_t* bits = bits_.data() + (begin - morsel.rows.begin) / kWordRows;
    const std::size_t count = count_bits(bits, words_for(static_cast<std::size_t>(rows.rows())));
    if (count == 0) continue;
    // No bitmap means all rows, which every later step handles without looking at bits.
    if (count == rows.rows()) bits = nullptr;
    view_number_ = morsel.view;
    reads_.begin(task_.input, morsel, rows, bits);
    if (is_run) {
      take_run(view, rows, bits, count, slot_reader_->constant_slot(), Which::kAll, accesses);
    } else {
      take_piece(morsel, rows, bits, count, accesses);
    }
  }
}

void GroupWorker::take_run(const PartitionView& view, RowRange rows, const std::uint64_t* bits,
                           std::size_t count, std::uint32_t group, Which which,
                           AccessLog& accesses) {
  const auto row_count = static_cast<std::size_t>(rows.rows());
  // The first and the last selected row: of one group, they are its first and last.
  std::size_t first = 0;
  std::size_t last = row_count - 1;
  if (bits != nullptr) {
    std::size_t w = 0;
    while (bits[w] == 0) ++w;
    first = w * kWordRows + static_cast<std::size_t>(std::countr_zero(bits[w]));
    w = words_for(row_count) - 1;
    while (bits[w] == 0) --w;
    last = w * kWordRows + kWordRows - 1 - static_cast<std::size_t>(std::countl_zero(bits[w]));
  }
  if (state_.is_first_pass())
    state_.rows().note_run(group, count, RowId::make(view_number_, rows.begin + first),
                           RowId::make(view_number_, rows.begin + last));
  const bool is_thin = bits != nullptr && count <= row_count / kThinRows;
  bool has_positions = false;
  const auto take_positions_once = [&] {
    if (!has_positions) take_positions(bits, row_count, run_positions_.data());
    has_positions = true;
  };
  // Values as the column stores them where the width is right, else converted; packed ones are
  // taken by positions, which all packed columns of this piece share.
  const auto values_of = [&](std::size_t field, bool is_packed, auto& scratch) {
    const Column* column = view.columns[field];
    const std::uint32_t width = type_width(task_.input.schema().fields[field].type);
    if (column == nullptr || column->width != width)
      return packed_values(view, field, rows, is_packed ? bits : nullptr,
                           is_packed ? count : row_count, scratch, accesses);
    reads_.make(view, field, accesses);
    const std::byte* const values = column->data + rows.begin * width;
    if (!is_packed) return values;
    take_positions_once();
    if (scratch.size() < count * width) scratch.resize(count * width);
    hdbench::take(width, values, run_positions_.data(), count, scratch.data());
    return static_cast<const std::byte*>(scratch.data());
  };
  const auto& outputs = task_.input.plan.outputs;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!takes(o, which)) continue;
    Aggregator& aggregator = *state_.active(o);
    const bool is_packed =
        is_thin || (which == Which::kRuns && aggregator.few_groups() == FewGroups::kPackedRuns);
    AggregateRun run{group, is_packed ? count : row_count, is_packed ? nullptr : bits, nullptr,
                     nullptr};
    run.values = values_of(*outputs[o].field, is_packed, values_);
    if (bits == nullptr) run.ahead = rows_ahead(view, *outputs[o].field, rows.end);
    if (outputs[o].weights) run.weights = values_of(*outputs[o].weights, is_packed, weights_);
    aggregator.update_run(run);
  }
}

void GroupWorker::take_piece(const Morsel& morsel, RowRange rows, const std::uint64_t* bits,
                             std::size_t count, AccessLog& accesses) {
  const PartitionView& view = computed_.view(morsel.view);
  Which which = Which::kAll;
  std::size_t most_of_a_group = 0;
  if (slot_reader_) {
    for (const std::size_t field : slot_reader_->fields()) reads_.make_key(view, field, accesses);
    const auto slot = slot_reader_->read(rows, bits);
    if (!slot.ok()) throw QueryStop{slot.error()};
    // One slot for all rows; nothing: each row has an id.
    if (*slot) return take_run(view, rows, bits, count, **slot, Which::kAll, accesses);
    if (bits == nullptr && neighbour_runs_.split(slot_reader_->ids())) {
      const RowIds ids = slot_reader_->ids();
      std::uint64_t begin = 0;
      for (const std::uint16_t end : neighbour_runs_.ends()) {
        std::uint32_t id = 0;
        std::memcpy(&id, ids.ids + begin * ids.width, ids.width);  // little-endian
        take_run(view, {rows.begin + begin, rows.begin + end}, nullptr, end - begin,
                 slot_reader_->slot_of(id), Which::kAll, accesses);
        begin = end;
      }
      return;
    }
    if ((takes_runs_ || !takes_batches_) && id_runs_.split(slot_reader_->ids())) {
      // Few groups: a bitmap of rows for each, and the kernels of whole columns.
      for (const IdRuns::Run& run : id_runs_.runs()) {
        take_run(view, rows, run.bits, run.count, slot_reader_->slot_of(run.id), Which::kRuns,
                 accesses);
        most_of_a_group = std::max(most_of_a_group, run.count);
      }
      if (!takes_batches_) return;
      which = Which::kBatches;
    }
    slot_reader_->pack(groups_.data());
  } else {
    // Keys of any width: words are gathered and looked up, groups numbered as they appear.
    const auto fixed = fixed_key(task_.input, morsel);
    for (const KeyColumn& key : task_.keys) {
      const bool is_read =
          view.columns[key.field] != nullptr && !(fixed && fixed->field == key.field);
      if (is_read) reads_.make(view, key.field, accesses);
    }
    read_key_words(task_, morsel, view, rows, bits, count, values_.data(), word_pointers_);
    rows_taken_ += count;
    state_.index().assign(
        std::span<const std::uint64_t* const>(word_pointers_.data(), word_pointers_.size()), count,
        groups_.data());
    state_.resize(state_.index().size());
    const std::size_t runs = runs_in(groups_.data(), count);
    runs_taken_ += runs;
    if (runs == 1) return take_run(view, rows, bits, count, groups_[0], Which::kAll, accesses);
  }
  const std::size_t groups_begin = slot_reader_ ? slot_reader_->slots_begin() : 0;
  const std::size_t groups_end = slot_reader_ ? slot_reader_->slots_end() : state_.group_count();
  RowBatch batch{groups_.data(), count,        RowId::make(morsel.view, rows.begin),
                 nullptr,        groups_begin, groups_end};
  // First and last rows need each selected row's position; without a bitmap row i is at i.
  if (bits != nullptr && (task_.needs.first || task_.needs.last)) {
    positions_of(bits, static_cast<std::size_t>(rows.rows()), positions_.data());
    batch.positions = positions_.data();
  }
  // With runs, take_run() has noted the rows already; noting them here would count them twice.
  if (which == Which::kAll)
    most_of_a_group = state_.is_first_pass() ? state_.rows().note(batch) : count;
  const auto& outputs = task_.input.plan.outputs;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!takes(o, which)) continue;
    AggregateBatch values{count,           groups_.data(), nullptr,   nullptr,
                          most_of_a_group, groups_begin,   groups_end};
    values.values = packed_values(view, *outputs[o].field, rows, bits, count, values_, accesses);
    if (outputs[o].weights) {
      values.weights =
          packed_values(view, *outputs[o].weights, rows, bits, count, weights_, accesses);
    }
    state_.active(o)->update(values);
  }
}

const std::byte* GroupWorker::packed_values(const PartitionView& view, std::size_t field,
                                            RowRange rows, const std::uint64_t* bits,
                                            std::size_t count, std::pmr::vector<std::byte>& scratch,
                                            AccessLog& accesses) {
  const std::uint32_t width = type_width(task_.input.schema().fields[field].type);
  if (const Column* column = view.columns[field]; column != nullptr) {
    reads_.make(view, field, accesses);
    if (bits == nullptr && column->width == width) return column->data + rows.begin * width;
  }
  if (scratch.size() < count * width) scratch.resize(count * width);
  stop_unless(
      gather_morsel(task_.input.schema(), view, field, rows, bits, count, width, scratch.data()));
  return scratch.data();
}

RowsAhead GroupWorker::rows_ahead(const PartitionView& view, std::size_t field, std::uint64_t row) {
  if (!view.is_computed(field) || view.computed->inputs(field).empty()) return {};
  const Column* const input = view.columns[view.computed->inputs(field).front()];
  if (input == nullptr) return {};
  constexpr std::uint64_t kAskedFor = Evaluator::kBlocksAhead * Evaluator::kBlockRows;
  return {input->data + (row + kAskedFor) * input->width, input->width};
}

void GroupWorker::merge(GroupWorker& other) {
  const GroupIndex& theirs = other.state_.index();
  const std::size_t their_groups = slot_reader_ ? other.state_.group_count() : theirs.size();
  // Their group g is our group mapping[g]. Slots are numbered the same everywhere; groups numbered
  // by appearance are looked up here by their keys.
  std::pmr::vector<std::uint32_t> mapping(their_groups, 0, groups_.get_allocator());
  if (slot_reader_) {
    std::iota(mapping.begin(), mapping.end(), 0u);
  } else {
    std::vector<const std::uint64_t*> words(theirs.word_count());
    for (std::uint32_t g = 0; g < theirs.size(); ++g) {
      for (std::size_t w = 0; w < words.size(); ++w) words[w] = theirs.key(g) + w;
      // A key that is new here gets the next number.
      state_.index().assign(words, 1, &mapping[g]);
    }
    state_.resize(state_.index().size());
  }
  state_.merge(other.state_, mapping);
}

}  // namespace hdbench
