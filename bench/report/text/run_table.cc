#include "bench/report/text/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "bench/base/bootstrap.h"
#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/report/views/pivot_text.h"
#include "bench/report/views/run_pivot.h"

namespace hdbench {
namespace {

constexpr std::size_t kLeadWidth = 19;   // query and rows
constexpr std::size_t kFirstWidth = 12;  // ms alone: the column that others are compared with
constexpr std::size_t kColumnWidth = 17;
constexpr std::size_t kRatioWidth = 6;
constexpr std::size_t kMsWidth = kColumnWidth - kRatioWidth - 2;
constexpr std::size_t kMeansLeadWidth = 35;
// Beside the first one.
constexpr std::size_t kColumnsMax = (kTableWidth - kLeadWidth - kFirstWidth) / kColumnWidth;

using Columns = std::vector<PivotColumn>;

// The columns beside the first one, as many as fit on a line at a time; one empty piece where there
// are none.
std::vector<Columns> pieces_of(const Columns& columns) {
  std::vector<Columns> pieces(1);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    if (pieces.back().size() == kColumnsMax) pieces.emplace_back();
    pieces.back().push_back(columns[i]);
  }
  return pieces;
}

bool shows_codes(const RunPivot& pivot) {
  return std::any_of(pivot.columns().begin(), pivot.columns().end(),
                     [](const PivotColumn& column) { return column.codes != Codes::kStored; });
}

std::string codes_title(const PivotColumn& column) {
  return fmt::format("{} codes", word(column.codes));
}

// The third line above the columns, where any column's codes are not as stored. `lead` begins it.
std::string codes_line(const RunPivot& pivot, const Columns& piece, std::string lead) {
  if (!shows_codes(pivot)) return {};
  for (const PivotColumn& column : piece)
    lead += fmt::format("{:>{}}", codes_title(column), kColumnWidth);
  return line_of(lead);
}

// The line below the media, where any column's has a profile or an option. `lead` begins it.
std::string arguments_line(const RunPivot& pivot, const Columns& piece, std::string line) {
  const auto has_argument = [](const PivotColumn& column) {
    return column.medium.find(':') != std::string::npos;
  };
  if (std::none_of(pivot.columns().begin(), pivot.columns().end(), has_argument)) return {};
  for (const PivotColumn& column : piece)
    line += fmt::format("{:>{}}", column_argument(column, kColumnWidth - 1), kColumnWidth);
  return line_of(line);
}

std::string header_lines(const RunPivot& pivot, const PivotBlock& block, const Columns& piece) {
  const auto layout_of = [&](const PivotColumn& column) {
    return fmt::format("{}{}", word(column.layout), pivot.stands_in(block, column) ? "/no p" : "");
  };
  const PivotColumn& first = pivot.columns().front();
  std::string media = fmt::format("{:>5}{:>{}}", "query", "rows", kLeadWidth - 5) +
                      fmt::format("{:>{}}", column_title(first), kFirstWidth);
  std::string layouts = fmt::format("{:>{}}", layout_of(first), kLeadWidth + kFirstWidth);
  for (const PivotColumn& column : piece) {
    media += fmt::format("{:>{}}", column_title(column), kColumnWidth);
    layouts += fmt::format(" {:>{}}", layout_of(column), kColumnWidth - 1);
  }
  const std::string lead = fmt::format("{:>{}}", codes_title(first), kLeadWidth + kFirstWidth);
  const std::string argument =
      fmt::format("{:>{}}", column_argument(first, kColumnWidth), kLeadWidth + kFirstWidth);
  return line_of(media) + arguments_line(pivot, piece, argument) + line_of(layouts) +
         codes_line(pivot, piece, lead);
}

std::string ms_text(const CellResult* cell) {
  if (cell == nullptr) return {};
  const std::optional<double> ms = median_ms(*cell);
  return ms ? format_ms(*ms) : "0N";
}

std::string ratio_text(std::optional<double> ratio) { return ratio ? format_ratio(*ratio) : ""; }

// The rows of a query in a block: 0N where no column has more.
std::string rows_text(const RunPivot& pivot, const PivotBlock& block, int query) {
  std::string text;
  for (const PivotColumn& column : pivot.columns()) {
    const CellResult* cell = pivot.cell(block, column, query);
    if (cell == nullptr) continue;
    if (cell->rows_out) return with_commas(*cell->rows_out);
    text = "0N";
  }
  return text;
}

std::string query_line(const RunPivot& pivot, const PivotBlock& block, const Columns& piece,
                       int query) {
  const CellResult* first = pivot.cell(block, pivot.columns().front(), query);
  std::string line = fmt::format("{:>5}{:>{}}{:>{}}", query, rows_text(pivot, block, query),
                                 kLeadWidth - 5, ms_text(first), kFirstWidth);
  for (const PivotColumn& column : piece) {
    line += fmt::format(" {:>{}} {:>{}}", ms_text(pivot.cell(block, column, query)), kMsWidth,
                        ratio_text(pivot.ratio(block, column, query)), kRatioWidth);
  }
  return line_of(line);
}

std::string means_line(const RunPivot& pivot, const PivotBlock& block, const Columns& piece,
                       std::string line) {
  for (const PivotColumn& column : piece) {
    line += fmt::format("{:>{}}", ratio_text(pivot.mean_ratio(block, column)), kColumnWidth);
  }
  return line_of(line);
}

std::string block_text(const RunPivot& pivot, const PivotBlock& block) {
  const std::string means_title = fmt::format("{:<{}}", "geometric mean", kLeadWidth + kFirstWidth);
  std::string text = "\n" + block_title(block) + "\n";
  for (const Columns& piece : pieces_of(pivot.columns())) {
    text += header_lines(pivot, block, piece);
    for (const int query : pivot.queries()) text += query_line(pivot, block, piece, query);
    if (!piece.empty()) text += means_line(pivot, block, piece, means_title);
  }
  return text;
}

// "flat 1.2 of 1.2 GB: every page on node 1 (move_pages)". Of each layout and codes by itself: one
// after another lay there.
std::string proof_text(const std::vector<CellResult>& cells, const std::string& medium) {
  constexpr double kGb = 1e9;
  std::set<std::pair<Layout, Codes>> seen;
  std::string sizes;
  const PlacementProof* last = nullptr;
  for (const CellResult& cell : cells) {
    const Setting& setting = cell.setting;
    if (setting.medium != medium || !cell.placement_proof) continue;
    if (!seen.insert({setting.layout, setting.codes}).second) continue;
    last = &*cell.placement_proof;
    sizes +=
        fmt::format("{}{}{} {:.3g} of {:.3g} GB", sizes.empty() ? "" : ", ", word(setting.layout),
                    setting.codes == Codes::kNarrow ? " with narrow codes" : "",
                    static_cast<double>(last->bytes_where_promised) / kGb,
                    static_cast<double>(last->bytes_total) / kGb);
  }
  if (last == nullptr) return {};
  if (!last->unknown.empty() && last->bytes_total == 0) return "not seen: " + last->unknown;
  if (last->claim.empty()) return "nothing promised of it";
  return fmt::format("{}: {} ({})", sizes, last->claim, last->how);
}

std::string media_lines(const std::vector<CellResult>& cells) {
  std::vector<std::string> lines;
  for (const CellResult& cell : cells) {
    const std::string& medium = cell.setting.medium;
    std::string line =
        fmt::format("{}{}: {}\n", cell.emulated ? "* " : "", medium, cell.medium_label);
    if (const std::string proof = proof_text(cells, medium); !proof.empty())
      line += fmt::format("  where it lay: {}\n", proof);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  const bool reads_ahead = std::any_of(cells.begin(), cells.end(), [](const CellResult& cell) {
    return cell.setting.prefetch == Prefetch::kOn;
  });
  if (reads_ahead) lines.push_back("+p: read ahead of the queries (--prefetch on)\n");
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string spread_line(const std::vector<CellResult>& cells) {
  const CellResult* widest = nullptr;
  double relative = 0;
  for (const CellResult& cell : cells) {
    if (!median_ms(cell) || cell.real_ms.size() < 2) continue;
    const double spread = summarise(cell.real_ms).relative_spread;
    if (widest == nullptr || spread > relative) {
      widest = &cell;
      relative = spread;
    }
  }
  if (widest == nullptr) return {};
  return fmt::format("largest spread, (max - min) / median: {:.0f} %, in\n  {}\n", relative * 100,
                     widest->name());
}

// "parted, 4.0, 2 threads, -w 512".
std::string short_title(const PivotBlock& block) {
  std::string title =
      fmt::format("{}, {}, {}", word(block.attr), word(block.mode), threads_text(block.threads));
  if (block.limit_mib != 0) title += fmt::format(", -w {}", block.limit_mib);
  return title;
}

// All blocks' means once more, for who reads only the end.
std::string means_text(const RunPivot& pivot) {
  const PivotColumn& first = pivot.columns().front();
  const std::string compared =
      fmt::format("as fast as {} {}", column_title(first), word(first.layout));
  std::string text;
  for (const Columns& piece : pieces_of(pivot.columns())) {
    if (piece.empty()) continue;
    std::string media = fmt::format("{:<{}}", "geometric means: how many times", kMeansLeadWidth);
    std::string layouts = fmt::format("{:<{}}", compared, kMeansLeadWidth);
    for (const PivotColumn& column : piece) {
      media += fmt::format("{:>{}}", column_title(column), kColumnWidth);
      layouts += fmt::format("{:>{}}", word(column.layout), kColumnWidth);
    }
    const std::string lead = fmt::format("{:<{}}", codes_title(first), kMeansLeadWidth);
    text += "\n" + line_of(media) +
            arguments_line(pivot, piece, std::string(kMeansLeadWidth, ' ')) + line_of(layouts) +
            codes_line(pivot, piece, lead);
    for (const PivotBlock& block : pivot.blocks()) {
      text += means_line(pivot, block, piece,
                         fmt::format("{:<{}}", short_title(block), kMeansLeadWidth));
    }
  }
  return text;
}

// "5", "5 to 25".
std::string range_text(const std::vector<std::size_t>& counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return *least == *most ? std::to_string(*least) : fmt::format("{} to {}", *least, *most);
}

// "5 to 25 repetitions in 3 visits": what the cells have, not what was asked for.
std::string repetitions_text(const std::vector<CellResult>& cells) {
  std::vector<std::size_t> counts;
  std::vector<std::size_t> visits;
  for (const CellResult& cell : cells) {
    if (!median_ms(cell)) continue;
    counts.push_back(cell.real_ms.size());
    visits.push_back(std::max<std::size_t>(1, cell.visits.size()));
  }
  if (counts.empty()) return "no repetitions";
  const bool one = *std::max_element(counts.begin(), counts.end()) == 1;
  const bool one_visit = *std::max_element(visits.begin(), visits.end()) == 1;
  return fmt::format("{} repetition{}{}", range_text(counts), one ? "" : "s",
                     one_visit ? "" : fmt::format(" in {} visits", range_text(visits)));
}

}  // namespace

std::string run_header(const RunContext& context, const std::vector<CellResult>& cells) {
  const auto plural = [](std::size_t count) { return count == 1 ? "" : "s"; };
  std::string datasets;
  for (const DatasetContext& dataset : context.datasets) {
    std::string tables;
    for (const auto& [name, rows] : dataset.table_rows) {
      tables += fmt::format("{} {} rows, ", name, with_commas(rows));
    }
    datasets +=
        fmt::format("{}{}: {}{} partition{}; {}\n", dataset.name.empty() ? "" : dataset.name + ": ",
                    dataset.database, tables, dataset.partitions, plural(dataset.partitions),
                    context.query_file);
  }
  return fmt::format("hdbench {} ({}), {}\n", context.version, context.commit,
                     describe(context.host)) +
         datasets +
         fmt::format("medians of {} in ms; x: how many times as fast as the first column\n",
                     repetitions_text(cells));
}

std::string precision_line(const RunContext& context, const std::vector<CellResult>& cells) {
  if (!context.precision || !(*context.precision > 0)) return {};
  const CellResult* widest = nullptr;
  double width = 0;
  std::size_t wide = 0;
  std::size_t all = 0;
  for (const CellResult& cell : cells) {
    const auto half = median_ms(cell) ? relative_half_width(cell.times()) : std::nullopt;
    if (!half) continue;
    ++all;
    if (*half > *context.precision) ++wide;
    if (widest != nullptr && *half <= width) continue;
    widest = &cell;
    width = *half;
  }
  if (wide == 0) return {};
  return fmt::format(
      "precision: {} of {} intervals are wider than the +-{:g} % that were asked for, the widest "
      "+-{:.0f} %, of\n  {}\n",
      wide, all, 100 * *context.precision, 100 * width, widest->name());
}

std::string run_blocks(const std::vector<CellResult>& cells) {
  if (cells.empty()) return {};
  const RunPivot pivot(cells);
  std::string text;
  for (const PivotBlock& block : pivot.blocks()) text += block_text(pivot, block);
  text += "\n" + media_lines(cells) + spread_line(cells);
  if (pivot.blocks().size() > 1) text += means_text(pivot);
  return text;
}

}  // namespace hdbench
