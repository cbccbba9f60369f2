#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/machine/other_load.h"
#include "bench/report/answers/answers.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/limit_view.h"
#include "bench/report/views/verdict.h"

namespace hdbench {
namespace {

constexpr std::size_t kSummaryWidth = 100;
constexpr std::size_t kSummaryLead = 5;     // the query
constexpr std::size_t kReferenceWidth = 9;  // ms alone
constexpr std::size_t kMediumWidth = 17;
constexpr std::size_t kGainWidth = 6;
constexpr std::size_t kMediaMax = 6;
static_assert(kSummaryLead + kReferenceWidth + (kMediaMax - 1) * kMediumWidth <= kSummaryWidth);
// Data of fewer times the last-level cache are partly read from it.
constexpr std::uint64_t kCachesAWorkingSet = 4;

std::string summary_line(const std::string& text) { return folded(text, kSummaryWidth, "  "); }

using SummaryColumns = std::vector<std::size_t>;

// The table's columns, the reference first.
SummaryColumns summary_columns(const ReportPivot& pivot) {
  SummaryColumns chosen;
  for (const std::size_t i : pivot.columns_of(pivot.primary())) {
    const ReportColumn& column = pivot.column(i);
    const auto same = std::find_if(chosen.begin(), chosen.end(), [&](std::size_t other) {
      Setting setting = pivot.column(other).setting;
      setting.layout = column.setting.layout;
      return pivot.column(other).machine == column.machine && setting == column.setting;
    });
    if (same == chosen.end()) {
      chosen.push_back(i);
    } else if (column.setting.layout == pivot.column(column.reference).setting.layout) {
      *same = i;
    }
  }
  return chosen;
}

struct ColumnTitle {
  std::string medium;  // "App Direct*"
  std::string detail;  // the profile, the state of the page cache, the layout where it differs
};

ColumnTitle title_of(const ReportPivot& pivot, std::size_t at) {
  const ReportColumn& column = pivot.column(at);
  const Setting& setting = column.setting;
  const std::string whole = medium_title(setting.medium);
  const std::size_t bracket = whole.find(" (");
  ColumnTitle title{whole.substr(0, bracket) + (column.emulated ? "*" : ""), {}};
  std::vector<std::string> details;
  if (bracket != whole.npos)
    details.push_back(whole.substr(bracket + 2, whole.size() - bracket - 3));
  if (column.is_disk()) details.emplace_back(word(setting.cache));
  if (setting.layout != pivot.column(column.reference).setting.layout)
    details.emplace_back(word(setting.layout));
  if (setting.codes != Codes::kStored) details.emplace_back(word(setting.codes));
  if (setting.prefetch == Prefetch::kOn) details.emplace_back("ahead");
  title.detail = fmt::format("{}", fmt::join(details, " "));
  return title;
}

std::string summary_head(const ReportPivot& pivot, const SummaryColumns& columns) {
  std::string media = fmt::format("{:<{}}", "query", kSummaryLead);
  std::string details = std::string(kSummaryLead, ' ');
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnTitle title = title_of(pivot, columns[i]);
    const std::size_t width = i == 0 ? kReferenceWidth : kMediumWidth;
    media += fmt::format("{:>{}}", cut_to(title.medium, width - 1, "~"), width);
    details += fmt::format("{:>{}}", cut_to(title.detail, width - 1, "~"), width);
  }
  return line_of(media) + line_of(details);
}

std::string summary_cell(const VerdictCell& cell, bool is_first) {
  const std::string ms = cell.cell == nullptr ? "" : cell.ms ? format_ms(*cell.ms) : "0N";
  const char* const mark = cell.is_above_ceiling ? "!" : " ";
  if (is_first) return fmt::format("{:>{}}{}", ms, kReferenceWidth - 1, mark);
  return fmt::format("{:>{}}{:>{}}{}", ms, kMediumWidth - kGainWidth - 1,
                     cell.gain ? format_ratio(cell.gain->value) : "", kGainWidth, mark);
}

std::string summary_rows(const ReportPivot& pivot, const SummaryColumns& columns) {
  const VerdictTable table = verdict_table(pivot, pivot.primary());
  std::string text;
  for (const VerdictRow& row : table.rows) {
    std::string line = fmt::format("{:<{}}", pivot.label(row.query).substr(0, 4), kSummaryLead);
    for (std::size_t i = 0; i < columns.size(); ++i)
      line += summary_cell(verdict_cell(pivot, pivot.primary(), columns[i], row.query), i == 0);
    text += line_of(line);
  }
  return text;
}

// "3 repetitions", "3 to 5 repetitions": of the primary block's cells.
std::string repetitions_of(const ReportPivot& pivot, const SummaryColumns& columns) {
  std::size_t least = SIZE_MAX;
  std::size_t most = 0;
  for (const std::size_t query : pivot.queries()) {
    for (const std::size_t column : columns) {
      const ReportCell* const cell = pivot.cell(pivot.primary(), column, query);
      if (cell == nullptr || !median_ms(cell->result)) continue;
      least = std::min(least, cell->result.real_ms.size());
      most = std::max(most, cell->result.real_ms.size());
    }
  }
  if (most == 0) return "no repetition";
  return fmt::format("{}{} repetition{}", least < most ? fmt::format("{} to ", least) : "", most,
                     most == 1 ? "" : "s");
}

// The geometric mean over the queries for which `ratio` has a value.
std::optional<double> mean_over(const ReportPivot& pivot,
                                const std::function<std::optional<double>(std::size_t)>& ratio) {
  std::vector<double> ratios;
  for (const std::size_t query : pivot.queries()) {
    if (const auto one = ratio(query); one && *one > 0) ratios.push_back(*one);
  }
  if (ratios.empty()) return std::nullopt;
  return geometric_mean(ratios);
}

struct SummaryPlace {
  const ReportBlock& block;
  std::size_t column;
};

// How many times as long queries take there as here.
std::optional<double> times_there(const ReportPivot& pivot, const SummaryPlace& there,
                                  const SummaryPlace& here) {
  return mean_over(pivot, [&](std::size_t query) -> std::optional<double> {
    const auto longer = pivot.ms(there.block, there.column, query);
    const auto ms = pivot.ms(here.block, here.column, query);
    if (!ms || !longer || !(*ms > 0)) return std::nullopt;
    return *longer / *ms;
  });
}

std::string summary_means(const ReportPivot& pivot, const SummaryColumns& columns) {
  if (columns.size() < 2) return {};
  std::string line = fmt::format("{:<{}}", "geometric mean", kSummaryLead + kReferenceWidth);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const auto mean = mean_over(pivot, [&](std::size_t query) -> std::optional<double> {
      const auto gain = pivot.gain(pivot.primary(), columns[i], query);
      return gain ? std::optional(gain->value) : std::nullopt;
    });
    line += fmt::format("{:>{}} ", mean ? format_ratio(*mean) : "", kMediumWidth - 1);
  }
  return line_of(line);
}

// "App Direct* (optane-100-6dimm)".
std::string label_of(const ReportPivot& pivot, std::size_t column) {
  const ColumnTitle title = title_of(pivot, column);
  return title.detail.empty() ? title.medium : fmt::format("{} ({})", title.medium, title.detail);
}

// The real memory that others are held against: DRAM.
std::optional<std::size_t> dram_of(const ReportPivot& pivot, const SummaryColumns& columns) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](std::size_t column) {
    return pivot.column(column).setting.medium == "dram";
  });
  return found == columns.end() ? std::nullopt : std::optional(*found);
}

std::string tier_line(const ReportPivot& pivot, const SummaryColumns& columns) {
  const auto dram = dram_of(pivot, columns);
  if (!dram || columns.size() < 2) return {};
  std::vector<std::string> parts;
  for (const std::size_t column : columns) {
    if (column == *dram) continue;
    if (const auto times = times_there(pivot, {pivot.primary(), column}, {pivot.primary(), *dram}))
      parts.push_back(fmt::format("{} {}", label_of(pivot, column), format_ratio(*times)));
  }
  if (parts.empty()) return {};
  return "Tiers, in times of DRAM's (geometric means): " + listed(parts) + ".";
}

std::string index_line(const ReportPivot& pivot, std::size_t column) {
  ReportBlock with = pivot.primary();
  ReportBlock without = with;
  with.attr = AttrUse::kParted;
  without.attr = AttrUse::kNone;
  if (pivot.stands_in(with, column)) return {};
  const auto gain = times_there(pivot, {without, column}, {with, column});
  if (!gain) return "Index: not known, as p (--attr none,parted) was run one way only.";
  return fmt::format("Index: with p, queries in {} are {} as fast as without (geometric mean).",
                     label_of(pivot, column), format_ratio(*gain));
}

std::string thread_line(const ReportPivot& pivot, std::size_t column) {
  const std::vector<std::size_t> counts = pivot.threads(pivot.primary().dataset);
  if (counts.size() < 2) return "Threads: not known, as one count was run (-s 1,all runs two).";
  const ReportBlock fewest = pivot.primary().on(counts.front());
  const auto gain = times_there(pivot, {fewest, column}, {pivot.primary(), column});
  if (!gain) return {};
  return fmt::format("Threads: in {} {} are {} as fast as {} (geometric mean).",
                     label_of(pivot, column), threads_text(pivot.primary().threads),
                     format_ratio(*gain), threads_text(fewest.threads));
}

std::string workspace_line(const ReportPivot& pivot) {
  const WorkspacePeak* most = nullptr;
  const auto needs = workspace_needs(pivot);
  for (const WorkspaceNeed& need : needs) {
    if (need.block.dataset != pivot.primary().dataset) continue;
    if (most == nullptr || need.greatest().bytes > most->bytes) most = &need.greatest();
  }
  if (most == nullptr) return {};
  return fmt::format(
      "Workspace: -w {} (MiB) holds every query here, {} the largest; these are hdbench's bytes, "
      "not kdb+'s.",
      with_commas(whole_mib(most->bytes)), pivot.label(most->query));
}

// Queries whose data fit in a few times the last-level cache.
std::string cached_queries(const ReportPivot& pivot, std::size_t column) {
  std::uint64_t cache = 0;
  for (const SavedRun& run : pivot.input().runs) {
    for (const CpuCache& one : run.context.host.caches) cache = std::max(cache, one.bytes);
  }
  std::vector<std::size_t> small;
  for (const std::size_t query : pivot.queries()) {
    const ReportCell* const cell = pivot.cell(pivot.primary(), column, query);
    if (cell == nullptr) continue;
    const std::uint64_t bytes = cell->result.bytes_read + cell->result.bytes_written;
    if (bytes < kCachesAWorkingSet * cache) small.push_back(query);
  }
  if (small.empty()) return {};
  constexpr std::size_t kNamedMax = 4;
  return fmt::format("{} move less than {} times the last-level cache ({}), partly from it",
                     small.size() <= kNamedMax ? pivot.input().labels_of(small)
                                               : fmt::format("{} of {}", small.size(),
                                                             queries_text(pivot.queries().size())),
                     kCachesAWorkingSet, bytes_text(cache));
}

std::string trust_line(const ReportPivot& pivot, const SummaryColumns& columns,
                       std::size_t column) {
  std::vector<std::string> reasons;
  const TrustFigures figures = trust_figures(pivot);
  const bool is_emulated = std::any_of(columns.begin(), columns.end(),
                                       [&](std::size_t one) { return pivot.column(one).emulated; });
  if (is_emulated) reasons.emplace_back("* is emulated from a device's profile, not measured");
  reasons.push_back(figures.widest != nullptr
                        ? fmt::format("intervals reach +-{:.0f} %", 100 * figures.width)
                        : std::string("no cell was repeated, so none has an interval"));
  if (!figures.above.empty())
    reasons.push_back(fmt::format("{} of {} cells are above their ceiling (!), which cannot be",
                                  figures.above.size(), pivot.input().cells.size()));
  if (const std::string small = cached_queries(pivot, column); !small.empty())
    reasons.push_back(small);
  for (const SavedRun& run : pivot.input().runs) {
    for (const PreflightNote& note : run.context.preflight) {
      if (note.name == OtherLoad::kNoteName) reasons.push_back(note.text);
    }
  }
  return fmt::format("Distrust: {}.", fmt::join(reasons, "; "));
}

}  // namespace

std::string summary_report(const ReportPivot& pivot) {
  SummaryColumns columns = summary_columns(pivot);
  const std::size_t shown = std::min(columns.size(), kMediaMax);
  std::string text;
  for (const std::string& machine : pivot.input().machines) text += summary_line(machine);
  const ReportDataset& dataset = pivot.input().datasets[pivot.primary().dataset];
  const ReportColumn& reference = pivot.column(columns.front());
  text += summary_line(fmt::format(
      "{}: {} rows in {} partitions; {}, {}", dataset.name, with_commas(dataset.rows()),
      dataset.partitions, block_text(pivot, pivot.primary()), word(reference.setting.layout)));
  text += summary_line(fmt::format("medians of {} in ms; x: how many times as fast as {}",
                                   repetitions_of(pivot, columns), reference.label));
  const SummaryColumns more(columns.begin() + static_cast<std::ptrdiff_t>(shown), columns.end());
  columns.resize(shown);
  text += "\n" + summary_head(pivot, columns) + summary_rows(pivot, columns) +
          summary_means(pivot, columns);
  for (const std::string& reason : verdict_table(pivot, pivot.primary()).reasons)
    text += summary_line("0N: " + reason);
  text += "\n";
  const std::size_t memory = dram_of(pivot, columns).value_or(columns.back());
  for (const std::string& line :
       {tier_line(pivot, columns), index_line(pivot, memory), thread_line(pivot, memory),
        workspace_line(pivot), trust_line(pivot, columns, memory)}) {
    if (!line.empty()) text += summary_line(line);
  }
  for (const SavedRun& run : pivot.input().runs) {
    for (const std::string& line : run.context.left_out) text += summary_line("Not run: " + line);
  }
  const std::size_t cells = pivot.input().cells.size() + pivot.input().peers.size();
  std::size_t here = 0;
  for (const std::size_t query : pivot.queries()) {
    for (const std::size_t column : columns)
      here += pivot.cell(pivot.primary(), column, query) != nullptr ? 1 : 0;
  }
  if (cells > here) {
    text += summary_line(fmt::format(
        "Of {} cells {} are above; `--table full` has all{}.", with_commas(cells), here,
        more.empty()
            ? ""
            : fmt::format(", {} more column{}", more.size(), more.size() == 1 ? "" : "s")));
  }
  return text + peer_text(pivot);
}

}  // namespace hdbench
