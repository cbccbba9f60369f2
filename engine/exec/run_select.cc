#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <memory_resource>
#include <optional>
#include <utility>

#include "engine/exec/computed_columns.h"
#include "engine/exec/prefetcher.h"
#include "engine/exec/run_plan.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/selection.h"
#include "engine/operator/filter.h"
#include "engine/operator/gather.h"

namespace hdbench {
namespace {

// A smaller result stays in the caches for the next reader.
constexpr std::uint64_t kCachedResultBytes = std::uint64_t{4} << 20;

// The selection of each morsel, kept between filtering and gathering, in the smallest of three
// forms: nothing (no rows, or all), two bytes a selected row, or one bit a row.
//
// Workers allocate in blocks of kBlockBytes. Which worker filters which morsel varies between runs,
// and with it how full the last blocks are.
class MorselSelections {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{32} << 10;

  // `input` must outlive this. `workers`: of the pool; each uses its own number. Throws what the
  // resource throws (thread-safe), as keep() does.
  MorselSelections(const QueryInput& input, std::size_t workers,
                   std::pmr::memory_resource& resource);

  // A bitmap (bits.h) for any morsel: the worker's own, until its next bits().
  std::uint64_t* bitmap(std::size_t worker);
  // Keeps what the worker has put into its bitmap, once at most. Until a morsel is kept it has no
  // rows.
  void keep(std::size_t morsel, std::size_t worker);
  void keep_all(std::size_t morsel);

  std::size_t count(std::size_t morsel) const { return kept_[morsel].count; }
  // The bitmap, until the worker's next bits() or bitmap(); null: all rows. Requires: some rows.
  const std::uint64_t* bits(std::size_t morsel, std::size_t worker);

 private:
  using Position = std::uint16_t;
  static_assert(kMorselRows <= std::size_t{1} << 16, "a morsel's position has two bytes");

  enum class Form : std::uint8_t { kAll, kBits, kPositions };
  struct Kept {
    const void* data = nullptr;
    std::uint32_t count = 0;
    Form form = Form::kAll;
  };

  std::size_t rows(std::size_t morsel) const {
    return static_cast<std::size_t>(input_.morsels[morsel].rows.rows());
  }

  const QueryInput& input_;
  std::pmr::vector<Kept> kept_;
  Buffer bitmaps_;
  struct Blocks {
    explicit Blocks(std::pmr::memory_resource& of) : blocks(&of) {}
    std::pmr::vector<Buffer> blocks;
    std::size_t left = 0;  // at the end of the last one
  };
  void* take(std::size_t bytes, std::size_t worker);

  std::pmr::memory_resource& resource_;
  std::deque<Blocks> memory_;  // by worker
};

constexpr std::size_t kBitmapWords = words_for(kMorselRows);
static_assert(kBitmapWords * sizeof(std::uint64_t) <= MorselSelections::kBlockBytes,
              "a block holds any selection");

MorselSelections::MorselSelections(const QueryInput& input, std::size_t workers,
                                   std::pmr::memory_resource& resource)
    : input_(input),
      kept_(input.morsels.size(), &resource),
      bitmaps_(resource, workers * kBitmapWords * sizeof(std::uint64_t)),
      resource_(resource) {
  for (std::size_t worker = 0; worker < workers; ++worker) memory_.emplace_back(resource);
}

void* MorselSelections::take(std::size_t bytes, std::size_t worker) {
  auto& [blocks, left] = memory_[worker];
  const std::size_t aligned = (bytes + 7) / 8 * 8;
  if (left < aligned) {
    blocks.emplace_back(resource_, kBlockBytes);
    left = kBlockBytes;
  }
  left -= aligned;
  return blocks.back().data() + left;
}

std::uint64_t* MorselSelections::bitmap(std::size_t worker) {
  return reinterpret_cast<std::uint64_t*>(bitmaps_.data()) + worker * kBitmapWords;
}

void MorselSelections::keep(std::size_t morsel, std::size_t worker) {
  const std::uint64_t* const bits = bitmap(worker);
  const std::size_t words = words_for(rows(morsel));
  Kept& kept = kept_[morsel];
  kept.count = static_cast<std::uint32_t>(count_bits(bits, words));
  if (kept.count == 0 || kept.count == rows(morsel)) return;
  const std::size_t bytes_of_bits = words * sizeof(std::uint64_t);
  const std::size_t bytes_of_positions = kept.count * sizeof(Position);
  kept.form = bytes_of_positions < bytes_of_bits ? Form::kPositions : Form::kBits;
  void* const data = take(std::min(bytes_of_positions, bytes_of_bits), worker);
  if (kept.form == Form::kPositions) {
    positions_of(bits, rows(morsel), static_cast<Position*>(data));
  } else {
    std::memcpy(data, bits, bytes_of_bits);
  }
  kept.data = data;
}

void MorselSelections::keep_all(std::size_t morsel) {
  kept_[morsel] = {nullptr, static_cast<std::uint32_t>(rows(morsel)), Form::kAll};
}

const std::uint64_t* MorselSelections::bits(std::size_t morsel, std::size_t worker) {
  const Kept& kept = kept_[morsel];
  if (kept.form == Form::kAll) return nullptr;
  if (kept.form == Form::kBits) return static_cast<const std::uint64_t*>(kept.data);
  std::uint64_t* const bits = bitmap(worker);
  std::fill_n(bits, words_for(rows(morsel)), 0);
  const auto* const positions = static_cast<const Position*>(kept.data);
  for (std::size_t i = 0; i < kept.count; ++i)
    bits[positions[i] / kWordRows] |= std::uint64_t{1} << positions[i] % kWordRows;
  return bits;
}

class Select {
 public:
  Select(const QueryInput& input, std::span<AccessLog> accesses)
      : input_(input),
        memory_(input.context->memory),
        accesses_(accesses),
        selections_(input, accesses.size(), memory_),
        first_rows_(input.morsels.size(), &memory_) {
    for (std::size_t worker = 0; worker < accesses.size(); ++worker)
      computed_.emplace_back(input, memory_);
  }

  ResultTable run(RowsAre rows_are, std::vector<std::uint64_t>* rows_by_view) {
    filter();
    if (const std::optional<RowRange> rows = rows_in_place(rows_are)) {
      Buffer marks = marks_of(*rows);
      for (std::size_t m = 0; m < input_.morsels.size(); ++m) selections_.keep_all(m);
      ResultTable result = gather(/*may_view=*/true);
      result.marks = std::move(marks);
      return result;
    }
    if (rows_by_view != nullptr) {
      rows_by_view->assign(input_.views.size(), 0);
      for (std::size_t m = 0; m < input_.morsels.size(); ++m)
        (*rows_by_view)[input_.morsels[m].view] += selections_.count(m);
    }
    return gather(/*may_view=*/false);
  }

 private:
  // Of rows that can be shown where they are: from where to where.
  std::optional<RowRange> rows_in_place(RowsAre rows_are) const {
    constexpr std::uint64_t kMarkedShare = 2;  // of so many rows one at least passes
    if (rows_are == RowsAre::kCopied || input_.prefetcher != nullptr || input_.morsels.empty())
      return std::nullopt;
    const Morsel& first = input_.morsels.front();
    RowRange rows{first.rows.begin, first.rows.begin};
    std::uint64_t selected = 0;
    for (std::size_t m = 0; m < input_.morsels.size(); ++m) {
      const Morsel& morsel = input_.morsels[m];
      if (morsel.view != first.view || morsel.rows.begin != rows.end) return std::nullopt;
      if (rows.rows() % kWordRows != 0) return std::nullopt;
      rows.end = morsel.rows.end;
      selected += selections_.count(m);
    }
    const bool are_most = selected >= rows.rows() / kMarkedShare;
    const bool may_mark = rows_are == RowsAre::kMarked && are_most && are_all_viewable();
    return selected == rows.rows() || may_mark ? std::optional(rows) : std::nullopt;
  }

  bool are_all_viewable() const {
    return std::all_of(
        input_.plan.outputs.begin(), input_.plan.outputs.end(), [&](const Output& output) {
          const Field& field = input_.schema().fields[*output.field];
          const std::uint32_t width = result_width(field, input_.views, *output.field);
          return view_of(*output.field, width, 0).is_view();
        });
  }

  // Empty where all are selected.
  Buffer marks_of(RowRange rows) {
    std::uint64_t selected = 0;
    for (std::size_t m = 0; m < input_.morsels.size(); ++m) selected += selections_.count(m);
    if (selected == rows.rows()) return {};
    Buffer marks(memory_, words_for(rows.rows()) * sizeof(std::uint64_t));
    for (std::size_t m = 0; m < input_.morsels.size(); ++m) {
      const RowRange part = input_.morsels[m].rows;
      auto* const words =
          reinterpret_cast<std::uint64_t*>(marks.data()) + (part.begin - rows.begin) / kWordRows;
      const std::size_t count = selections_.count(m);
      const std::uint64_t* const bits = count == 0 ? nullptr : selections_.bits(m, 0);
      if (count == 0) {
        std::fill_n(words, words_for(part.rows()), 0);
      } else if (bits == nullptr) {
        set_bits(words, part.rows());
      } else {
        std::copy_n(bits, words_for(part.rows()), words);
      }
    }
    return marks;
  }

  bool filtered(const Morsel& morsel) const { return !input_.conditions(morsel).empty(); }

  // Whether gathering reads again what filtering has read, of any morsel: an index may leave more
  // to be scanned in one view than in another.
  bool shows_conditions() const {
    if (input_.prefetcher == nullptr) return false;  // who alone asks
    const std::vector<std::size_t> shown = output_fields(input_);
    const auto is_shown = [&](std::size_t field) {
      return std::find(shown.begin(), shown.end(), field) != shown.end();
    };
    return std::any_of(input_.morsels.begin(), input_.morsels.end(), [&](const Morsel& morsel) {
      const std::vector<std::size_t> scanned = filter_fields(input_, morsel);
      return std::any_of(scanned.begin(), scanned.end(), is_shown);
    });
  }

  void filter() {
    bool none = true;
    for (std::size_t m = 0; m < input_.morsels.size(); ++m) {
      if (filtered(input_.morsels[m])) {
        none = false;
      } else {
        selections_.keep_all(m);
      }
    }
    if (none) return;
    const PrefetchPass ahead(
        input_, [&](std::size_t m) { return filter_fields(input_, input_.morsels[m]); },
        shows_conditions() ? Again::kYes : Again::kNo);
    for_each_morsel(input_, [&](std::size_t m, std::size_t worker) {
      const Morsel& morsel = input_.morsels[m];
      if (!filtered(morsel)) return;
      const PartitionView& view = computed_[worker].view(morsel.view);
      AccessLog& accesses = accesses_[worker];
      stop_unless(filter_morsel(input_.schema(), view, input_.conditions(morsel), morsel.rows,
                                selections_.bitmap(worker), accesses));
      selections_.keep(m, worker);
    });
  }

  ResultTable gather(bool may_view) {
    ResultTable result;
    for (std::size_t m = 0; m < input_.morsels.size(); ++m) {
      first_rows_[m] = result.rows;
      result.rows += selections_.count(m);
    }
    for (const Output& output : input_.plan.outputs) {
      const Field& field = input_.schema().fields[*output.field];
      const std::uint32_t width = result_width(field, input_.views, *output.field);
      Buffer buffer = may_view ? view_of(*output.field, width, result.rows) : Buffer();
      if (!buffer.is_view()) buffer = Buffer(memory_, result.rows * width);
      result.columns.push_back({output.name, field.type, width, std::move(buffer), field.domain});
    }
    const std::vector<std::size_t> fields = output_fields(input_);
    const PrefetchPass ahead(
        input_,
        [&](std::size_t m) {
          return selections_.count(m) != 0 ? fields : std::vector<std::size_t>();
        },
        Again::kNo, /*by_field=*/!computes_outputs());
    for_each_morsel(input_, [&](std::size_t m, std::size_t worker) {
      if (selections_.count(m) != 0) gather_fields(m, fields, ahead, result, worker);
    });
    return result;
  }

  // Of all morsels' rows. No view where the column cannot be viewed.
  Buffer view_of(std::size_t field, std::uint32_t width, std::uint64_t rows) const {
    const Morsel& first = input_.morsels.front();
    const std::vector<const Column*>& columns = input_.views[first.view].columns;
    const Column* const column = field < columns.size() ? columns[field] : nullptr;
    if (!is_viewable(column, width)) return {};
    using Owners = std::vector<std::shared_ptr<const void>>;
    return Buffer::view(column->data + first.rows.begin * width, rows * width,
                        std::make_shared<const Owners>(column->keep_alive));
  }

  bool computes_outputs() const {
    const auto& outputs = input_.plan.outputs;
    return std::any_of(outputs.begin(), outputs.end(), [&](const Output& output) {
      return *output.field >= input_.first_computed();
    });
  }

  // One after the other: each is awaited and let go by itself, unless others are made of it.
  void gather_fields(std::size_t m, const std::vector<std::size_t>& fields,
                     const PrefetchPass& ahead, ResultTable& result, std::size_t worker) {
    Selected selected(input_.morsels[m].rows, selections_.bits(m, worker));
    if (computes_outputs()) return gather_computed_fields(m, selected, result, worker);
    if (input_.schema().partitioned) gather_field(m, 0, selected, result, worker);
    for (std::size_t place = 0; place < fields.size(); ++place) {
      ahead.begin_field(m, place);
      gather_field(m, fields[place], selected, result, worker);
      ahead.end_field(m, place);
    }
  }

  // All fields, of which some are computed: what they are made of is read once.
  void gather_computed_fields(std::size_t m, Selected& selected, ResultTable& result,
                              std::size_t worker) {
    const PartitionView& view = computed_[worker].view(input_.morsels[m].view);
    std::vector<bool> done(input_.schema().fields.size(), false);
    for (const Output& output : input_.plan.outputs) {
      if (*output.field >= input_.first_computed() || done[*output.field]) continue;
      gather_field(m, *output.field, selected, result, worker);
      done[*output.field] = true;
    }
    for (std::size_t c = 0; c < result.columns.size(); ++c) {
      const std::size_t field = *input_.plan.outputs[c].field;
      if (field < input_.first_computed()) continue;
      for (const std::size_t input : view.computed->inputs(field)) {
        if (!done[input]) accesses_[worker].read(view, input, selected);
        done[input] = true;
      }
      gather_computed(m, view, field, selected, result.columns[c], worker);
    }
  }

  // A piece at a time, whose values stay in the caches until they are packed.
  void gather_computed(std::size_t m, const PartitionView& view, std::size_t field,
                       const Selected& selected, ResultColumn& column, std::size_t worker) {
    constexpr std::uint64_t kComputedRows = 4096;
    std::byte* out = column.buffer.data() + first_rows_[m] * column.width;
    accesses_[worker].write(out, selections_.count(m) * column.width);
    const RowRange all = selected.rows();
    for (std::uint64_t begin = all.begin; begin < all.end; begin += kComputedRows) {
      const RowRange rows{begin, std::min(begin + kComputedRows, all.end)};
      const auto row_count = static_cast<std::size_t>(rows.rows());
      const std::uint64_t* const bits =
          selected.bits() == nullptr ? nullptr : selected.bits() + (begin - all.begin) / kWordRows;
      const std::size_t count =
          bits == nullptr ? row_count : count_bits(bits, words_for(row_count));
      if (count == 0) continue;
      stop_unless(view.computed->make(field, rows, bits));
      stop_unless(
          gather_morsel(input_.schema(), view, field, rows, bits, count, column.width, out));
      out += count * column.width;
    }
  }

  // Into each column that shows the field.
  void gather_field(std::size_t m, std::size_t field, Selected& selected, ResultTable& result,
                    std::size_t worker) {
    const PartitionView& view = input_.views[input_.morsels[m].view];
    const std::size_t count = selections_.count(m);
    AccessLog& accesses = accesses_[worker];
    const Stores stores =
        result.bytes() < kCachedResultBytes ? Stores::kCached : Stores::kPastCaches;
    for (std::size_t c = 0; c < result.columns.size(); ++c) {
      if (*input_.plan.outputs[c].field != field) continue;
      ResultColumn& column = result.columns[c];
      if (column.buffer.is_view()) {
        // Codes are looked at here, too, and what others are computed of.
        if (column.type == QType::kSymbol || computes_outputs()) {
          accesses.read(view, field, selected);
        } else {
          accesses.read_viewed(view, field, selected);
        }
        stop_unless(check_elements(*view.columns[field], selected.rows()));
        continue;
      }
      accesses.read(view, field, selected);
      std::byte* out = column.buffer.data() + first_rows_[m] * column.width;
      accesses.write(out, count * column.width);
      stop_unless(gather_morsel(input_.schema(), view, field, selected.rows(), selected.bits(),
                                count, column.width, out, stores));
    }
  }

  const QueryInput& input_;
  std::pmr::memory_resource& memory_;
  std::span<AccessLog> accesses_;
  MorselSelections selections_;
  std::deque<ComputedColumns> computed_;        // by worker
  std::pmr::vector<std::uint64_t> first_rows_;  // in the result, by morsel
};

}  // namespace

ResultTable run_select(const QueryInput& input, std::span<AccessLog> accesses, RowsAre rows_are,
                       std::vector<std::uint64_t>* rows_by_view) {
  return Select(input, accesses).run(rows_are, rows_by_view);
}

}  // namespace hdbench
