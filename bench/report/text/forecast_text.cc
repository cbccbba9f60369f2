// Advice, predictions and device profiles as text.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <sstream>

#include "bench/base/lines.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/device_curves.h"

namespace hdbench::bench {
namespace {

// One text of paragraphs, tables and lists, in either form.
struct ForecastForm {
  std::function<std::string(const ViewTable&)> table;
  std::function<std::string(const std::string&)> paragraph;
  std::function<std::string(const std::string&)> item;
};

std::string curves_text(const std::vector<DeviceProfile>& profiles, const ForecastForm& form) {
  const DeviceCurves curves = device_curves(profiles);
  std::string text;
  for (std::size_t i = 0; i < curves.devices.size(); ++i)
    text += form.item(curves.devices[i] + ": " + curves.abouts[i]);
  const auto add = [&](const std::vector<DeviceCurve>& of, const char* caption, const char* x) {
    if (!of.empty()) text += form.table(curve_table(curves, of, caption, x));
  };
  add(curves.latency, "Latency by load: ns at GB/s", "ns at GB/s");
  add(curves.threads, "Bandwidth by threads: GB/s at threads", "GB/s at threads");
  add(curves.mix, "Bandwidth by share of reads: GB/s at % reads", "GB/s at % reads");
  return text;
}

std::string text_in(const Forecasts& forecasts, const ForecastForm& form) {
  std::string text;
  for (const Advice& advice : forecasts.advice) {
    text += form.paragraph(advice_sentence(advice)) + form.table(placement_table(advice)) +
            form.table(advised_queries_table(advice)) + form.table(frontier_table(advice)) +
            form.table(tiers_table(advice)) + form.paragraph(advice_question(advice)) +
            form.paragraph("To run it: " + advice_flags(advice));
  }
  for (const Prediction& prediction : forecasts.predictions) {
    text += form.paragraph(prediction_sentence(prediction)) +
            form.table(predicted_times_table(prediction)) +
            form.table(predicted_parts_table(prediction)) +
            form.paragraph(prediction_question(prediction));
    for (const std::string& line : prediction.extrapolated)
      text += form.item("extrapolated: " + line);
  }
  if (!forecasts.profiles.empty()) text += curves_text(forecasts.profiles, form);
  return text.substr(std::min(text.find_first_not_of('\n'), text.size()));
}

// These columns, the header first; the first `left` of them are texts.
std::vector<std::string> lines_of(const ViewTable& table, const std::vector<std::size_t>& shown,
                                  std::size_t left) {
  TextRows rows{{}};
  for (const std::size_t column : shown) rows.front().push_back(table.columns[column].title);
  for (const std::vector<ViewCell>& row : table.rows) {
    rows.emplace_back();
    for (const std::size_t column : shown) {
      const ViewCell& cell = row[column];
      const bool is_name = column < left;  // what is beside a name is long
      rows.back().push_back(
          cell.text + (cell.beside.empty() || is_name ? "" : fmt::format(" ({})", cell.beside)));
    }
  }
  std::vector<std::string> lines;
  std::istringstream all(aligned(rows, left));
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string terminal_table(const ViewTable& table, std::size_t width) {
  // In one line stand the texts before the figures, which name the row, and the figures; of a table
  // of texts alone its first two.
  std::size_t names = 0, end = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!table.columns[i].is_text) end = i + 1;
    if (end == 0) names = i + 1;
  }
  if (end == 0) end = std::min<std::size_t>(2, table.columns.size());
  std::vector<std::size_t> shown(end);
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  std::vector<std::string> lines = lines_of(table, shown, names);
  const bool is_wide =
      std::ranges::any_of(lines, [&](const std::string& line) { return line.size() > width; });
  if (is_wide && names > 1) {
    shown.erase(shown.begin() + 1, shown.begin() + static_cast<std::ptrdiff_t>(names));
    lines = lines_of(table, shown, 1);
  }
  std::string text = "\n" + wrapped(table.caption, width, "") + "\n" + lines.front() + "\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    text += lines[r + 1] + "\n";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& cell = table.rows[r][i].text;
      const bool is_shown = std::ranges::find(shown, i) != shown.end();
      if (!is_shown && !cell.empty()) text += "    " + wrapped(cell, width, "    ", 4) + "\n";
    }
  }
  return text;
}

std::string forecast_text(const Forecasts& forecasts, std::size_t width) {
  return text_in(forecasts,
                 {[&](const ViewTable& table) { return terminal_table(table, width); },
                  [&](const std::string& text) { return "\n" + folded(text, width, ""); },
                  [&](const std::string& text) { return folded(text, width, "  "); }});
}

std::string forecast_markdown(const Forecasts& forecasts) {
  return text_in(forecasts,
                 {[](const ViewTable& table) { return markdown_table(table); },
                  [](const std::string& text) { return "\n" + markdown_escaped(text) + "\n"; },
                  [](const std::string& text) { return "- " + markdown_escaped(text) + "\n"; }});
}

Result<std::string> forecast_csv(const Forecasts& forecasts) {
  const bool is_one =
      forecasts.advice.empty() && forecasts.profiles.empty() && forecasts.predictions.size() == 1;
  if (is_one) return csv_table(predicted_parts_table(forecasts.predictions.front()));
  return usage_error(
      "--format csv: of one prediction alone: advice and profiles have several tables, take "
      "markdown or their JSON");
}

}  // namespace hdbench::bench
