#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/report/answers/headline.h"
#include "bench/report/answers/quality.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kBarsMost = 6;
constexpr std::size_t kNameMost = 28;

struct TierBar {
  std::string name;
  std::string
      figure;  // "12.3x (10.1 to 15.0)"; "the same (0.98 to 1.03)"; "no difference shown (...)"
  Ratio times;
  bool is_emulated = false;
};

std::string figure_of(const Ratio& times) {
  if (times.is_different()) return ratio_with_interval(times);
  return fmt::format("{} ({})", times.is_same() ? "the same" : "no difference shown",
                     factors_text(*times.interval));
}

std::vector<TierBar> bars_of(const Headline& head) {
  std::vector<TierBar> bars;
  for (const TierCost& cost : head.tiers) {
    if (!cost.times) continue;
    bars.push_back({cost.name, figure_of(*cost.times), *cost.times, cost.is_emulated});
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

}  // namespace hdbench::bench
