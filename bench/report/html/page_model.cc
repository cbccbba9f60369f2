#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/base/number_text.h"
#include "bench/report/answers/headline.h"
#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/limit_view.h"
#include "bench/report/views/thread_view.h"
#include "bench/report/views/users_view.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

using Json = nlohmann::ordered_json;

// A range wider than this is read on the log scale at first.
constexpr double kLogRange = 50;

// To five digits: what a chart can show.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10, 4 - std::floor(std::log10(std::fabs(value))));
  return std::round(value * unit) / unit;
}

Json columns_json(const ReportPivot& pivot) {
  Json list = Json::array();
  for (const ReportColumn& column : pivot.columns()) {
    list.push_back({{"label", column.label},
                    {"machine", column.machine},
                    {"family", tier_family(column.setting.medium)},
                    {"chips", chips_of(column)},
                    {"emulation", column.emulation}});
  }
  return list;
}

Json range_json(const Interval& interval) {
  return {rounded(interval.low), rounded(interval.high)};
}

// Null: not run.
Json bar_json(const ReportPivot& pivot, const ReportBlock& block, std::size_t column,
              std::size_t query, bool is_detailed) {
  const VerdictCell cell = verdict_cell(pivot, block, column, query);
  if (cell.cell == nullptr) return {};
  std::vector<std::string> lines = cell_lines(pivot, cell, column);
  constexpr std::size_t kShort = 4;
  if (!is_detailed && lines.size() > kShort) lines.resize(kShort);
  Json json = Json::object();
  json["ms"] = cell.ms ? Json(rounded(*cell.ms)) : Json();
  if (cell.interval) json["range"] = range_json(*cell.interval);
  if (cell.is_above_ceiling) json["above"] = true;
  json["lines"] = std::move(lines);
  return json;
}

Json labels_json(const ReportPivot& pivot, const std::vector<std::size_t>& queries) {
  Json labels = Json::array();
  for (const std::size_t query : queries) labels.push_back(pivot.label(query));
  return labels;
}

Json chart_json(const ReportPivot& pivot, const PaperChart& chart, const PageDetail& detail) {
  Json json = Json::object();
  json["id"] = fmt::format("chart-{}", chart.number);
  json["queries"] = labels_json(pivot, chart.queries);
  json["columns"] = chart.columns;
  Json notes = Json::array();
  for (const std::size_t column : chart.columns)
    notes.push_back(pivot.stands_in(*chart.block, column) ? "no p" : "");
  json["notes"] = std::move(notes);
  Json by_threads = Json::object();
  for (const std::size_t threads : detail.shown(chart.threads)) {
    const ReportBlock block = chart.block->on(threads);
    Json series = Json::array();
    for (const std::size_t column : chart.columns) {
      Json bars = Json::array();
      for (const std::size_t query : chart.queries)
        bars.push_back(bar_json(pivot, block, column, query, threads == chart.block->threads));
      series.push_back(std::move(bars));
    }
    by_threads[std::to_string(threads)] = std::move(series);
  }
  json["bars"] = std::move(by_threads);
  return json;
}

bool reads_better_on_log(const ReportPivot& pivot) {
  double least = 0;
  double most = 0;
  for (const ReportCell& cell : pivot.input().cells) {
    const auto ms = median_ms(cell.result);
    if (!ms || *ms <= 0) continue;
    least = least == 0 ? *ms : std::min(least, *ms);
    most = std::max(most, *ms);
  }
  return least > 0 && most / least > kLogRange;
}

// Points of the law's curve up to the greatest count that it rests on, close together.
Json law_json(const ScalingFit& fit) {
  constexpr std::size_t kSteps = 32;
  const std::size_t steps = std::min(kSteps, fit.most - 1);
  Json curve = Json::array();
  for (std::size_t i = 0; i <= steps; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(steps);
    const double threads = 1 + share * static_cast<double>(fit.most - 1);
    curve.push_back({rounded(threads), rounded(fit.speedup(threads))});
  }
  return curve;
}

Json thread_line_json(const ReportPivot& pivot, const ThreadLine& line) {
  Json points = Json::array();
  for (const ThreadPoint& point : line.points) {
    if (!point.ms || !point.speedup) {
      points.push_back(nullptr);
      continue;
    }
    Json json{{"x", rounded(point.speedup->value)},
              {"line", fmt::format("{} ms, {}, {:.0f} % efficiency", format_ms(*point.ms),
                                   ratio_with_interval(*point.speedup), point.efficiency_percent)}};
    if (point.speedup->interval) json["range"] = range_json(*point.speedup->interval);
    points.push_back(std::move(json));
  }
  Json json{{"query", pivot.label(line.query)}, {"points", std::move(points)}};
  if (line.fit) json["law"] = law_json(*line.fit);
  return json;
}

// A setting of the other axes, with a series a column: { label, series: [{ column, threads, lines
// }]
// }.
Json threads_json(const ReportPivot& pivot, const PageDetail& detail) {
  Json settings = Json::array();
  for (const ThreadGroup& group : thread_groups(pivot)) {
    if (!detail.is_every_setting && group.block.attr != pivot.primary().attr) continue;
    Json lines = Json::array();
    for (const ThreadLine& line : group.lines) lines.push_back(thread_line_json(pivot, line));
    const std::string label = axes_text(pivot, group.block);
    auto setting = std::find_if(settings.begin(), settings.end(),
                                [&](const Json& one) { return one["label"] == label; });
    if (setting == settings.end()) {
      settings.push_back({{"label", label}, {"series", Json::array()}});
      setting = settings.end() - 1;
    }
    (*setting)["series"].push_back(
        {{"column", group.column}, {"threads", group.threads}, {"lines", std::move(lines)}});
  }
  return settings;
}

// Of the answers' attribute and most threads, a series a layout and mode.
Json limit_json(const ReportPivot& pivot) {
  Json series = Json::array();
  std::set<std::uint64_t> limits;
  for (const WorkspaceNeed& need : workspace_needs(pivot)) {
    ReportBlock block = pivot.primary();
    block.mode = need.block.mode;
    if (!(block == need.block)) continue;
    Json peaks = Json::array();
    for (const std::size_t query : pivot.queries()) {
      const auto peak = need.peak_of(query);
      peaks.push_back(peak ? Json(rounded(static_cast<double>(*peak) / (1 << 20))) : Json());
    }
    for (const LimitOutcome& outcome : limit_outcomes(pivot, need))
      limits.insert(outcome.limit_mib);
    series.push_back(
        {{"label", fmt::format("{}, mode {}, {}", word(need.layout), word(need.block.mode),
                               threads_text(need.block.threads))},
         {"layout", word(need.layout)},
         {"mode", word(need.block.mode)},
         {"peaks", std::move(peaks)}});
  }
  return {{"queries", labels_json(pivot, pivot.queries())},
          {"series", std::move(series)},
          {"limits", limits}};
}

Json tier_json(const ReportPivot& pivot, const TierCost& cost) {
  Json queries = Json::array();
  for (const auto& [query, ratio] : cost.pairs.queries)
    queries.push_back({{"query", pivot.label(query)}, {"x", rounded(ratio.value)}});
  Json json{{"column", cost.column},
            {"name", cost.name},
            {"x", cost.times ? Json(rounded(cost.times->value)) : Json()},
            {"line", cost_text(cost)},
            {"queries", std::move(queries)}};
  if (cost.times) json["range"] = range_json(*cost.times->interval);
  return json;
}

Json tiers_json(const ReportPivot& pivot) {
  const Headline head = headline(pivot);
  Json tiers = Json::array();
  for (const TierCost& cost : head.tiers) tiers.push_back(tier_json(pivot, cost));
  return {{"base", head.base}, {"tiers", std::move(tiers)}};
}

Json roofline_json(const ReportPivot& pivot) {
  Json points = Json::array();
  for (const RooflinePoint& point : roofline_points(pivot)) {
    const CellResult& result = point.cell->result;
    const std::string share = point.ceiling.ok() ? share_text(*point.ceiling)
                                                 : "no ceiling: " + point.ceiling.error().message;
    points.push_back(
        {{"column", point.column},
         {"query", pivot.label(point.query)},
         {"bytes", rounded(static_cast<double>(result.bytes_read + result.bytes_written))},
         {"gb_s", rounded(point.gb_s)},
         {"above", point.ceiling.ok() && point.ceiling->above()},
         {"lines",
          {fmt::format("{} read, {} written in {} ms: {:.2f} GB/s", bytes_text(result.bytes_read),
                       bytes_text(result.bytes_written), format_ms(*median_ms(result)), point.gb_s),
           share}}});
  }
  Json ceilings = Json::array();
  for (const auto& [label, gb_s] : roofline_ceilings(pivot))
    ceilings.push_back({{"label", label}, {"gb_s", rounded(gb_s)}});
  return {{"points", std::move(points)}, {"ceilings", std::move(ceilings)}};
}

Json users_json(const ReportPivot& pivot) {
  Json lines = Json::array();
  for (const UsersLine& line : users_lines(pivot.input())) {
    Json closed = Json::array();
    Json open = Json::array();
    for (const UsersCell* cell : line.cells) {
      if (!cell->p50) continue;
      Json& points = cell->users != 0 ? closed : open;
      const auto ms = [](const std::optional<LatencyFigure>& figure) {
        return figure ? Json(rounded(figure->ms)) : Json();
      };
      points.push_back(
          {{"per_s", rounded(cell->per_s)},
           {"p50", ms(cell->p50)},
           {"p99", ms(cell->p99)},
           {"lines",
            {fmt::format("{}: {:.4g} answers/s", users_text(*cell), cell->per_s),
             fmt::format("p50 {} ms, max {} ms", format_ms(cell->p50->ms), format_ms(cell->max_ms)),
             fmt::format("queued {} ms, {:.2f} CPUs", format_ms(cell->queued_ms), cell->cpus)}}});
    }
    if (!closed.empty()) lines.push_back({{"label", line.label}, {"points", std::move(closed)}});
    if (!open.empty())
      lines.push_back({{"label", line.label + ", arrivals"}, {"points", std::move(open)}});
  }
  return lines;
}

}  // namespace

std::string page_model(const ReportPivot& pivot, const std::vector<PaperChart>& charts,
                       const PageDetail& detail) {
  Json json = Json::object();
  json["columns"] = columns_json(pivot);
  json["machines"] = pivot.input().machines;
  json["log"] = reads_better_on_log(pivot);
  json["charts"] = Json::array();
  for (const PaperChart& chart : charts) {
    if (chart.missing.empty()) json["charts"].push_back(chart_json(pivot, chart, detail));
  }
  json["tiers"] = tiers_json(pivot);
  json["threads"] = threads_json(pivot, detail);
  json["limit"] = limit_json(pivot);
  json["roofline"] = roofline_json(pivot);
  json["users"] = users_json(pivot);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace hdbench::bench
