#include "bench/report/html/html_page.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/base/version.h"
#include "bench/report/answers/quality.h"
#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/report/page/page_files.h"
#include "bench/report/published/published.h"
#include "bench/report/views/figure_text.h"
#include "engine/base/check.h"

namespace hdbench::bench {
namespace {

using Parts = std::map<std::string_view, std::string>;

// The template with every {{NAME}} replaced, once through: what is put in is not looked at again.
std::string filled(std::string_view text, const Parts& parts) {
  std::string out;
  while (true) {
    const std::size_t begin = text.find("{{");
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    const std::size_t end = text.find("}}", begin);
    HDB_CHECK(end != std::string_view::npos, "the page's template has a {{ without a }}");
    const auto part = parts.find(text.substr(begin + 2, end - begin - 2));
    HDB_CHECK(part != parts.end(), "the page's template names a part that there is not");
    out += part->second;
    text.remove_prefix(end + 2);
  }
}

std::string subtitle(const ReportPivot& pivot) {
  std::vector<std::string> datasets;
  for (const ReportDataset& dataset : pivot.input().datasets) {
    datasets.push_back(fmt::format("{} ({} rows, {} partitions)", dataset.name,
                                   with_commas(dataset.rows()), dataset.partitions));
  }
  std::string html = fmt::format("<p class=\"lead\">{}</p>\n", html_escaped(listed(datasets)));
  for (std::size_t i = 0; i < pivot.input().machines.size(); ++i) {
    const std::string name =
        pivot.input().machines.size() > 1 ? fmt::format("Machine {}: ", i + 1) : "";
    html += fmt::format("<p class=\"machine\">{}</p>\n",
                        html_escaped(name + pivot.input().machines[i]));
  }
  return html;
}

// The quality gate's strip, which is above everything; empty where the figures pass it.
std::string doubts_html(const ReportPivot& pivot) {
  const auto found = doubts(pivot);
  if (found.empty()) return {};
  std::string html =
      fmt::format("<div class=\"warning doubts\" role=\"note\"><strong>{}.</strong>", kDoubtsTitle);
  for (const Doubt& doubt : found) html += " " + html_escaped(doubt.what + " " + doubt.remedy);
  return html + "</div>\n";
}

std::string warnings(const ReportPivot& pivot, const PageDetail& detail) {
  std::vector<std::string> lines;
  for (const std::string& conflict : pivot.input().conflicts)
    lines.push_back(fmt::format("Results differ between files: {}.", conflict));
  for (const SavedRun& run : pivot.input().runs) {
    if (!run.context.complete) lines.push_back(run.file + ": the run ended before its last cell.");
  }
  if (detail.thread_counts_max != 0) {
    lines.push_back(fmt::format(
        "Of the thread counts at most {} are shown in charts and verdict tables, so that this file "
        "stays below 3 MB; --format csv has every cell.",
        detail.thread_counts_max));
  }
  std::string strip = doubts_html(pivot);
  if (lines.empty()) return strip;
  return strip + "<div class=\"warning\" role=\"note\">\n" + html_list(lines) + "</div>\n";
}

struct Page {
  std::string heading;
  std::string names;  // of what it is about, for the title
  std::string subtitle;
  std::string warnings;
  std::string body;
  std::string model;  // of its charts
};

// Links to the sections that there are.
std::string links_to(const std::string& body) {
  constexpr const char* kSections[][2] = {
      {"headline", "In short"}, {"machines", "Machines"},   {"verdict", "Verdict"},
      {"answers", "Answers"},   {"charts", "Charts"},       {"threads", "Threads"},
      {"limit", "Limit"},       {"users", "Users"},         {"ranks", "Ranks"},
      {"roofline", "Ceiling"},  {"peers", "Other engines"}, {"published", "Published"},
      {"io", "Storage"},        {"context", "Reproduce"},   {"advice", "Advice"},
      {"advised", "Queries"},   {"tiers", "Tiers"},         {"prediction", "Prediction"},
      {"parts", "Parts"},       {"curves", "Devices"}};
  std::string html;
  for (const auto& [id, name] : kSections) {
    if (body.find(fmt::format("<section id=\"{}\">", id)) == std::string::npos) continue;
    html += fmt::format("<a href=\"#{}\">{}</a>\n", id, name);
  }
  return html;
}

std::string whole_page(const Page& page) {
  return filled(page_template(),
                {{"title", html_escaped(page.heading + ": " + page.names)},
                 {"heading", html_escaped(page.heading)},
                 {"css", std::string(page_css())},
                 {"subtitle", page.subtitle},
                 {"links", links_to(page.body)},
                 {"warnings", page.warnings},
                 {"body", page.body},
                 {"version", html_escaped(fmt::format("hdbench {} ({})", version(), commit()))},
                 {"words", html_words()},
                 {"licence", html_escaped(chart_library_licence())},
                 {"model", script_safe(page.model)},
                 {"library", std::string(chart_library())},
                 {"js", std::string(page_js())}});
}

std::string page_of(const ReportPivot& pivot, const PageDetail& detail,
                    const std::string& io_html) {
  const bool is_study = has_study_queries(pivot);
  const std::vector<PaperChart> charts = is_study ? paper_charts(pivot) : own_charts(pivot);
  std::vector<std::string> names;
  for (const ReportDataset& dataset : pivot.input().datasets) names.push_back(dataset.name);
  return whole_page(
      {"What each memory tier is worth", listed(names), subtitle(pivot), warnings(pivot, detail),
       headline_section(pivot) + machines_section(pivot) + verdict_section(pivot, detail) +
           answers_section(pivot) + charts_section(pivot, charts, detail) +
           threads_section(pivot, detail) + limit_section(pivot, detail) + users_section(pivot) +
           ranks_section(pivot) + roofline_section(pivot) + peers_section(pivot) +
           (is_study ? published_section(pivot) : "") + io_html + context_section(pivot),
       page_model(pivot, charts, detail)});
}

}  // namespace

std::string html_page(const ReportPivot& pivot, const std::vector<SavedIo>& io) {
  const std::string io_html = io_section(io);
  constexpr std::array kDetails{PageDetail{0, true}, PageDetail{4, true}, PageDetail{4, false},
                                PageDetail{2, false}};
  std::string page;
  for (const PageDetail& detail : kDetails) {
    page = page_of(pivot, detail, io_html);
    if (page.size() < kPageBytesMax) break;
  }
  return page;
}

std::string io_page(const std::vector<SavedIo>& io) {
  std::vector<std::string> machines;
  for (const SavedIo& one : io) add_once(machines, one.machine);
  return whole_page({"What this storage gives a historical database", listed(machines), "", "",
                     io_section(io), "null"});
}

std::string forecast_page(const Forecasts& forecasts) {
  std::string body;
  std::vector<std::string> names;
  std::size_t number = 0;
  for (const Advice& advice : forecasts.advice) {
    body += advice_sections(advice, ++number);
    add_once(names, advice.setting.database);
  }
  for (const Prediction& prediction : forecasts.predictions) {
    body += prediction_sections(prediction, ++number);
    add_once(names, prediction.setting.database);
  }
  std::vector<std::string> missing;
  const DeviceCurves curves = device_curves(forecasts.all_profiles(missing));
  if (names.empty()) names = curves.devices;
  body += curves_section(curves, missing);
  const char* const heading = !forecasts.advice.empty()        ? "Where each column goes"
                              : !forecasts.predictions.empty() ? "Predicted times"
                                                               : "What each device gives";
  return whole_page({heading, listed(names), "", "", std::move(body), "null"});
}

}  // namespace hdbench::bench
