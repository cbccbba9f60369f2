#include "engine/exec/run_select.h"

#include <algorithm>
#include <memory_resource>

#include "engine/exec/prefetcher.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/selection.h"
#include "engine/operator/filter.h"
#include "engine/operator/gather.h"

namespace hdbench {
namespace {

// A smaller result stays in the caches for whoever reads it next.
constexpr std::uint64_t kCachedResultBytes = std::uint64_t{4} << 20;

// Where each morsel's selection lies in the bitmap, and its rows in the result.
struct Placement {
  std::uint64_t first_word = 0;
  std::uint64_t first_row = 0;
  std::uint64_t rows = 0;
};

class Select {
 public:
  Select(const QueryInput& input, const ExecuteSettings& settings, ThreadPool& pool,
         Workspace& workspace, std::span<TouchLog> touches)
      : input_(input),
        settings_(settings),
        pool_(pool),
        workspace_(workspace),
        touches_(touches),
        placements_(input.morsels.size(), &workspace) {}

  ResultTable run() {
    place_bitmaps();
    filter();
    return gather();
  }

 private:
  bool filtered(const Morsel& morsel) const { return !input_.conditions(morsel).empty(); }
  std::uint64_t* bits(std::size_t m) {
    if (!filtered(input_.morsels[m])) return nullptr;
    return reinterpret_cast<std::uint64_t*>(bitmap_.data()) + placements_[m].first_word;
  }

  void place_bitmaps() {
    std::uint64_t words = 0;
    for (std::size_t m = 0; m < input_.morsels.size(); ++m) {
      const Morsel& morsel = input_.morsels[m];
      placements_[m].rows = morsel.rows.rows();
      if (!filtered(morsel)) continue;
      placements_[m].first_word = words;
      words += words_for(static_cast<std::size_t>(morsel.rows.rows()));
    }
    bitmap_ = Buffer(workspace_, words * sizeof(std::uint64_t));
  }

  // Whether gathering reads again what filtering has read.
  bool shows_conditions() const {
    const std::vector<std::size_t> shown = output_fields(input_);
    const std::vector<std::size_t> scanned = filter_fields(input_, input_.morsels.front());
    return std::any_of(scanned.begin(), scanned.end(), [&](std::size_t field) {
      return std::find(shown.begin(), shown.end(), field) != shown.end();
    });
  }

  void filter() {
    if (bitmap_.bytes() == 0) return;
    PrefetchPass ahead(
        settings_, input_, pool_.size(),
        [&](std::size_t m) { return filter_fields(input_, input_.morsels[m]); },
        shows_conditions() ? Again::kYes : Again::kNo);
    for_each_morsel(input_, settings_, pool_, [&](std::size_t m, std::size_t worker) {
      const Morsel& morsel = input_.morsels[m];
      if (!filtered(morsel)) return;
      const Slice& slice = input_.slices[morsel.slice];
      TouchLog& touched = touches_[worker];
      stop_unless(filter_morsel(input_.schema(), slice, input_.conditions(morsel), morsel.rows,
                                bits(m), touched));
      placements_[m].rows =
          count_bits(bits(m), words_for(static_cast<std::size_t>(morsel.rows.rows())));
    });
    filtered_ = ahead.end();
  }

  ResultTable gather() {
    ResultTable result;
    for (Placement& placement : placements_) {
      placement.first_row = result.rows;
      result.rows += placement.rows;
    }
    for (const Output& output : input_.plan->outputs) {
      const Field& field = input_.schema().fields[*output.field];
      const std::uint32_t width = result_width(field, input_.slices, *output.field);
      result.columns.push_back(
          {output.name, field.type, width, Buffer(workspace_, result.rows * width), field.domain});
    }
    const PrefetchPass ahead(settings_, input_, pool_.size(), [&](std::size_t m) {
      return placements_[m].rows != 0 ? output_fields(input_) : std::vector<std::size_t>();
    });
    for_each_morsel(input_, settings_, pool_, [&](std::size_t m, std::size_t worker) {
      if (placements_[m].rows != 0) gather_columns(m, result, touches_[worker]);
    });
    return result;
  }

  void gather_columns(std::size_t m, ResultTable& result, TouchLog& touched) {
    const Morsel& morsel = input_.morsels[m];
    const Slice& slice = input_.slices[morsel.slice];
    const Placement& placement = placements_[m];
    const Stores stores =
        result.bytes() < kCachedResultBytes ? Stores::kCached : Stores::kPastCaches;
    for (std::size_t c = 0; c < result.columns.size(); ++c) {
      const std::size_t field = *input_.plan->outputs[c].field;
      ResultColumn& column = result.columns[c];
      std::byte* out = column.buffer.data() + placement.first_row * column.width;
      stop_unless(gather_morsel(input_.schema(), slice, field, morsel.rows, bits(m),
                                static_cast<std::size_t>(placement.rows), column.width, out,
                                stores));
      touched.read(slice, field, morsel.rows, bits(m));
      touched.write(out, placement.rows * column.width);
    }
  }

  const QueryInput& input_;
  const ExecuteSettings& settings_;
  ThreadPool& pool_;
  Workspace& workspace_;
  std::span<TouchLog> touches_;
  std::pmr::vector<Placement> placements_;
  Buffer bitmap_;
  std::unique_ptr<AwaitedPass> filtered_;  // what gathering will read again
};

}  // namespace

ResultTable run_select(const QueryInput& input, const ExecuteSettings& settings, ThreadPool& pool,
                       Workspace& workspace, std::span<TouchLog> touches) {
  return Select(input, settings, pool, workspace, touches).run();
}

}  // namespace hdbench
