#include "engine/exec/group_worker.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "engine/kernel/bits.h"
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
// Of a selection this thin the values are packed, where vectors would be all but empty.
constexpr std::size_t kThinRows = 8;
static_assert(kRunPieceRows <= kRunRowsMax && kRunPieceRows % kWordRows == 0);
constexpr std::size_t kWidestElement = 16;

// Slots that groups are numbered by, at most, and rows that there must be for each: a table that is
// not small must be worth being cleared.
constexpr std::size_t kSlotsMax = std::size_t{1} << 16;
constexpr std::size_t kSmallTableSlots = 256;
constexpr std::uint64_t kRowsASlot = 16;

std::size_t total_words(std::span<const KeyColumn> keys) {
  return keys.empty() ? 0 : keys.back().first_word + keys.back().word_count;
}

std::uint64_t rows_of(const QueryInput& input) {
  return std::accumulate(
      input.morsels.begin(), input.morsels.end(), std::uint64_t{0},
      [](std::uint64_t rows, const Morsel& morsel) { return rows + morsel.rows.rows(); });
}

bool numbers_by_slot(const QueryInput& input, const GroupIndex& index) {
  if (!index.direct() || index.slot_count() > kSlotsMax) return false;
  return index.slot_count() <= kSmallTableSlots ||
         rows_of(input) >= kRowsASlot * index.slot_count();
}

// What of a group's rows a worker keeps: where groups are numbered by slot, counts tell which there
// are.
GroupRowNeeds needs_of(const GroupTask& task, const GroupIndex& index) {
  GroupRowNeeds needs = task.needs;
  if (!task.input.plan->last_rows) needs.counts |= numbers_by_slot(task.input, index);
  return needs;
}

}  // namespace

GroupWorker::GroupWorker(const GroupTask& task, std::pmr::memory_resource& resource, KeyShare share)
    : task_(task),
      index_(word_cardinalities(task.keys), resource),
      rows_(needs_of(task, index_), resource),
      places_(&resource),
      share_(share),
      unlogged_(task.input.schema().fields.size(), nullptr),
      own_bits_(&resource),
      bits_(&resource),
      words_(&resource),
      groups_(&resource),
      positions_(&resource),
      run_positions_(&resource),
      values_(&resource),
      weights_(&resource) {
  aggregators_.resize(task.input.plan->outputs.size());
  if (task.input.plan->last_rows && index_.direct()) {
    last_row_scan_ = std::make_unique<LastRowScan>(task.input, task.keys, index_);
    return;
  }
  if (!task.input.plan->last_rows && numbers_by_slot(task.input, index_))
    slot_reader_ = std::make_unique<SlotReader>(task.keys, index_);
  bits_.resize(words_for(kMorselRows));
  groups_.resize(kPieceRows);
  positions_.resize(kPieceRows);
  run_positions_.resize(kRunPieceRows + kPositionsSlack);
  values_.resize(kPieceRows * kWidestElement);
  weights_.resize(kPieceRows * kWidestElement);
  if (!slot_reader_) {
    words_.resize(total_words(task.keys) * kPieceRows);
    for (std::size_t w = 0; w < total_words(task.keys); ++w)
      word_pointers_.push_back(words_.data() + w * kPieceRows);
  }
  make_aggregators(resource);
  if (slot_reader_) resize(index_.slot_count());
}

void GroupWorker::make_aggregators(std::pmr::memory_resource& resource) {
  const Schema& schema = task_.input.schema();
  for (std::size_t o = 0; o < aggregators_.size(); ++o) {
    const Output& output = task_.input.plan->outputs[o];
    const QType type = output.field ? schema.fields[*output.field].type : QType::kLong;
    const QType weights = output.weights ? schema.fields[*output.weights].type : QType::kLong;
    if (output.aggregate == Aggregate::kMed && slot_reader_ &&
        index_.slot_count() <= kSelectedMedianGroupsMax) {
      aggregators_[o] = make_selected_median(type, task_.ranges[o], resource);
    } else {
      aggregators_[o] = make_aggregator(output.aggregate, type, weights, resource);
    }
  }
  settle_preferences();
}

Aggregator* GroupWorker::active(std::size_t output) {
  return in_second_pass_.empty() || in_second_pass_[output] ? aggregators_[output].get() : nullptr;
}

bool GroupWorker::takes(std::size_t output, Which which) {
  const Aggregator* const aggregator = active(output);
  if (aggregator == nullptr || which == Which::kAll) return aggregator != nullptr;
  return aggregator->prefers_runs() == (which == Which::kOfRuns);
}

void GroupWorker::settle_preferences() {
  takes_runs_ = takes_batches_ = false;
  for (std::size_t o = 0; o < aggregators_.size(); ++o) {
    takes_runs_ |= takes(o, Which::kOfRuns);
    takes_batches_ |= takes(o, Which::kOfBatches);
  }
}

bool GroupWorker::needs_second_pass() const {
  return std::any_of(aggregators_.begin(), aggregators_.end(), [](const auto& aggregator) {
    return aggregator != nullptr && aggregator->needs_second_pass();
  });
}

void GroupWorker::begin_second_pass(const GroupWorker& merged) {
  in_second_pass_.assign(aggregators_.size(), false);
  for (std::size_t o = 0; o < aggregators_.size(); ++o) {
    if (!aggregators_[o] || !aggregators_[o]->needs_second_pass()) continue;
    in_second_pass_[o] = true;
    aggregators_[o]->begin_second_pass(*merged.aggregators_[o]);
  }
  settle_preferences();
}

void GroupWorker::take(std::size_t m, TouchLog& touched) {
  if (last_row_scan_) return last_row_scan_->take(m, touched, {index_, rows_.last_rows_to_fill()});
  const QueryInput& input = task_.input;
  const Morsel& morsel = input.morsels[m];
  const Slice& slice = input.slices[morsel.slice];
  TouchLog& scanned = m % share_.of == share_.part ? touched : unlogged_;
  stop_unless(filter_morsel(input.schema(), slice, input.conditions(morsel), morsel.rows,
                            bits_.data(), scanned));
  take_morsel(morsel, touched, scanned);
}

std::optional<ToldKey> GroupWorker::told_key(const Morsel& morsel) const {
  if (!morsel.index_key) return std::nullopt;
  return ToldKey{task_.input.index_field, *morsel.index_key};
}

void GroupWorker::take_morsel(const Morsel& morsel, TouchLog& touched, TouchLog& scanned) {
  const Slice& slice = task_.input.slices[morsel.slice];
  if (slot_reader_) slot_reader_->begin(slice, told_key(morsel));
  const bool is_run = slot_reader_ && slot_reader_->fields().empty();
  const std::size_t step = is_run ? kRunPieceRows : kPieceRows;
  for (std::uint64_t begin = morsel.rows.begin; begin < morsel.rows.end; begin += step) {
    const RowRange rows{begin, std::min<std::uint64_t>(begin + step, morsel.rows.end)};
    const std::uint64_t* bits = bits_.data() + (begin - morsel.rows.begin) / kWordRows;
    const std::size_t count = count_bits(bits, words_for(static_cast<std::size_t>(rows.rows())));
    if (count == 0) continue;
    if (count == rows.rows()) bits = nullptr;
    begin_piece(morsel, rows, bits);
    if (is_run) {
      take_run(slice, rows, bits, count, slot_reader_->constant_slot(), Which::kAll, touched);
    } else {
      take_piece(morsel, rows, bits, count, touched, scanned);
    }
  }
}

void GroupWorker::begin_piece(const Morsel& morsel, RowRange rows, const std::uint64_t* bits) {
  selected_.reset(rows, bits);
  fields_noted_.assign(task_.input.schema().fields.size(), false);
  // What a condition has read is in the cache.
  for (const Condition& condition : task_.input.conditions(morsel))
    fields_noted_[condition.field] = true;
}

void GroupWorker::take_run(const Slice& slice, RowRange rows, const std::uint64_t* bits,
                           std::size_t count, std::uint32_t group, Which which, TouchLog& touched) {
  const auto row_count = static_cast<std::size_t>(rows.rows());
  const auto slice_number = static_cast<std::size_t>(&slice - task_.input.slices.data());
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
  if (in_second_pass_.empty())
    rows_.note_run(group, count, RowId::make(slice_number, rows.begin + first),
                   RowId::make(slice_number, rows.begin + last));
  const bool is_thin = bits != nullptr && count <= row_count / kThinRows;
  if (is_thin) take_positions(bits, row_count, run_positions_.data());
  const auto values_of = [&](std::size_t field, std::pmr::vector<std::byte>& scratch) {
    const Column* column = slice.columns[field];
    const std::uint32_t width = type_width(task_.input.schema().fields[field].type);
    if (column == nullptr || column->width != width)
      return packed_values(slice, field, rows, is_thin ? bits : nullptr,
                           is_thin ? count : row_count, scratch, touched);
    note_read(slice, field, touched);
    const std::byte* const values = column->data + rows.begin * width;
    if (!is_thin) return values;
    if (scratch.size() < count * width) scratch.resize(count * width);
    hdbench::take(width, values, run_positions_.data(), count, scratch.data());
    return static_cast<const std::byte*>(scratch.data());
  };
  const auto& outputs = task_.input.plan->outputs;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!takes(o, which)) continue;
    AggregateRun run{group, is_thin ? count : row_count, is_thin ? nullptr : bits, nullptr,
                     nullptr};
    run.values = values_of(*outputs[o].field, values_);
    if (outputs[o].weights) run.weights = values_of(*outputs[o].weights, weights_);
    aggregators_[o]->update_run(run);
  }
}

void GroupWorker::take_piece(const Morsel& morsel, RowRange rows, const std::uint64_t* bits,
                             std::size_t count, TouchLog& touched, TouchLog& scanned) {
  const Slice& slice = task_.input.slices[morsel.slice];
  Which which = Which::kAll;
  std::size_t most_of_a_group = 0;
  if (slot_reader_) {
    for (const std::size_t field : slot_reader_->fields()) note_read(slice, field, touched);
    const auto slot = slot_reader_->read(rows, bits);
    if (!slot.ok()) throw QueryStop{slot.error()};
    if (*slot) return take_run(slice, rows, bits, count, **slot, Which::kAll, touched);
    if ((takes_runs_ || !takes_batches_) && id_runs_.split(slot_reader_->ids())) {
      for (const IdRuns::Run& run : id_runs_.runs()) {
        take_run(slice, rows, run.bits, run.count, slot_reader_->slot_of(run.id), Which::kOfRuns,
                 touched);
        most_of_a_group = std::max(most_of_a_group, run.count);
      }
      if (!takes_batches_) return;
      which = Which::kOfBatches;
    }
    slot_reader_->pack(groups_.data());
  } else {
    read_keys(morsel, rows, bits, count, scanned);
    if (share_.of > 1) {
      count = keep_own(rows, bits, count);
      if (count == 0) return;
      bits = own_bits_.data();
      selected_.reset(rows, bits);
    }
    rows_taken_ += count;
    index_.assign(
        std::span<const std::uint64_t* const>(word_pointers_.data(), word_pointers_.size()), count,
        groups_.data());
    resize(index_.size());
  }
  const std::size_t groups_begin = slot_reader_ ? slot_reader_->slots_begin() : 0;
  const std::size_t groups_end = slot_reader_ ? slot_reader_->slots_end() : group_count_;
  RowBatch batch{groups_.data(), count,        RowId::make(morsel.slice, rows.begin),
                 nullptr,        groups_begin, groups_end};
  if (bits != nullptr && (task_.needs.first || task_.needs.last)) {
    positions_of(bits, static_cast<std::size_t>(rows.rows()), positions_.data());
    batch.positions = positions_.data();
  }
  if (which == Which::kAll) most_of_a_group = in_second_pass_.empty() ? rows_.note(batch) : count;
  const auto& outputs = task_.input.plan->outputs;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!takes(o, which)) continue;
    AggregateBatch values{count,           groups_.data(), nullptr,   nullptr,
                          most_of_a_group, groups_begin,   groups_end};
    values.values = packed_values(slice, *outputs[o].field, rows, bits, count, values_, touched);
    if (outputs[o].weights) {
      values.weights =
          packed_values(slice, *outputs[o].weights, rows, bits, count, weights_, touched);
    }
    aggregators_[o]->update(values);
  }
}

void GroupWorker::read_keys(const Morsel& morsel, RowRange rows, const std::uint64_t* bits,
                            std::size_t count, TouchLog& scanned) {
  const Schema& schema = task_.input.schema();
  const Slice& slice = task_.input.slices[morsel.slice];
  const auto told = told_key(morsel);
  for (const KeyColumn& key : task_.keys) {
    if (told && told->field == key.field) {
      const auto word =
          static_cast<std::uint64_t>(told->value) - static_cast<std::uint64_t>(key.base);
      std::fill_n(word_pointers_[key.first_word], count, word);
      continue;
    }
    if (slice.columns[key.field] != nullptr) note_read(slice, key.field, scanned);
    stop_unless(key_words(schema, slice, key, rows, bits, count, values_.data(), word_pointers_));
  }
}

std::size_t GroupWorker::keep_own(RowRange rows, const std::uint64_t* bits, std::size_t count) {
  const auto row_count = static_cast<std::size_t>(rows.rows());
  own_bits_.assign(words_for(row_count), 0);
  if (bits != nullptr) {
    positions_of(bits, row_count, positions_.data());
  } else {
    std::iota(positions_.begin(), positions_.begin() + static_cast<std::ptrdiff_t>(count), 0u);
  }
  std::size_t own = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t hash = 0;
    for (const std::uint64_t* const word : word_pointers_) {
      hash = (hash ^ word[i]) * 0xff51afd7ed558ccdull;
      hash ^= hash >> 29;
    }
    for (std::uint64_t* const word : word_pointers_) word[own] = word[i];
    const bool is_own = (hash >> 32) % share_.of == share_.part;
    own_bits_[positions_[i] / kWordRows] |= std::uint64_t{is_own} << (positions_[i] % kWordRows);
    own += is_own ? 1 : 0;
  }
  return own;
}

const std::byte* GroupWorker::packed_values(const Slice& slice, std::size_t field, RowRange rows,
                                            const std::uint64_t* bits, std::size_t count,
                                            std::pmr::vector<std::byte>& scratch,
                                            TouchLog& touched) {
  const std::uint32_t width = type_width(task_.input.schema().fields[field].type);
  if (const Column* column = slice.columns[field]; column != nullptr) {
    note_read(slice, field, touched);
    if (bits == nullptr && column->width == width) return column->data + rows.begin * width;
  }
  if (scratch.size() < count * width) scratch.resize(count * width);
  stop_unless(
      gather_morsel(task_.input.schema(), slice, field, rows, bits, count, width, scratch.data()));
  return scratch.data();
}

void GroupWorker::note_read(const Slice& slice, std::size_t field, TouchLog& touched) {
  if (fields_noted_[field]) return;
  fields_noted_[field] = true;
  touched.read(slice, field, selected_);
}

void GroupWorker::resize(std::size_t groups) {
  if (groups == group_count_) return;
  group_count_ = groups;
  rows_.resize(groups);
  for (const auto& aggregator : aggregators_) {
    if (aggregator) aggregator->resize(groups);
  }
}

void GroupWorker::merge(GroupWorker& other) {
  const GroupIndex& theirs = other.index_;
  const std::size_t their_groups = slot_reader_ ? other.group_count_ : theirs.size();
  std::pmr::vector<std::uint32_t> mapping(their_groups, 0, groups_.get_allocator());
  if (slot_reader_) {
    std::iota(mapping.begin(), mapping.end(), 0u);
  } else {
    std::vector<const std::uint64_t*> words(theirs.word_count());
    for (std::uint32_t g = 0; g < theirs.size(); ++g) {
      for (std::size_t w = 0; w < words.size(); ++w) words[w] = theirs.key(g) + w;
      index_.assign(words, 1, &mapping[g]);
    }
    resize(index_.size());
  }
  merge_all(other, mapping);
}

void GroupWorker::merge_all(GroupWorker& other, std::span<const std::uint32_t> mapping) {
  if (in_second_pass_.empty()) rows_.merge(other.rows_, mapping);
  for (std::size_t o = 0; o < aggregators_.size(); ++o) {
    if (active(o) != nullptr) aggregators_[o]->merge(*other.aggregators_[o], mapping);
  }
}

void GroupWorker::append(GroupWorker& other) {
  std::pmr::vector<std::uint32_t> mapping(other.index_.size(), 0, groups_.get_allocator());
  std::iota(mapping.begin(), mapping.end(), index_.size());
  index_.append(other.index_);
  resize(index_.size());
  merge_all(other, mapping);
}

void GroupWorker::settle_groups() {
  if (!slot_reader_) return;
  const std::span<const std::uint64_t> counts = rows_.counts();
  for (std::uint32_t slot = 0; slot < counts.size(); ++slot) {
    if (counts[slot] == 0 && !task_.keys.empty()) continue;
    index_.group_of_slot(slot);
    places_.push_back(slot);
  }
}

}  // namespace hdbench
