#include "bench/report/text/scaling_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/report/views/pivot_text.h"
#include "bench/report/views/run_pivot.h"
#include "bench/results/scaling.h"

namespace hdbench {
namespace {

constexpr std::size_t kScalingLeadWidth = 14;  // "geometric mean"
constexpr std::size_t kScalingColumnWidth = 17;
constexpr std::size_t kPercentWidth = 6;
constexpr std::size_t kScalingColumnsMax = (kTableWidth - kScalingLeadWidth) / kScalingColumnWidth;

// A column of a block: a medium's, on so many threads.
struct ScalingColumn {
  const PivotColumn* column = nullptr;
  std::size_t threads = 1;
};
using ScalingColumns = std::vector<ScalingColumn>;

PivotBlock on_threads(PivotBlock block, std::size_t threads) {
  block.threads = threads;
  return block;
}

std::optional<Scaling> scaling_at(const RunPivot& pivot, const PivotBlock& few,
                                  const ScalingColumn& at, int query) {
  const CellResult* one = pivot.cell(few, *at.column, query);
  const CellResult* cell = pivot.cell(on_threads(few, at.threads), *at.column, query);
  if (one == nullptr || cell == nullptr) return std::nullopt;
  return scaling_of(*one, *cell);
}

std::string scaling_text(const Scaling& scaling) {
  return fmt::format("{:>{}}{:>{}.0f}%", format_ratio(scaling.speedup),
                     kScalingColumnWidth - kPercentWidth, scaling.efficiency_percent,
                     kPercentWidth - 1);
}

std::string header_lines(const ScalingColumns& piece) {
  std::string media = fmt::format("{:>5}{:>{}}", "query", "", kScalingLeadWidth - 5);
  std::string layouts(kScalingLeadWidth, ' ');
  std::string threads(kScalingLeadWidth, ' ');
  for (const ScalingColumn& at : piece) {
    media += fmt::format("{:>{}}", column_title(*at.column), kScalingColumnWidth);
    layouts += fmt::format("{:>{}}", word(at.column->layout), kScalingColumnWidth);
    threads += fmt::format("{:>{}}", threads_text(at.threads), kScalingColumnWidth);
  }
  return line_of(media) + line_of(layouts) + line_of(threads);
}

std::string piece_text(const RunPivot& pivot, const PivotBlock& few, const ScalingColumns& piece) {
  std::string text = header_lines(piece);
  std::vector<std::vector<double>> speedups(piece.size());
  for (const int query : pivot.queries()) {
    std::string line = fmt::format("{:>5}{:>{}}", query, "", kScalingLeadWidth - 5);
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const std::optional<Scaling> scaling = scaling_at(pivot, few, piece[i], query);
      line += scaling ? scaling_text(*scaling) : std::string(kScalingColumnWidth, ' ');
      if (scaling) speedups[i].push_back(scaling->speedup);
    }
    text += line_of(line);
  }
  std::string line = "geometric mean";
  for (std::size_t i = 0; i < piece.size(); ++i) {
    line += speedups[i].empty() ? std::string(kScalingColumnWidth, ' ')
                                : scaling_text(scaling_of(geometric_mean(speedups[i]), few.threads,
                                                          1, piece[i].threads));
  }
  return text + line_of(line);
}

// Media whose cells only stand in for this attribute's are left to their own block.
ScalingColumns columns_of(const RunPivot& pivot, const PivotBlock& few,
                          const std::vector<std::size_t>& threads) {
  ScalingColumns columns;
  for (const PivotColumn& column : pivot.columns()) {
    if (pivot.stands_in(few, column)) continue;
    for (const std::size_t count : threads) {
      if (count != few.threads) columns.push_back({&column, count});
    }
  }
  return columns;
}

std::string saturation_line(const MemoryCeilings& memory) {
  const std::optional<Saturation> saturation = saturation_of(memory);
  if (!saturation) return {};
  if (saturation->is_widest) {
    return fmt::format("memory does not saturate: {} read the most, {:.1f} GB/s\n",
                       threads_text(saturation->threads), saturation->gb_s);
  }
  return fmt::format("memory saturates at {}: {:.1f} GB/s read, within 5 % of the best\n",
                     threads_text(saturation->threads), saturation->gb_s);
}

}  // namespace

std::string scaling_blocks(const std::vector<CellResult>& cells, const MemoryCeilings& memory) {
  const std::vector<std::size_t> threads = thread_counts(cells);
  if (threads.size() < 2) return {};
  const RunPivot pivot(cells);
  std::string text;
  for (const PivotBlock& block : pivot.blocks()) {
    if (block.threads != threads.front()) continue;
    const ScalingColumns columns = columns_of(pivot, block, threads);
    if (columns.empty()) continue;
    text += fmt::format("\nscaling: how many times as fast as {}, and per cent of the ideal; {}\n",
                        threads_text(block.threads), block_title_of_all_threads(block));
    for (std::size_t i = 0; i < columns.size(); i += kScalingColumnsMax) {
      const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(i);
      const std::size_t count = std::min(kScalingColumnsMax, columns.size() - i);
      text += piece_text(pivot, block,
                         ScalingColumns(begin, begin + static_cast<std::ptrdiff_t>(count)));
    }
  }
  return text + "\n" + saturation_line(memory);
}

}  // namespace hdbench
