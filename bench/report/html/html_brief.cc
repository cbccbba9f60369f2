#include "bench/report/html/html_brief.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/base/version.h"
#include "bench/report/answers/answers.h"
#include "bench/report/answers/headline.h"
#include "bench/report/answers/quality.h"
#include "bench/report/html/html_text.h"
#include "bench/report/page/page_files.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/paper_charts.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

// What the sheet holds.
constexpr std::size_t kTiersMost = 8;
constexpr std::size_t kTableTiersMost = 5;
constexpr std::size_t kQueriesMost = 16;
constexpr std::size_t kQueryTextMost = 64;
constexpr std::size_t kCommandMost = 600;

struct BriefTier {
  const TierCost* cost;
  bool is_emulated;
};

// Real ones first, as many as the chart holds.
std::vector<BriefTier> brief_tiers(const Headline& head) {
  std::vector<BriefTier> tiers;
  for (const TierCost& cost : head.tiers) tiers.push_back({&cost, cost.is_emulated});
  std::erase_if(tiers, [](const BriefTier& tier) { return !tier.cost->times; });
  return tiers;
}

std::string brief_more(std::size_t all, std::size_t shown, const char* what) {
  if (all <= shown) return {};
  return fmt::format("<p class=\"soft\">{} more {} in the long page.</p>\n", all - shown, what);
}

// The chart's axis: from the decade below the least figure to the one above the greatest, in
// places of the picture.
class LogAxis {
 public:
  static constexpr double kLeft = 180;
  static constexpr double kRight = 510;

  explicit LogAxis(const std::vector<BriefTier>& tiers) {
    double least = 1;
    double most = 1;
    for (const BriefTier& tier : tiers) {
      const Interval& range = *tier.cost->times->interval;
      least = std::min(least, range.low);
      most = std::max(most, range.high);
    }
    low_ = step_below(std::log10(least * 0.98));
    high_ = std::max(low_ + 0.3, step_above(std::log10(most * 1.02)));
  }

  double at(double times) const {
    return kLeft + (std::log10(times) - low_) / (high_ - low_) * (kRight - kLeft);
  }
  // 1, 2, 5 of each decade; 1 alone where there are many.
  std::vector<double> ticks() const {
    std::vector<double> ticks;
    for (int decade = static_cast<int>(std::floor(low_)); decade <= high_ + 1e-9; ++decade) {
      for (const double step : {1.0, 2.0, 5.0}) {
        const double tick = step * std::pow(10, decade);
        const bool is_shown = high_ - low_ < 2.5 || step == 1.0;
        const double place = std::log10(tick);
        if (is_shown && place >= low_ - 1e-9 && place <= high_ + 1e-9) ticks.push_back(tick);
      }
    }
    return ticks;
  }

 private:
  static double step_below(double place) {
    const double decade = std::floor(place);
    for (const double step : {5.0, 2.0}) {
      if (decade + std::log10(step) <= place) return decade + std::log10(step);
    }
    return decade;
  }
  static double step_above(double place) { return -step_below(-place); }

  double low_ = 0;
  double high_ = 1;
};

std::string brief_mark(const LogAxis& axis, const BriefTier& tier, double y) {
  const Ratio& times = *tier.cost->times;
  const char* const colour = tier.is_emulated ? "#8a5a00" : "#0b57a4";
  std::string svg = fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>", LogAxis::kLeft - 8, y + 3,
      html_escaped(cut_to(tier.cost->name, 38, "~") + (tier.is_emulated ? " *" : "")));
  svg += fmt::format(
      "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>",
      axis.at(times.interval->low), axis.at(times.interval->high), y, y, colour);
  svg += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{}\" r=\"4\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.8\"/>",
      axis.at(times.value), y, tier.is_emulated ? "#fff" : colour, colour);
  return svg + fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", LogAxis::kRight + 10,
                           y + 3, html_escaped(cost_text(*tier.cost)));
}

std::string brief_svg(const std::vector<BriefTier>& tiers, const std::string& base) {
  constexpr double kRow = 17;
  constexpr double kTop = 6;
  const LogAxis axis(tiers);
  const double bottom = kTop + kRow * static_cast<double>(tiers.size());
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 700 {:.0f}\" role=\"img\" aria-label=\"Times as long as {}, by tier, on "
      "a log axis; the figures are beside the marks\">\n",
      bottom + 18, html_escaped(base));
  for (const double tick : axis.ticks()) {
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"{3}\"/>"
        "<text x=\"{0:.1f}\" y=\"{4}\" text-anchor=\"middle\">{5:g}x</text>\n",
        axis.at(tick), kTop, bottom, tick == 1 ? "#14181f" : "#d5d9e0", bottom + 12, tick);
  }
  double y = kTop + kRow / 2;
  for (const BriefTier& tier : tiers) {
    svg += brief_mark(axis, tier, y);
    y += kRow;
  }
  return svg + "</svg>\n";
}

std::string brief_chart(const Headline& head) {
  std::vector<BriefTier> tiers = brief_tiers(head);
  if (tiers.empty()) return {};
  const std::size_t all = tiers.size();
  tiers.resize(std::min(all, kTiersMost));
  return fmt::format("<h2>Times as long as {} (geometric means, 95 % intervals, log axis{})</h2>\n",
                     html_escaped((head.base == "DRAM" ? "in " : "on ") + head.base),
                     head.emulated_sentence.empty() ? "" : "; hollow, *: emulated") +
         brief_svg(tiers, head.base) + brief_more(all, tiers.size(), "tiers are");
}

// "12.34  1.50x": ms, and times of the base's where the pair is in the mean, and the cell's mark.
std::string brief_figure(const ReportPivot& pivot, std::size_t column, std::size_t query,
                         const PairMean& pairs, TableMarks& marks) {
  VerdictCell cell = verdict_cell(pivot, pivot.primary(), column, query);
  if (cell.cell == nullptr) return "<td></td>";
  if (!cell.ms) return "<td>0N</td>";
  cell.gain.reset();
  for (const auto& [of, times] : pairs.queries) {
    if (of == query) cell.gain = times;
  }
  const char mark = marks.of(cell);
  return fmt::format("<td{}>{}{}{}</td>", mark == kAboveMark ? " class=\"above\"" : "",
                     format_ms(*cell.ms),
                     cell.gain ? "&nbsp; " + format_ratio(cell.gain->value) : "",
                     mark == ' ' ? "" : fmt::format(" {}", mark));
}

std::string brief_means(const std::vector<BriefTier>& tiers) {
  std::string html = "<tfoot><tr><th>geometric mean</th><td></td>";
  for (const BriefTier& tier : tiers)
    html += fmt::format("<td>{}</td>", format_ratio(tier.cost->times->value));
  return html + "</tr></tfoot>\n";
}

std::string brief_table(const ReportPivot& pivot, const Headline& head) {
  std::vector<BriefTier> tiers = brief_tiers(head);
  const std::size_t all = tiers.size();
  tiers.resize(std::min(all, kTableTiersMost));
  const std::size_t base =
      tiers.empty() ? pivot.columns_of(pivot.primary()).front() : tiers.front().cost->base;
  std::string html = fmt::format(
      "<h2>Medians in ms, and times as long as {} ({})</h2>\n<table>\n<thead><tr><th>query</th>"
      "<th>{}</th>",
      html_escaped(head.base), html_escaped(block_text(pivot, pivot.primary())),
      html_escaped(head.base));
  for (const BriefTier& tier : tiers) {
    html += fmt::format("<th{}>{}{}</th>", tier.is_emulated ? " class=\"emulated\"" : "",
                        html_escaped(tier.cost->name), tier.is_emulated ? " *" : "");
  }
  html += "</tr></thead>\n<tbody>\n";
  TableMarks marks;
  const std::size_t rows = std::min(pivot.queries().size(), kQueriesMost);
  for (std::size_t i = 0; i < rows; ++i) {
    const ReportQuery& query = pivot.input().queries[pivot.queries()[i]];
    html += fmt::format("<tr><th>{} <code>{}</code></th>{}", html_escaped(query.label),
                        html_escaped(cut_to(query.text, kQueryTextMost, "...")),
                        brief_figure(pivot, base, pivot.queries()[i], {}, marks));
    for (const BriefTier& tier : tiers)
      html += brief_figure(pivot, tier.cost->column, pivot.queries()[i], tier.cost->pairs, marks);
    html += "</tr>\n";
  }
  html += "</tbody>\n" + (tiers.empty() ? "" : brief_means(tiers)) + "</table>\n";
  return html + brief_more(pivot.queries().size(), rows, "queries are") +
         brief_more(all, tiers.size(), "tiers are") +
         (marks.legend().empty()
              ? ""
              : fmt::format("<p class=\"soft\">{}.</p>\n", html_escaped(marks.legend())));
}

std::string brief_command(const ReportPivot& pivot) {
  std::string html = "<h2>How to get these figures again</h2>\n<pre>";
  for (const SavedRun& run : pivot.input().runs) {
    std::string command = run.context.command;
    if (command.size() > kCommandMost) command = command.substr(0, kCommandMost) + " ...";
    html += html_escaped(command) + "\n";
  }
  return html + "</pre>\n";
}

}  // namespace

std::string doubts_html(const ReportPivot& pivot) {
  const auto found = doubts(pivot);
  if (found.empty()) return {};
  std::string html =
      fmt::format("<div class=\"warning doubts\" role=\"note\"><strong>{}.</strong>", kDoubtsTitle);
  for (const Doubt& doubt : found) html += " " + html_escaped(doubt.what + " " + doubt.remedy);
  return html + "</div>\n";
}

std::string brief_page(const ReportPivot& pivot) {
  const Headline head = headline(pivot);
  const ReportDataset& dataset = pivot.input().datasets[pivot.primary().dataset];
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>What each memory tier costs: {0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n"
      "<h1>What each memory tier costs: {0}</h1>\n",
      html_escaped(dataset.name), page_brief_css());
  for (const std::string& machine : pivot.input().machines)
    html += fmt::format("<p class=\"soft\">{}</p>\n", html_escaped(machine));
  html += fmt::format("<p class=\"soft\">{} rows in {} partitions. {}</p>\n",
                      with_commas(dataset.rows()), dataset.partitions,
                      dataset.columns.empty() ? "" : html_escaped(column_answer(pivot).summary));
  html += doubts_html(pivot);
  html += fmt::format("<p class=\"head\">{}</p>\n", html_escaped(head.sentence));
  if (!head.emulated_sentence.empty())
    html += fmt::format("<p>{}</p>\n", html_escaped(head.emulated_sentence));
  if (head.is_partial) html += fmt::format("<p class=\"soft\">{}</p>\n", html_escaped(head.basis));
  html += brief_chart(head) + brief_table(pivot, head);
  const auto caveats = gravest_caveats(pivot);
  if (!caveats.empty()) html += "<h2>What to doubt</h2>\n" + html_list(caveats);
  return html + brief_command(pivot) +
         fmt::format("<p class=\"soft\">hdbench {} ({})</p>\n</body>\n</html>\n",
                     html_escaped(version()), html_escaped(commit()));
}

}  // namespace hdbench::bench
