#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/report/answers/headline.h"
#include "bench/report/answers/quality.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/limit_view.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kSummaryLead = 5;     // the query
constexpr std::size_t kReferenceWidth = 9;  // ms alone
constexpr std::size_t kMediumWidth = 17;
constexpr std::size_t kGainWidth = 6;

// How many media's columns fit.
std::size_t media_most(const TextLook& look) {
  return 1 + (look.columns - kSummaryLead - kReferenceWidth) / kMediumWidth;
}

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
  if (setting.compressed == Compressed::kUnpacked) details.emplace_back("unpacked");
  if (setting.prefetch == Prefetch::kOn) details.emplace_back("ahead");
  if (!setting.place.empty()) details.push_back(setting.place);
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

std::string summary_cell(const VerdictCell& cell, bool is_first, const TextLook& look,
                         TableMarks& marks) {
  const std::string ms = cell.cell == nullptr ? "" : cell.ms ? format_ms(*cell.ms) : "0N";
  const std::string gain = cell.gain ? format_ratio(cell.gain->value) : "";
  const std::string text = is_first
                               ? fmt::format("{:>{}}{}", ms, kReferenceWidth - 1, marks.of(cell))
                               : fmt::format("{:>{}}{:>{}}{}", ms, kMediumWidth - kGainWidth - 1,
                                             gain, kGainWidth, marks.of(cell));
  return cell.is_above_ceiling ? look.tinted(text, Tint::kAlarm) : text;
}

// Beside its row, cut to the width; empty where little fits.
std::string text_beside(std::string text, std::size_t columns, std::size_t width) {
  constexpr std::size_t kLeast = 24;
  const std::size_t taken = kSummaryLead + kReferenceWidth + (columns - 1) * kMediumWidth + 2;
  if (taken + kLeast > width) return {};
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::size_t room = width - taken;
  if (text.size() <= room) return "  " + text;
  // Not within a character of several bytes.
  for (--room; room > 0 && (text[room] & 0xC0) == 0x80;) --room;
  return "  " + text.substr(0, room) + "~";
}

std::string summary_rows(const ReportPivot& pivot, const SummaryColumns& columns,
                         const TextLook& look, TableMarks& marks) {
  const VerdictTable table = verdict_table(pivot, pivot.primary());
  std::string text;
  for (const VerdictRow& row : table.rows) {
    std::string line = fmt::format("{:<{}}", pivot.label(row.query).substr(0, 4), kSummaryLead);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto cell = verdict_cell(pivot, pivot.primary(), columns[i], row.query);
      line += summary_cell(cell, i == 0, look, marks);
    }
    const std::string& words = pivot.input().queries[row.query].text;
    text += line_of(line + text_beside(words, columns.size(), look.columns));
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

// Empty where no column has a mean.
std::string summary_means(const ReportPivot& pivot, const SummaryColumns& columns) {
  bool has_mean = false;
  std::string line = fmt::format("{:<{}}", "geometric mean", kSummaryLead + kReferenceWidth);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const std::size_t reference = pivot.column(columns[i]).reference;
    const auto mean = gains_over_reference(pivot, columns[i]).ratio();
    const bool is_shown = mean && reference != columns[i];
    has_mean = has_mean || is_shown;
    line += fmt::format("{:>{}} ", is_shown ? format_ratio(mean->value) : "", kMediumWidth - 1);
  }
  return has_mean ? line_of(line) : "";
}

// "App Direct* (optane-100-6dimm)".
std::string summary_label(const ReportPivot& pivot, std::size_t column) {
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

// "with p 1.72x as fast (1.60 to 1.85)", in this column.
std::string index_part(const ReportPivot& pivot, std::size_t column) {
  ReportBlock with = pivot.primary();
  ReportBlock without = with;
  with.attr = AttrUse::kParted;
  without.attr = AttrUse::kNone;
  if (pivot.stands_in(with, column)) return {};
  const auto gain = times_as_long(pivot, {without, column}, {with, column});
  if (gain.pairs() == 0) return "what p gives is not known (--attr none,parted)";
  return faster_text("with p", gain);
}

// "2 threads 1.48x as fast as 1 thread (1.40 to 1.55)".
std::string thread_part(const ReportPivot& pivot, std::size_t column) {
  const std::vector<std::size_t> counts = pivot.threads(pivot.primary().dataset);
  if (counts.size() < 2) return "what threads give is not known (-s 1,all)";
  const ReportBlock fewest = pivot.primary().on(counts.front());
  const auto gain = times_as_long(pivot, {fewest, column}, {pivot.primary(), column});
  if (gain.pairs() == 0) return {};
  return faster_text(threads_text(pivot.primary().threads), gain,
                     " as " + threads_text(fewest.threads));
}

// "Gains (geometric means): in DRAM with p 1.72x as fast, ...".
std::string gain_line(const ReportPivot& pivot, std::size_t column) {
  const std::string index = index_part(pivot, column);
  const std::string threads = thread_part(pivot, column);
  if (index.empty() && threads.empty()) return {};
  return fmt::format("Gains (geometric means): in {} {}{}{}.", summary_label(pivot, column), index,
                     index.empty() || threads.empty() ? "" : ", ", threads);
}

std::string workspace_line(const ReportPivot& pivot) {
  const WorkspacePeak* most = nullptr;
  const WorkspacePeak* kdb = nullptr;
  const auto needs = workspace_needs(pivot);
  for (const WorkspaceNeed& need : needs) {
    if (need.block.dataset != pivot.primary().dataset) continue;
    if (most == nullptr || need.greatest().bytes > most->bytes) most = &need.greatest();
    const WorkspacePeak* const of_kdb = need.greatest_of_kdb();
    const bool is_more =
        of_kdb != nullptr && (kdb == nullptr || of_kdb->kdb->least_w_mib > kdb->kdb->least_w_mib);
    if (is_more) kdb = of_kdb;
  }
  if (most == nullptr) return {};
  const std::string own =
      fmt::format("Workspace: {} MiB of hdbench's own hold every query ({} most); ",
                  with_commas(whole_mib(most->bytes)), pivot.label(most->query));
  if (kdb == nullptr) return own + "kdb+'s -w counts other bytes.";
  return own + fmt::format("kdb+ {} would need -w {} ({} most; a model).", kdb->kdb->version,
                           kdb->kdb->least_w_mib, pivot.label(kdb->query));
}

// "; `report --format csv` has all 132 cells, 2 more columns", unless all are here.
std::string rest_text(const ReportPivot& pivot, const SummaryColumns& columns, std::size_t more) {
  const std::size_t cells = pivot.input().cells.size() + pivot.input().peers.size();
  std::size_t here = 0;
  for (const std::size_t query : pivot.queries()) {
    for (const std::size_t column : columns)
      here += pivot.cell(pivot.primary(), column, query) != nullptr ? 1 : 0;
  }
  if (cells <= here) return {};
  return fmt::format(
      "; `report --format csv` has all {} cells{}", with_commas(cells),
      more == 0 ? "" : fmt::format(", {} more column{}", more, more == 1 ? "" : "s"));
}

// The table and what it is of.
std::string table_part(const ReportPivot& pivot, const SummaryColumns& columns, std::size_t more,
                       const TextLook& look) {
  const auto line = [&](const std::string& one) { return folded(one, look.columns, "  "); };
  std::string text;
  for (const std::string& machine : pivot.input().machines) text += line(machine);
  const ReportDataset& dataset = pivot.input().datasets[pivot.primary().dataset];
  const ReportColumn& reference = pivot.column(columns.front());
  text += line(fmt::format("{}: {} rows in {} partitions; {}, {}", dataset.name,
                           with_commas(dataset.rows()), dataset.partitions,
                           block_text(pivot, pivot.primary()), word(reference.setting.layout)));
  TableMarks marks;
  for (const std::size_t column : columns) {
    if (pivot.column(column).emulated) marks.add(kEmulatedMark);
  }
  const std::string rows = summary_rows(pivot, columns, look, marks);
  const std::string legend = marks.legend();
  text += line(
      fmt::format("medians of {} in ms{}{}{}{}", repetitions_of(pivot, columns),
                  columns.size() < 2 ? "" : "; x: how many times as fast as " + reference.label,
                  legend.empty() ? "" : "; ", legend, rest_text(pivot, columns, more)));
  text += look.tinted(summary_head(pivot, columns), Tint::kStrong) + rows +
          look.tinted(summary_means(pivot, columns), Tint::kStrong);
  for (const std::string& reason : verdict_table(pivot, pivot.primary()).reasons)
    text += line("0N: " + reason);
  return text;
}

constexpr std::size_t kBarsMost = 6;
constexpr std::size_t kNameMost = 28;

struct TierBar {
  std::string name;
  std::string
      figure;  // "12.3x (10.1 to 15.0)"; "the same (0.98 to 1.03)"; "no difference shown (...)"
  Ratio times;
  bool is_emulated = false;
};

std::string times_figure(const Ratio& times) {
  if (times.is_different()) return ratio_with_interval(times);
  return fmt::format("{} ({})", times.is_same() ? "the same" : "no difference shown",
                     factors_text(*times.interval));
}

std::vector<TierBar> bars_of(const Headline& head) {
  std::vector<TierBar> bars;
  for (const TierCost& cost : head.tiers) {
    if (!cost.times) continue;
    bars.push_back({cost.name, times_figure(*cost.times), *cost.times, cost.is_emulated});
  }
  return bars;
}

// On a log scale from 1 to `most`: up to the interval's low end in the tier's own mark, then the
// interval.
std::string bar_text(const TierBar& bar, double most, std::size_t width) {
  const auto length = [&](double times) {
    if (times <= 1 || most <= 1) return std::size_t{0};
    const double share = std::min(1.0, std::log(times) / std::log(most));
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(width)));
  };
  const Interval& range = *bar.times.interval;
  const std::size_t low = length(range.low);
  return std::string(low, bar.is_emulated ? ':' : '#') + std::string(length(range.high) - low, '-');
}

std::string bars_text(const Headline& head, const TextLook& look) {
  std::vector<TierBar> bars = bars_of(head);
  if (bars.empty()) return {};
  const std::size_t more = bars.size() - std::min(bars.size(), kBarsMost);
  bars.resize(bars.size() - more);
  std::size_t names = 0;
  std::size_t figures = 0;
  double most = 1;
  for (const TierBar& bar : bars) figures = std::max(figures, bar.figure.size());
  constexpr std::size_t kLeast = 8;  // of a bar, and of the blanks around the columns
  constexpr std::size_t kBlanks = 6;
  for (TierBar& bar : bars) {
    bar.name =
        cut_to(bar.name, std::min(kNameMost, look.columns - figures - kLeast - kBlanks), "~");
    names = std::max(names, bar.name.size());
    most = std::max({most, bar.times.value, bar.times.interval->high});
  }
  const std::size_t width = look.columns - names - figures - kBlanks;
  std::string text = look.tinted(
      folded(
          fmt::format("Times as long as {} {} (log scale; # measured, : emulated, - 95 % interval)",
                      head.base == "DRAM" ? "in" : "on", head.base),
          look.columns, "  "),
      Tint::kStrong);
  for (const TierBar& bar : bars) {
    text +=
        fmt::format("  {:<{}}  {:<{}}  ", bar.name, names, bar.figure, figures) +
        look.tinted(bar_text(bar, most, width), bar.is_emulated ? Tint::kEmulated : Tint::kReal) +
        "\n";
  }
  if (more > 0) text += fmt::format("  and {} more, in the page\n", more);
  return text;
}

}  // namespace

std::string closing_screen(const ReportPivot& pivot, const TextLook& look) {
  const Headline head = headline(pivot);
  std::string text = look.tinted(folded(head.sentence, look.columns, "  "), Tint::kStrong);
  if (!head.emulated_sentence.empty()) text += folded(head.emulated_sentence, look.columns, "  ");
  if (head.is_partial) text += folded(head.basis, look.columns, "  ");
  text += bars_text(head, look);
  const auto caveats = gravest_caveats(pivot);
  if (caveats.empty()) return text;
  text += look.tinted("What to doubt\n", Tint::kStrong);
  for (const std::string& caveat : caveats)
    text += "  - " + folded(caveat, look.columns - 4, "    ");
  return text;
}

std::string doubts_strip(const ReportPivot& pivot, const TextLook& look) {
  const auto found = doubts(pivot);
  if (found.empty()) return {};
  std::string text = fmt::format("!! {} !!\n", kDoubtsTitle);
  for (const Doubt& doubt : found)
    text += "!! " + folded(doubt.what + " " + doubt.remedy, look.columns - 3, "!!   ");
  return look.tinted(text, Tint::kAlarm);
}

std::string summary_report(const ReportPivot& pivot, const TextLook& look) {
  SummaryColumns columns = summary_columns(pivot);
  const std::size_t shown = std::min(columns.size(), media_most(look));
  const std::size_t more = columns.size() - shown;
  columns.resize(shown);
  std::string text = doubts_strip(pivot, look) + table_part(pivot, columns, more, look) + "\n";
  const std::size_t memory = dram_of(pivot, columns).value_or(columns.back());
  std::vector<std::string> lines{gain_line(pivot, memory), workspace_line(pivot)};
  for (const SavedRun& run : pivot.input().runs) {
    for (const std::string& line : run.context.left_out) lines.push_back("Not run: " + line);
  }
  for (const std::string& line : lines) {
    if (!line.empty()) text += folded(line, look.columns, "  ");
  }
  const std::string users = users_part(pivot.input(), look);
  const std::string ranks = ranks_part(pivot.input(), look);
  return text + peer_text(pivot, look.columns) + (users.empty() ? "" : "\n" + users) +
         (ranks.empty() ? "" : "\n" + ranks) + "\n" + closing_screen(pivot, look);
}

}  // namespace hdbench::bench
