// Advice, predictions and device profiles. Each canvas carries its own chart (forecasts.js).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

using ChartData = nlohmann::ordered_json;
using CurvePoints = std::vector<std::pair<double, double>>;

std::string numbered_id(const char* name, std::size_t number) {
  return number == 1 ? std::string(name) : fmt::format("{}-{}", name, number);
}

// A figure and its per cent sign are not parted.
std::string sentence_html(const std::string& sentence) {
  std::string html = html_escaped(sentence);
  for (std::size_t at = 0; (at = html.find(" %", at)) != html.npos;) html.replace(at, 1, "&nbsp;");
  return html;
}

std::string data_canvas(const std::string& id, const std::string& label, const ChartData& data) {
  const std::string json = data.dump(-1, ' ', false, ChartData::error_handler_t::replace);
  return html_canvas(id, label, fmt::format(" data-chart=\"{}\"", html_escaped(json)));
}

std::string folded_table(const ViewTable& table) {
  return html_figures(to_html(html_table(table)));
}

ChartData chart_line(const std::string& label, const CurvePoints& points) {
  return {{"label", label}, {"points", points}};
}

ChartData frontier_chart(const Advice& advice) {
  CurvePoints points;
  for (const FrontierPoint& point : advice.frontier)
    points.emplace_back(point.price, 100 * point.slowdown);
  ChartData chosen = chart_line("advised", {{advice.price, 100 * advice.slowdown}});
  ChartData dram = chart_line("all in DRAM", {{advice.dram_price, 0}});
  chosen["mark"] = 7;
  dram["mark"] = 6;
  ChartData rules = ChartData::array();
  if (advice.asked.slowdown) {
    rules.push_back({{"value", 100 * *advice.asked.slowdown},
                     {"label", fmt::format("asked: {:.3g} %", 100 * *advice.asked.slowdown)}});
  }
  return {{"kind", "points"},
          {"x", "price"},
          {"y", "% slower"},
          {"rules", std::move(rules)},
          {"lines", {chart_line("frontier", points), std::move(chosen), std::move(dram)}}};
}

// Bars of one query's media in multiples of what it takes on the first, so that short and long
// queries can be read in one chart.
ChartData parts_chart(const Prediction& prediction, std::size_t from, std::size_t to) {
  using Part = std::pair<const char*, double PredictedTime::*>;
  constexpr Part kParts[] = {{"work", &PredictedTime::work_ms},
                             {"bandwidth", &PredictedTime::bandwidth_ms},
                             {"latency", &PredictedTime::latency_ms},
                             {"waiting", &PredictedTime::waiting_ms}};
  ChartData labels = ChartData::array();
  ChartData tips = ChartData::array();
  ChartData parts = ChartData::array();
  for (const auto& [name, member] : kParts)
    parts.push_back({{"label", name}, {"values", ChartData::array()}});
  for (std::size_t q = from; q < to; ++q) {
    const PredictedQuery& query = prediction.queries[q];
    if (q != from) {  // room between queries
      labels.push_back("");
      tips.push_back("");
      for (ChartData& part : parts) part["values"].push_back(nullptr);
    }
    for (std::size_t m = 0; m < query.on.size(); ++m) {
      const PredictedTime& time = query.on[m];
      const std::string name = query_label(query.query);
      labels.push_back((m == 0 ? name + " " : "") + short_medium(time.medium));
      tips.push_back(fmt::format("{} on {}: {:.4g} ms", name, time.medium, time.ms));
      const double whole = query.on.front().ms;
      for (std::size_t p = 0; p < std::size(kParts); ++p) {
        const double ms = time.*kParts[p].second;
        parts[p]["values"].push_back(whole > 0 ? ms / whole : 0);
      }
    }
  }
  return {{"kind", "stack"},
          {"unit", fmt::format("times as long as on {}", short_medium(prediction.media.front()))},
          {"labels", std::move(labels)},
          {"tips", std::move(tips)},
          {"parts", std::move(parts)}};
}

std::string parts_figures(const Prediction& prediction, std::size_t number) {
  constexpr std::size_t kAtOnce = 12;
  const std::size_t all = prediction.queries.size();
  const auto canvas = [&](std::size_t from, std::size_t to) {
    return data_canvas(fmt::format("parts-{}-{}", number, from),
                       "Parts of each query's time by medium.", parts_chart(prediction, from, to));
  };
  std::string html = canvas(0, std::min(all, kAtOnce));
  for (std::size_t from = kAtOnce; from < all; from += kAtOnce) {
    const std::size_t to = std::min(all, from + kAtOnce);
    html +=
        html_details(fmt::format("Queries {} to {} of {}", from + 1, to, all), canvas(from, to));
  }
  return html;
}

// The device's name where the curve is its only one in this chart.
std::string curve_label(const DeviceCurves& curves, const std::vector<DeviceCurve>& of,
                        const DeviceCurve& curve) {
  const auto own = std::ranges::count(of, curve.device, &DeviceCurve::device);
  const std::string& device = curves.devices[curve.device];
  return own == 1 ? device : device + ": " + curve.what;
}

struct CurveFigure {
  const char* id;
  const char* title;
  const char* about;
  const char* x;
  const char* y;
  const char* units;  // of the table's points
  double x_least;     // of lines that are the same for any x: from here, at least to x_most
  double x_most;
};

std::string curve_figure(const DeviceCurves& curves, const std::vector<DeviceCurve>& of,
                         const CurveFigure& figure) {
  if (of.empty()) return {};
  double most = figure.x_most;
  for (const DeviceCurve& curve : of) most = std::max(most, curve.points.back().first);
  ChartData lines = ChartData::array();
  std::vector<std::string> sources;
  std::vector<std::size_t> ranks(curves.devices.size());
  for (const DeviceCurve& curve : of) {
    CurvePoints points = curve.points;
    if (points.size() == 1 && figure.x_least > 0)
      points = {{figure.x_least, points[0].second}, {most, points[0].second}};
    ChartData line = chart_line(curve_label(curves, of, curve), points);
    line["colour"] = curve.device;
    line["dash"] = ranks[curve.device]++;
    lines.push_back(std::move(line));
    const std::string source = curves.devices[curve.device] + ": " + curve.source;
    if (std::ranges::count(sources, source) == 0) sources.push_back(source);
  }
  ChartData data = {{"kind", "points"}, {"x", figure.x}, {"y", figure.y}, {"lines", lines}};
  if (figure.x_most > 0) data["x_most"] = most;
  return fmt::format("<figure class=\"chart\">\n<figcaption><b>{}</b>{}</figcaption>\n",
                     figure.title, figure.about) +
         data_canvas(figure.id, std::string(figure.title) + ".", data) +
         folded_table(curve_table(curves, of, figure.title, figure.units)) +
         html_details("Sources", html_list(sources), " class=\"sources\" open") + "</figure>\n";
}

}  // namespace

std::string advice_sections(const Advice& advice, std::size_t number) {
  std::string html = fmt::format(
      "<section id=\"{}\">\n<h2 class=\"away\">The advice</h2>\n<p class=\"headline\">{}</p>\n"
      "<div class=\"first even\">\n<figure class=\"chart\">\n<figcaption><b>What less time costs"
      "</b></figcaption>\n",
      numbered_id("advice", number), sentence_html(advice_sentence(advice)));
  html += data_canvas(fmt::format("frontier-{}", number),
                      "Price against slowdown of the best placements, and the advised one.",
                      frontier_chart(advice)) +
          folded_table(frontier_table(advice)) + "</figure>\n<div class=\"placement\">\n" +
          to_html(html_table(placement_table(advice))) + "</div>\n</div>\n" + kNoScript;
  html += fmt::format(
      "<p class=\"note\">{} The frontier is as the integer programme reckons it; the advised "
      "placement is replayed. Prices are of the tiers' file, in its currency. File: {}.</p>\n"
      "<p>To run it:</p>\n<pre tabindex=\"0\">{}</pre>\n</section>\n",
      html_escaped(advice_question(advice)), html_escaped(advice.file),
      html_escaped(advice_flags(advice)));
  html +=
      fmt::format("<section id=\"{}\">\n<h2>Each query</h2>\n", numbered_id("advised", number)) +
      to_html(html_table(advised_queries_table(advice))) + "</section>\n";
  return html +
         fmt::format("<section id=\"{}\">\n<h2>The tiers</h2>\n", numbered_id("tiers", number)) +
         to_html(html_table(tiers_table(advice))) + "</section>\n";
}

std::string prediction_sections(const Prediction& prediction, std::size_t number) {
  std::string html = fmt::format(
      "<section id=\"{}\">\n<h2 class=\"away\">The prediction</h2>\n<p class=\"headline\">{}</p>\n"
      "<div class=\"first even\">\n<div class=\"times\">\n",
      numbered_id("prediction", number), sentence_html(prediction_sentence(prediction)));
  html += to_html(html_table(predicted_times_table(prediction))) +
          "</div>\n<figure class=\"chart\">\n<figcaption><b>What the time is made of</b>, in "
          "multiples of each query's time on the first medium</figcaption>\n" +
          parts_figures(prediction, number) + "</figure>\n</div>\n" + kNoScript;
  html += fmt::format("<p class=\"note\">{} File: {}.</p>\n</section>\n",
                      html_escaped(prediction_question(prediction)), html_escaped(prediction.file));
  html += fmt::format(
      "<section id=\"{}\">\n<h2>The parts</h2>\n<p>Work is a core's own, bandwidth and latency are "
      "waits for bytes and for single accesses, waiting is that of threads for others.</p>\n",
      numbered_id("parts", number));
  html += html_details("The figures as a table",
                       to_html(html_table(predicted_parts_table(prediction))));
  if (!prediction.extrapolated.empty())
    html += "<h3>Extrapolated: not measured</h3>\n" + html_list(prediction.extrapolated);
  return html + "</section>\n";
}

std::string curves_section(const DeviceCurves& curves, const std::vector<std::string>& missing) {
  if (curves.devices.empty() && missing.empty()) return {};
  std::string html = "<section id=\"curves\">\n<h2>Devices</h2>\n";
  std::vector<std::string> abouts;
  for (std::size_t i = 0; i < curves.devices.size(); ++i)
    abouts.push_back(curves.devices[i] + ": " + curves.abouts[i]);
  html += html_list(abouts);
  if (!missing.empty()) html += "<div class=\"missing\">" + html_list(missing) + "</div>\n";
  html += kNoScript + std::string("<div class=\"charts\">\n");
  html += curve_figure(
      curves, curves.latency,
      {"curve-latency", "Latency by load", ": a read at random while the device moves so much",
       "GB/s", "ns", "ns at GB/s", 0, 0});
  html += curve_figure(
      curves, curves.threads,
      {"curve-threads", "Bandwidth by threads", "", "threads", "GB/s", "GB/s at threads", 1, 8});
  html += curve_figure(curves, curves.mix,
                       {"curve-mix", "Bandwidth by share of reads", "", "% of the bytes read",
                        "GB/s", "GB/s at % reads", 0, 100});
  html += "</div>\n";
  return html + "</section>\n";
}

}  // namespace hdbench::bench
