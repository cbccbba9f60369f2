#include "engine/exec/group_worker.h"

#include <algorithm>

#include "engine/kernel/bits.h"
#include "engine/kernel/selection.h"
#include "engine/operator/filter.h"
#include "engine/operator/gather.h"

namespace hdbench {
namespace {

// Rows grouped at once: a piece's keys, groups and values stay in the first-level caches.
constexpr std::size_t kPieceRows = 4096;
constexpr std::size_t kWidestElement = 16;

std::size_t total_words(std::span<const KeyColumn> keys) {
  return keys.empty() ? 0 : keys.back().first_word + keys.back().word_count;
}

}  // namespace

GroupWorker::GroupWorker(const GroupTask& task, std::pmr::memory_resource& resource)
    : task_(task),
      index_(word_cardinalities(task.keys), resource),
      first_rows_(&resource),
      last_rows_(&resource),
      counts_(&resource),
      bits_(&resource),
      words_(&resource),
      groups_(&resource),
      positions_(&resource),
      values_(&resource),
      weights_(&resource) {
  aggregators_.resize(task.input.plan->outputs.size());
  if (task.input.plan->last_rows && index_.direct()) {
    last_row_scan_ = std::make_unique<LastRowScan>(task.input, task.keys, index_);
    return;
  }
  bits_.resize(words_for(kMorselRows));
  words_.resize(total_words(task.keys) * kPieceRows);
  groups_.resize(kPieceRows);
  positions_.resize(kPieceRows);
  values_.resize(kPieceRows * kWidestElement);
  weights_.resize(kPieceRows * kWidestElement);
  for (std::size_t w = 0; w < total_words(task.keys); ++w)
    word_pointers_.push_back(words_.data() + w * kPieceRows);
  const Schema& schema = task.input.schema();
  for (std::size_t o = 0; o < aggregators_.size(); ++o) {
    const Output& output = task.input.plan->outputs[o];
    const QType type = output.field ? schema.fields[*output.field].type : QType::kLong;
    const QType weights = output.weights ? schema.fields[*output.weights].type : QType::kLong;
    aggregators_[o] = make_aggregator(output.aggregate, type, weights, resource);
  }
}

void GroupWorker::take(std::size_t m, TouchLog& touched) {
  if (last_row_scan_) {
    return last_row_scan_->take(m, touched, {index_, last_rows_});
  }
  const QueryInput& input = task_.input;
  const Morsel& morsel = input.morsels[m];
  const Slice& slice = input.slices[morsel.slice];
  const auto conditions = input.conditions(morsel);
  stop_unless(filter_morsel(input.schema(), slice, conditions, morsel.rows, bits_.data(), touched));
  for (std::uint64_t begin = morsel.rows.begin; begin < morsel.rows.end; begin += kPieceRows) {
    const RowRange rows{begin, std::min<std::uint64_t>(begin + kPieceRows, morsel.rows.end)};
    const std::uint64_t* bits = bits_.data() + (begin - morsel.rows.begin) / kWordRows;
    const std::size_t count = count_bits(bits, words_for(static_cast<std::size_t>(rows.rows())));
    if (count != 0) take_piece(morsel, rows, count == rows.rows() ? nullptr : bits, count, touched);
  }
}

void GroupWorker::take_piece(const Morsel& morsel, RowRange rows, const std::uint64_t* bits,
                             std::size_t count, TouchLog& touched) {
  const Schema& schema = task_.input.schema();
  const Slice& slice = task_.input.slices[morsel.slice];
  selected_.reset(rows, bits);
  fields_noted_.assign(schema.fields.size(), false);
  // What a condition has read is in the cache.
  for (const Condition& condition : task_.input.conditions(morsel))
    fields_noted_[condition.field] = true;
  for (const KeyColumn& key : task_.keys) {
    if (slice.columns[key.field] != nullptr) note_read(slice, key.field, touched);
    stop_unless(key_words(schema, slice, key, rows, bits, count, values_.data(), word_pointers_));
  }
  index_.assign(std::span<const std::uint64_t* const>(word_pointers_.data(), word_pointers_.size()),
                count, groups_.data());
  resize(index_.size());
  note_rows(morsel.slice, rows, bits, count);
  update_aggregates(slice, rows, bits, count, touched);
}

void GroupWorker::note_rows(std::size_t slice, RowRange rows, const std::uint64_t* bits,
                            std::size_t count) {
  const std::uint64_t base = RowId::make(slice, rows.begin);
  if (bits != nullptr) {
    positions_of(bits, static_cast<std::size_t>(rows.rows()), positions_.data());
  } else {
    for (std::size_t i = 0; i < count; ++i) positions_[i] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t& last = last_rows_[groups_[i]];
    last = std::max(last, base + positions_[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t& first = first_rows_[groups_[i]];
    first = std::min(first, base + positions_[i]);
  }
  if (!task_.needs_count) return;
  for (std::size_t i = 0; i < count; ++i) ++counts_[groups_[i]];
}

void GroupWorker::update_aggregates(const Slice& slice, RowRange rows, const std::uint64_t* bits,
                                    std::size_t count, TouchLog& touched) {
  const auto& outputs = task_.input.plan->outputs;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!aggregators_[o]) continue;
    AggregateBatch batch{count, groups_.data(), nullptr, nullptr};
    batch.values = packed_values(slice, *outputs[o].field, rows, bits, count, values_, touched);
    if (outputs[o].weights) {
      batch.weights =
          packed_values(slice, *outputs[o].weights, rows, bits, count, weights_, touched);
    }
    aggregators_[o]->update(batch);
  }
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
  if (groups == last_rows_.size()) return;
  if (!last_row_scan_) first_rows_.resize(groups, UINT64_MAX);
  last_rows_.resize(groups, 0);
  if (task_.needs_count) counts_.resize(groups, 0);
  for (const auto& aggregator : aggregators_) {
    if (aggregator) aggregator->resize(groups);
  }
}

void GroupWorker::merge(const GroupWorker& other) {
  const GroupIndex& theirs = other.index_;
  std::pmr::vector<std::uint32_t> mapping(theirs.size(), 0, groups_.get_allocator());
  std::vector<const std::uint64_t*> words(theirs.word_count());
  for (std::uint32_t g = 0; g < theirs.size(); ++g) {
    for (std::size_t w = 0; w < words.size(); ++w) words[w] = theirs.key(g) + w;
    index_.assign(words, 1, &mapping[g]);
  }
  resize(index_.size());
  for (std::uint32_t g = 0; g < theirs.size(); ++g) {
    if (!last_row_scan_)
      first_rows_[mapping[g]] = std::min(first_rows_[mapping[g]], other.first_rows_[g]);
    last_rows_[mapping[g]] = std::max(last_rows_[mapping[g]], other.last_rows_[g]);
    if (task_.needs_count) counts_[mapping[g]] += other.counts_[g];
  }
  for (std::size_t o = 0; o < aggregators_.size(); ++o) {
    if (aggregators_[o]) aggregators_[o]->merge(*other.aggregators_[o], mapping);
  }
}

void GroupWorker::ensure_one_group() {
  std::uint32_t group = 0;
  index_.assign({}, 1, &group);
  resize(1);
}

}  // namespace hdbench
