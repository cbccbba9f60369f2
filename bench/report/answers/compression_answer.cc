// Where compression pays, and what bounds queries over compressed columns.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/report/answers/answers.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

constexpr std::string_view kCompressionQuestion = "Does compression pay?";

// "lz4 1, 0.27 of the plain bytes".
std::string packing_text(const ReportDataset& dataset) {
  return fmt::format("{} ({:.2f} of the plain bytes)", dataset.compression, dataset.stored_share);
}

// Compressed and plain, in one column of the same rows.
struct ComparedPlaces {
  std::string what;  // the compressed one
  std::string where;
  PairMean mean;  // how many times as long as plain
};

// Columns as stored against the same database without compression, or unpacked before.
std::vector<ComparedPlaces> compared_places(const ReportPivot& pivot) {
  std::vector<ComparedPlaces> all;
  const auto& datasets = pivot.input().datasets;
  for (std::size_t d = 0; d < datasets.size(); ++d) {
    if (datasets[d].compression.empty()) continue;
    ReportBlock block = pivot.primary();
    block.dataset = d;
    ReportBlock plain = block;
    for (std::size_t other = 0; other < datasets.size(); ++other) {
      const bool is_plain = datasets[other].compression.empty() &&
                            datasets[other].table_rows == datasets[d].table_rows;
      if (is_plain) plain.dataset = other;
    }
    for (const std::size_t column : pivot.columns_of(block)) {
      const Setting& setting = pivot.column(column).setting;
      if (setting.compressed == Compressed::kUnpacked || setting.layout == Layout::kFlat) continue;
      std::size_t base = column;
      for (std::size_t at = 0; at < pivot.columns().size() && plain.dataset == d; ++at) {
        Setting unpacked = pivot.column(at).setting;
        if (unpacked.compressed != Compressed::kUnpacked) continue;
        unpacked.compressed = Compressed::kAsStored;
        if (unpacked == setting && pivot.column(at).machine == pivot.column(column).machine)
          base = at;
      }
      if (plain.dataset == d && base == column) continue;
      const PairMean mean = times_as_long(pivot, {block, column}, {plain, base});
      if (mean.pairs() > 0)
        all.push_back({packing_text(datasets[d]), pivot.column(column).label, mean});
    }
  }
  return all;
}

// "unpacking alone takes 61 to 97 % of the time of 11 queries": by the libraries' own rate.
std::optional<std::string> bound_text(const ReportPivot& pivot, std::size_t dataset,
                                      std::size_t column) {
  ReportBlock block = pivot.primary();
  block.dataset = dataset;
  double least = 0;
  double most = 0;
  std::size_t count = 0;
  for (const std::size_t query : pivot.queries()) {
    const ReportCell* const cell = pivot.cell(block, column, query);
    if (cell == nullptr) continue;
    const auto ms = median_ms(cell->result);
    const auto unpacking = unpack_ms(cell->result, pivot.input().runs[cell->run].context.ceilings);
    if (!ms || !unpacking || *ms <= 0) continue;
    const double percent = 100 * *unpacking / *ms;
    least = count == 0 ? percent : std::min(least, percent);
    most = std::max(most, percent);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return fmt::format(
      "unpacking at the library's own rate would take {:.0f} to {:.0f} % of the time "
      "of {}",
      least, most, queries_text(count));
}

}  // namespace

std::optional<Answer> compression_answer(const ReportPivot& pivot) {
  const auto& cells = pivot.input().cells;
  if (std::none_of(cells.begin(), cells.end(),
                   [](const ReportCell& cell) { return cell.result.bytes_unpacked != 0; }))
    return std::nullopt;
  Answer answer{std::string(kCompressionQuestion), {}, {}};
  std::vector<std::string> wins;
  std::vector<std::string> losses;
  for (const ComparedPlaces& places : compared_places(pivot)) {
    const std::optional<Ratio> ratio = places.mean.ratio();
    const std::string left_out = places.mean.left_out_text();
    if (!ratio) {
      answer.sentences.push_back(fmt::format("{}, {}: cannot be judged (left out: {}).",
                                             places.where, places.what, left_out));
      continue;
    }
    answer.sentences.push_back(
        fmt::format("{}, {}: {} times as long as without compression ({}), {}{}.", places.where,
                    places.what, factor_text(ratio->value), interval_text(*ratio->interval),
                    queries_text(places.mean.queries.size()),
                    left_out.empty() ? "" : "; left out: " + left_out));
    if (!ratio->is_different()) continue;
    (ratio->value < 1 ? wins : losses)
        .push_back(fmt::format("{} with {}", places.where, places.what));
  }
  const auto& datasets = pivot.input().datasets;
  for (std::size_t d = 0; d < datasets.size(); ++d) {
    if (datasets[d].compression.empty()) continue;
    for (std::size_t column = 0; column < pivot.columns().size(); ++column) {
      if (const auto text = bound_text(pivot, d, column)) {
        answer.sentences.push_back(
            fmt::format("{}, {}: {}.", pivot.column(column).label, datasets[d].compression, *text));
      }
    }
  }
  if (wins.empty() && losses.empty()) {
    answer.summary =
        "Cannot be said: nothing was run without compression beside it, or no difference was shown "
        "(run --experiment compression; --compressed asis,unpacked).";
  } else if (wins.empty()) {
    answer.summary = "It saves space and costs time: slower in " + listed(losses) + ".";
  } else {
    answer.summary = "Faster in " + listed(wins) +
                     (losses.empty() ? "." : "; slower in " + listed(losses) + ".");
  }
  return answer;
}

}  // namespace hdbench::bench
