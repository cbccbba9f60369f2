#include "bench/machine/latency_checker.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "bench/base/child_process.h"

namespace hdbench::bench {
namespace {

constexpr double kGbPerMb = 1e-3;

std::optional<double> figure_in(const std::string& word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !(value > 0)) return {};
  return value;
}

bool is_delay(const std::string& word) {
  return word.size() == 5 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<LoadPoint> parse_loaded_latency(std::string_view text) {
  std::vector<LoadPoint> points;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string delay, ns, mb_s;
    if (!(words >> delay >> ns >> mb_s) || !is_delay(delay)) continue;
    const auto latency = figure_in(ns);
    const auto load = figure_in(mb_s);
    if (latency && load) points.push_back({*load * kGbPerMb, *latency});
  }
  std::sort(points.begin(), points.end(),
            [](const LoadPoint& a, const LoadPoint& b) { return a.gb_s < b.gb_s; });
  return points;
}

std::vector<MixPoint> parse_peak_bandwidth(std::string_view text) {
  constexpr std::pair<std::string_view, TrafficMix> kLines[] = {{"1:1 Reads-Writes", {1, 1}},
                                                                {"2:1 Reads-Writes", {2, 1}},
                                                                {"3:1 Reads-Writes", {3, 1}},
                                                                {"ALL Reads", {1, 0}}};
  std::vector<MixPoint> points;
  for (const auto& [begin, mix] : kLines) {
    const auto at = text.find(begin);
    if (at == text.npos) continue;
    const auto line = text.substr(at, text.find('\n', at) - at);
    std::istringstream words{
        std::string(line.substr(std::min(line.find(':', begin.size()) + 1, line.size())))};
    std::string mb_s;
    words >> mb_s;
    if (const auto value = figure_in(mb_s)) {
      points.push_back({mix.read_share(), *value * kGbPerMb});
    }
  }
  return points;
}

Result<LoadCurves> run_latency_checker() {
  if (!has_command("mlc")) return LoadCurves{};
  HDB_ASSIGN(const std::string loaded, run_command({"mlc", "--loaded_latency"}));
  HDB_ASSIGN(const std::string mixed, run_command({"mlc", "--peak_injection_bandwidth"}));
  LoadCurves curves{parse_loaded_latency(loaded), parse_peak_bandwidth(mixed)};
  if (curves.latency.empty()) {
    return data_error("mlc --loaded_latency: no line of a delay, ns and MB/s in what it printed");
  }
  return curves;
}

}  // namespace hdbench::bench
