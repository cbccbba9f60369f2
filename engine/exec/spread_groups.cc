#include "engine/exec/spread_groups.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/selection.h"
#include "engine/operator/filter.h"
#include "engine/operator/gather.h"

namespace hdbench {
namespace {

// The fewest rows of a range: smaller ones are not worth tables of their own.
constexpr std::size_t kRangeRows = 8192;
// The number of keys sampled to choose the splitters.
constexpr std::size_t kSampledKeys = 8192;
// Rows processed at once, whose keys' intermediate values fit into the first-level cache.
constexpr std::size_t kStepRows = 2048;

// The layout of a kept row as a struct of arrays: key words, RowId if needed, then the aggregated
// fields.
KeptArrays arrays_of(const GroupTask& task) {
  const Schema& schema = task.input.schema();
  KeptArrays arrays;
  const auto add = [&](std::uint32_t width) {
    arrays.widths.push_back(width);
    arrays.offsets.push_back(arrays.row_bytes);
    arrays.row_bytes += width;
  };
  for (const KeyColumn& key : task.keys) arrays.words += key.word_count;
  for (std::size_t w = 0; w < arrays.words; ++w) add(sizeof(std::uint64_t));
  arrays.has_row_ids = task.needs.first || task.needs.last;
  if (arrays.has_row_ids) add(sizeof(std::uint64_t));
  const auto add_field = [&](std::size_t field) {
    if (std::find(arrays.fields.begin(), arrays.fields.end(), field) != arrays.fields.end()) return;
    arrays.fields.push_back(field);
  };
  for (const Output& output : task.input.plan.outputs) {
    if (!takes_values(output.aggregate)) continue;
    add_field(*output.field);
    if (output.weights) add_field(*output.weights);
  }
  // Wider fields first, so that each array begins at a multiple of its elements' width.
  const auto width_of = [&](std::size_t field) { return type_width(schema.fields[field].type); };
  std::stable_sort(arrays.fields.begin(), arrays.fields.end(),
                   [&](std::size_t a, std::size_t b) { return width_of(a) > width_of(b); });
  for (const std::size_t field : arrays.fields) add(width_of(field));
  return arrays;
}

// Appends element i, `width` bytes each, at out[range of i].
void move_elements(std::uint32_t width, const std::byte* elements, const std::uint8_t* ranges,
                   std::size_t count, std::byte** out) {
  at_width(width, [&](auto bytes) {
    for (std::size_t i = 0; i < count; ++i) {
      std::byte*& to = out[ranges[i]];
      std::memcpy(to, elements + i * bytes, bytes);
      to += bytes;
    }
  });
}

}  // namespace

// Divides the order of keys into ranges, to partition rows by key: equal keys are in one range, and
// ranges are in key order, so the ranges' results in order are the ordered result.
class KeySplitters {
 public:
  static constexpr std::size_t kRangesMax = 256;  // a range's number has one byte

  // sample[i]: the words of a key, as numbers in their order (sort_numbers()). At most `ranges`
  // ranges of about as many keys of the sample each.
  KeySplitters(std::vector<std::vector<std::int64_t>> sample, std::size_t ranges);

  std::size_t ranges() const { return count_ + 1; }
  // numbers[w][i] is word w of key i; ranges[i] becomes its range.
  void ranges_of(std::span<const std::int64_t* const> numbers, std::size_t count,
                 std::uint8_t* ranges) const;

 private:
  // Of the splitters in [begin, end), those not above key i, whose words before `word` are theirs.
  std::size_t not_above(std::span<const std::int64_t* const> numbers, std::size_t i,
                        std::size_t word, std::size_t begin, std::size_t end) const;

  std::size_t count_ = 0;
  std::vector<std::vector<std::int64_t>> words_;  // word w of splitter s: words_[w][s]
  // The first word that differs between splitters, or the last one.
  std::size_t lead_ = 0;
  std::vector<std::size_t> ties_;  // by splitter: the first one with its leading word
  // words_[lead_], behind them as many of the greatest number as make a power of two less one.
  std::vector<std::int64_t> padded_;
};

KeySplitters::KeySplitters(std::vector<std::vector<std::int64_t>> sample, std::size_t ranges) {
  HDB_CHECK(ranges >= 1 && ranges <= kRangesMax, "a range's number has one byte");
  std::sort(sample.begin(), sample.end());
  if (!sample.empty()) words_.resize(sample.front().size());
  const std::vector<std::int64_t>* last = nullptr;
  for (std::size_t r = 1; r < ranges && !words_.empty(); ++r) {
    const std::vector<std::int64_t>& key = sample[r * sample.size() / ranges];
    if (last != nullptr && *last == key) continue;
    last = &key;
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w].push_back(key[w]);
    ++count_;
  }
  if (count_ == 0) return;
  while (lead_ + 1 < words_.size() && words_[lead_].front() == words_[lead_].back()) ++lead_;
  padded_ = words_[lead_];
  for (std::size_t s = 0; s < count_; ++s) {
    const bool is_tie = s != 0 && padded_[s - 1] == padded_[s];
    ties_.push_back(is_tie ? ties_.back() : s);
  }
  padded_.resize(std::bit_ceil(count_ + 1) - 1, std::numeric_limits<std::int64_t>::max());
}

std::size_t KeySplitters::not_above(std::span<const std::int64_t* const> numbers, std::size_t i,
                                    std::size_t word, std::size_t begin, std::size_t end) const {
  for (; word < words_.size() && begin < end; ++word) {
    const auto first = words_[word].begin();
    const auto [low, high] =
        std::equal_range(first + static_cast<std::ptrdiff_t>(begin),
                         first + static_cast<std::ptrdiff_t>(end), numbers[word][i]);
    begin = static_cast<std::size_t>(low - first);
    end = static_cast<std::size_t>(high - first);
  }
  return end;
}

void KeySplitters::ranges_of(std::span<const std::int64_t* const> numbers, std::size_t count,
                             std::uint8_t* ranges) const {
  if (count_ == 0) {
    std::fill_n(ranges, count, std::uint8_t{0});
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    bool has_prefix = true;
    for (std::size_t w = 0; w < lead_; ++w) has_prefix &= numbers[w][i] == words_[w].front();
    if (!has_prefix) {
      ranges[i] = static_cast<std::uint8_t>(not_above(numbers, i, 0, 0, count_));
      continue;
    }
    // How many splitters have no greater leading word; no branch tells keys apart.
    const std::int64_t number = numbers[lead_][i];
    std::size_t range = 0;
    for (std::size_t step = (padded_.size() + 1) / 2; step != 0; step /= 2)
      range += padded_[range + step - 1] <= number ? step : 0;
    range = std::min(range, count_);
    const bool is_tie = lead_ + 1 < words_.size() && range != 0 && padded_[range - 1] == number;
    if (is_tie) range = not_above(numbers, i, lead_ + 1, ties_[range - 1], range);
    ranges[i] = static_cast<std::uint8_t>(range);
  }
}

std::size_t KeptArrays::array_of(std::size_t field) const {
  const auto found = std::find(fields.begin(), fields.end(), field);
  return widths.size() - static_cast<std::size_t>(fields.end() - found);
}

// Rows as consecutive arrays in one buffer.
struct SpreadGroups::Range {
  Range(std::pmr::memory_resource& memory, const KeptArrays& kept, std::size_t row_count)
      : rows(row_count), bytes(memory, row_count * kept.row_bytes), arrays(kept) {}

  std::byte* array(std::size_t a) { return bytes.data() + arrays.offsets[a] * rows; }
  const std::byte* array(std::size_t a) const { return bytes.data() + arrays.offsets[a] * rows; }

  std::size_t rows;
  Buffer bytes;
  const KeptArrays& arrays;
};

// The kept rows of a morsel, with the range of each; the rows of each range are counted, and starts
// holds their position in the range's arrays.
struct SpreadGroups::Block : SpreadGroups::Range {
  Block(std::pmr::memory_resource& memory, const KeptArrays& kept, std::size_t row_count)
      : Range(memory, kept, row_count), ranges(&memory), counts(&memory) {}

  std::pmr::vector<std::uint8_t> ranges;
  std::pmr::vector<std::uint32_t> counts;
  std::vector<std::size_t> starts;
};

bool SpreadGroups::serves(const GroupTask& task) {
  return task.input.prefetcher == nullptr && !task.keys.empty() &&
         std::none_of(task.keys.begin(), task.keys.end(),
                      [](const KeyColumn& key) { return key.type == QType::kNested; });
}

SpreadGroups::SpreadGroups(const GroupTask& task)
    : task_(task),
      pool_(task.input.context->pool),
      memory_(task.input.context->memory),
      arrays_(arrays_of(task)),
      blocks_(task.input.morsels.size()) {
  for (std::size_t worker = 0; worker < pool_.size(); ++worker)
    computed_.emplace_back(task.input, memory_);
  std::vector<std::size_t> fields = arrays_.fields;
  for (const KeyColumn& key : task.keys) fields.push_back(key.field);
  for (std::size_t c = 0; c < task.input.plan.computed.size(); ++c) {
    const std::size_t field = task.input.first_computed() + c;
    if (std::find(fields.begin(), fields.end(), field) != fields.end())
      computed_fields_.push_back(field);
  }
}

SpreadGroups::~SpreadGroups() = default;

void SpreadGroups::collect(std::size_t m, std::size_t worker, AccessLog& accesses) {
  const QueryInput& input = task_.input;
  const Morsel& morsel = input.morsels[m];
  const auto row_count = static_cast<std::size_t>(morsel.rows.rows());
  const PartitionView& view = computed_[worker].view(morsel.view);
  std::uint64_t bits[words_for(kMorselRows)];
  stop_unless(
      filter_morsel(input.schema(), view, input.conditions(morsel), morsel.rows, bits, accesses));
  // Step 1, once for each morsel: filter, then copy the selected rows' keys and values to a block.
  const std::size_t count = count_bits(bits, words_for(row_count));
  if (count == 0) return;
  note_reads(morsel, count == row_count ? nullptr : bits, accesses);
  blocks_[m] = std::make_unique<Block>(memory_, arrays_, count);
  std::size_t at = 0;
  for (std::uint64_t begin = morsel.rows.begin; begin < morsel.rows.end; begin += kStepRows) {
    const RowRange rows{begin, std::min<std::uint64_t>(begin + kStepRows, morsel.rows.end)};
    const auto step_rows = static_cast<std::size_t>(rows.rows());
    const std::uint64_t* step_bits = bits + (begin - morsel.rows.begin) / kWordRows;
    const std::size_t kept = count_bits(step_bits, words_for(step_rows));
    if (kept == 0) continue;
    keep_piece(morsel, view, rows, kept == step_rows ? nullptr : step_bits, kept, *blocks_[m], at);
    at += kept;
  }
  accesses.pass(blocks_[m]->bytes.data(), blocks_[m]->bytes.bytes(), AccessKind::kWrite);
}

void SpreadGroups::note_reads(const Morsel& morsel, const std::uint64_t* bits,
                              AccessLog& accesses) const {
  const auto fixed = fixed_key(task_.input, morsel);
  const PartitionView& view = task_.input.views[morsel.view];
  PieceReads reads;
  reads.begin(task_.input, morsel, morsel.rows, bits);
  const auto note = [&](std::size_t column) { reads.note(view, column, accesses); };
  for (const KeyColumn& key : task_.keys) {
    if (!fixed || fixed->field != key.field) task_.input.for_each_column(key.field, note);
  }
  for (const std::size_t field : arrays_.fields) task_.input.for_each_column(field, note);
}

void SpreadGroups::keep_piece(const Morsel& morsel, const PartitionView& view, RowRange rows,
                              const std::uint64_t* bits, std::size_t count, Block& block,
                              std::size_t at) {
  for (const std::size_t field : computed_fields_)
    stop_unless(view.computed->make(field, rows, bits));
  alignas(64) std::byte scratch[kStepRows * 16];
  std::vector<std::uint64_t*> words;
  for (std::size_t w = 0; w < arrays_.words; ++w)
    words.push_back(reinterpret_cast<std::uint64_t*>(block.array(w)) + at);
  read_key_words(task_, morsel, view, rows, bits, count, scratch, words);
  if (arrays_.has_row_ids) {
    auto* const ids = reinterpret_cast<std::uint64_t*>(block.array(arrays_.words)) + at;
    if (bits != nullptr) {
      positions_of(bits, static_cast<std::size_t>(rows.rows()), ids);
    } else {
      std::iota(ids, ids + count, std::uint64_t{0});
    }
    const std::uint64_t first = RowId::make(morsel.view, rows.begin);
    for (std::size_t i = 0; i < count; ++i) ids[i] += first;
  }
  for (const std::size_t field : arrays_.fields) {
    const std::size_t a = arrays_.array_of(field);
    const std::uint32_t width = arrays_.widths[a];
    HDB_DCHECK(arrays_.offsets[a] % width == 0, "no wider array lies behind a narrower one");
    stop_unless(gather_morsel(task_.input.schema(), view, field, rows, bits, count, width,
                              block.array(a) + at * width));
  }
}

template <typename Arrays>
std::vector<const std::int64_t*> SpreadGroups::numbers_of(
    const Arrays& block, std::size_t begin, std::size_t count,
    std::pmr::vector<std::int64_t>& scratch) const {
  scratch.resize(arrays_.words * count);
  std::vector<const std::int64_t*> numbers;
  for (const KeyColumn& key : task_.keys) {
    for (std::size_t w = key.first_word; w < key.first_word + key.word_count; ++w) {
      std::int64_t* const to = scratch.data() + w * count;
      sort_numbers(task_.input.schema(), key,
                   reinterpret_cast<const std::uint64_t*>(block.array(w)) + begin, count, to);
      numbers.push_back(to);
    }
  }
  return numbers;
}

KeySplitters SpreadGroups::choose_splitters() const {
  std::size_t rows = 0;
  for (const auto& block : blocks_) rows += block ? block->rows : 0;
  // Enough ranges to share among the workers, and rows of about kRangeRows each; a byte numbers
  // them.
  const std::size_t ranges = std::clamp(std::bit_ceil(rows / kRangeRows + 1),
                                        std::min(std::size_t{4} * pool_.size(), std::size_t{64}),
                                        KeySplitters::kRangesMax);
  // Takes every step-th kept row as a sample, across blocks.
  const std::size_t step = rows / kSampledKeys + 1;
  std::vector<std::vector<std::int64_t>> sample;
  std::pmr::vector<std::int64_t> scratch(&memory_);
  std::size_t next = 0;  // row of the block
  for (const auto& block : blocks_) {
    if (!block) continue;
    for (; next < block->rows; next += step) {
      std::vector<std::int64_t>& key = sample.emplace_back();
      for (const std::int64_t* const number : numbers_of(*block, next, 1, scratch))
        key.push_back(*number);
    }
    next -= block->rows;
  }
  return {std::move(sample), ranges};
}

void SpreadGroups::find_ranges(const KeySplitters& splitters, Block& block) const {
  std::pmr::vector<std::int64_t> scratch(&memory_);
  block.ranges.resize(block.rows);
  for (std::size_t at = 0; at < block.rows; at += kStepRows) {
    const std::size_t count = std::min(kStepRows, block.rows - at);
    splitters.ranges_of(numbers_of(block, at, count, scratch), count, block.ranges.data() + at);
  }
  block.counts.assign(splitters.ranges(), 0);
  for (const std::uint8_t range : block.ranges) ++block.counts[range];
}

void SpreadGroups::make_ranges(std::size_t count) {
  std::vector<std::size_t> rows(count, 0);
  for (const auto& block : blocks_) {
    if (!block) continue;
    // A prefix sum over blocks gives every block a place of its own in each range, so that blocks
    // are moved in parallel without a lock, in table order.
    block->starts = rows;
    for (std::size_t r = 0; r < count; ++r) rows[r] += block->counts[r];
  }
  for (const std::size_t range_rows : rows)
    ranges_.push_back(std::make_unique<Range>(memory_, arrays_, range_rows));
}

void SpreadGroups::move_rows(std::size_t b, AccessLog& accesses) {
  Block& block = *blocks_[b];
  accesses.pass(block.bytes.data(), block.bytes.bytes(), AccessKind::kRead);
  // One array at a time, which limits the number of open write positions to that of the ranges.
  std::vector<std::byte*> out(ranges_.size());
  for (std::size_t a = 0; a < arrays_.widths.size(); ++a) {
    const std::uint32_t width = arrays_.widths[a];
    for (std::size_t r = 0; r < ranges_.size(); ++r)
      out[r] = ranges_[r]->array(a) + block.starts[r] * width;
    move_elements(width, block.array(a), block.ranges.data(), block.rows, out.data());
  }
  for (std::size_t r = 0; r < ranges_.size(); ++r) {
    for (std::size_t a = 0; a < arrays_.widths.size(); ++a) {
      const std::size_t width = arrays_.widths[a];
      accesses.pass(ranges_[r]->array(a) + block.starts[r] * width, block.counts[r] * width,
                    AccessKind::kWrite);
    }
  }
  blocks_[b].reset();
}

bool SpreadGroups::rises(const Range& range) const {
  std::pmr::vector<std::int64_t> scratch(&memory_);
  std::vector<std::int64_t> last(arrays_.words, std::numeric_limits<std::int64_t>::min());
  for (std::size_t at = 0; at < range.rows; at += kStepRows) {
    const std::size_t count = std::min(kStepRows, range.rows - at);
    const auto numbers = numbers_of(range, at, count, scratch);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t w = 0;
      while (w < last.size() && numbers[w][i] == last[w]) ++w;
      if (w == last.size()) continue;
      if (numbers[w][i] < last[w]) return false;
      for (; w < last.size(); ++w) last[w] = numbers[w][i];
    }
  }
  return true;
}

ResultTable SpreadGroups::group(Range& range, AccessLog& accesses) {
  accesses.pass(range.bytes.data(), range.bytes.bytes(), AccessKind::kRead);
  GroupState groups(task_, std::vector<std::uint64_t>(arrays_.words, 0), memory_);
  const bool is_in_order = rises(range);
  // Limited, because a range dominated by one key has more rows than groups.
  if (!is_in_order) groups.index().reserve(std::min(range.rows, 4 * kRangeRows));
  groups.make_aggregators(/*by_slot=*/false);
  std::pmr::vector<std::uint32_t> numbers(kStepRows, &memory_);
  const auto& outputs = task_.input.plan.outputs;
  std::vector<const std::uint64_t*> words(arrays_.words);
  for (std::size_t at = 0; at < range.rows; at += kStepRows) {
    const std::size_t count = std::min(kStepRows, range.rows - at);
    for (std::size_t w = 0; w < words.size(); ++w)
      words[w] = reinterpret_cast<const std::uint64_t*>(range.array(w)) + at;
    if (is_in_order) {
      groups.index().assign_neighbours(words, count, numbers.data());
    } else {
      groups.index().assign(words, count, numbers.data());
    }
    groups.resize(groups.index().size());
    const std::byte* const ids = arrays_.has_row_ids ? range.array(arrays_.words) : nullptr;
    groups.rows().note_rows(
        numbers.data(), count,
        ids == nullptr ? nullptr : reinterpret_cast<const std::uint64_t*>(ids) + at);
    const auto values_of = [&](std::size_t field) {
      const std::size_t a = arrays_.array_of(field);
      return range.array(a) + at * arrays_.widths[a];
    };
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      if (groups.active(o) == nullptr) continue;
      AggregateBatch batch{count, numbers.data(),      values_of(*outputs[o].field), nullptr, count,
                           0,     groups.group_count()};
      if (outputs[o].weights) batch.weights = values_of(*outputs[o].weights);
      groups.active(o)->update(batch);
    }
  }
  // The rows are no longer needed: memory is returned before the result is made.
  range.bytes = Buffer();
  if (is_in_order) {
    std::pmr::vector<std::uint32_t> order(groups.index().size(), &memory_);
    std::iota(order.begin(), order.end(), 0U);
    return make_group_result(task_, groups, order, nullptr, accesses);
  }
  const auto order = sorted_groups(task_.input.schema(), task_.input.views, task_.keys,
                                   groups.index(), groups.rows().last_rows(), nullptr, memory_);
  if (!order.ok()) throw QueryStop{order.error()};
  return make_group_result(task_, groups, *order, nullptr, accesses);
}

ResultTable SpreadGroups::join(std::vector<ResultTable>& parts, std::span<AccessLog> accesses) {
  ResultTable table;
  std::vector<std::size_t> first_rows;
  for (const ResultTable& part : parts) {
    first_rows.push_back(table.rows);
    table.rows += part.rows;
  }
  for (std::size_t c = 0; c < parts.front().columns.size(); ++c) {
    const ResultColumn& column = parts.front().columns[c];
    table.columns.push_back({column.name, column.type, column.width,
                             Buffer(memory_, table.rows * column.width), column.domain});
    for (const ResultTable& part : parts) table.columns[c].wrapped += part.columns[c].wrapped;
  }
  pool_.run(parts.size(), [&](std::size_t p, std::size_t worker) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Buffer& from = parts[p].columns[c].buffer;
      std::byte* const to = table.columns[c].buffer.data() + first_rows[p] * table.columns[c].width;
      if (from.bytes() != 0) std::memcpy(to, from.data(), from.bytes());
      accesses[worker].write(to, from.bytes());
    }
    parts[p] = ResultTable();
  });
  return table;
}

ResultTable SpreadGroups::finish(std::span<AccessLog> accesses) {
  const QueryContext& context = *task_.input.context;
  // Steps 2 to 5: choose splitters, find each row's range, move rows, group each range, and
  // concatenate. Only the first and the layout of the ranges are sequential.
  const KeySplitters splitters = choose_splitters();
  pool_.run(blocks_.size(), [&](std::size_t b, std::size_t) {
    context.stop_if_asked();
    if (blocks_[b]) find_ranges(splitters, *blocks_[b]);
  });
  make_ranges(splitters.ranges());
  pool_.run(blocks_.size(), [&](std::size_t b, std::size_t worker) {
    context.stop_if_asked();
    if (blocks_[b]) move_rows(b, accesses[worker]);
  });
  std::vector<ResultTable> parts(ranges_.size());
  pool_.run(ranges_.size(), [&](std::size_t r, std::size_t worker) {
    context.stop_if_asked();
    parts[r] = group(*ranges_[r], accesses[worker]);
  });
  return join(parts, accesses);
}

}  // namespace hdbench
