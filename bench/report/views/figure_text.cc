#include "bench/report/views/figure_text.h"

#include <fmt/format.h>

#include "bench/base/number_text.h"

namespace hdbench::bench {
std::string interval_text(const Interval& interval) {
  return fmt::format("{} to {}", format_ms(interval.low), format_ms(interval.high));
}

std::string ratio_with_interval(const Ratio& ratio) {
  if (!ratio.interval)
    return format_ratio(ratio.value) + " (no interval: fewer than two repetitions)";
  return fmt::format("{} ({})", format_ratio(ratio.value), factors_text(*ratio.interval));
}

std::string factor_text(double ratio) {
  std::string text = format_ratio(ratio);
  text.pop_back();  // the 'x'
  return text;
}

std::string factors_text(const Interval& interval) {
  return fmt::format("{} to {}", factor_text(interval.low), factor_text(interval.high));
}

std::string plus_minus_text(double share) {
  constexpr double kMost = 10;
  return share > kMost ? "more than +-1000 %" : fmt::format("+-{:.0f} %", 100 * share);
}

std::uint64_t whole_mib(std::uint64_t bytes) {
  constexpr std::uint64_t kMib = 1 << 20;
  return bytes / kMib + (bytes % kMib == 0 ? 0 : 1);
}

std::string time_text(double ms) {
  if (ms < 999.5) return format_ms(ms) + " ms";
  if (ms < 119'950) return fmt::format("{:.{}f} s", ms / 1000, ms < 99'950 ? 2 : 1);
  return fmt::format("{:.1f} min", ms / 60'000);
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string threads_text(std::size_t threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::string threads_on_cpus(std::size_t threads, std::size_t cpus) {
  if (cpus == 0 || threads <= cpus) return threads_text(threads);
  return fmt::format("{} on {} CPU{}", threads_text(threads), cpus, cpus == 1 ? "" : "s");
}

std::string queries_text(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "query" : "queries");
}

std::string setting_text(const Setting& setting, bool emulated) {
  std::string text =
      fmt::format("{}{} {}", setting.medium, emulated ? " (emulated)" : "", word(setting.layout));
  if (setting.attr == AttrUse::kNone) text += ", no p";
  if (setting.mode == Mode::k36) text += ", mode 3.6";
  if (setting.limit_mib != 0) text += fmt::format(", -w {}", setting.limit_mib);
  if (setting.codes == Codes::kNarrow) text += ", narrow codes";
  if (setting.compressed == Compressed::kUnpacked) text += ", unpacked";
  if (setting.prefetch == Prefetch::kOn) text += ", read ahead";
  if (!setting.place.empty()) text += ", " + setting.place;
  if (!setting.dataset.empty()) text += ", " + setting.dataset;
  return fmt::format("{}, {}", text, word(setting.cache));
}

}  // namespace hdbench::bench
