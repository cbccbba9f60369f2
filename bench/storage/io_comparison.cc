#include "bench/storage/io_comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/statistics.h"

namespace hdbench {
namespace {

// In ms, so that above 1 means slower for all. Empty: no result.
std::vector<double> times_of(const IoResult& result) {
  std::vector<double> times;
  if (!result.is_result()) return times;
  for (const double sample : result.samples) {
    if (sample > 0) times.push_back(result.unit == "ms" ? sample : 1e3 / sample);
  }
  return times;
}

const IoResult* find(const SavedIo& saved, const std::string& name) {
  const auto& all = saved.run.results;
  const auto found = std::ranges::find(all, name, &IoResult::name);
  return found == all.end() ? nullptr : &*found;
}

void add_cell(const IoResult& a, const IoResult& b, double threshold_percent, Comparison& all) {
  const std::vector<double> a_ms = times_of(a);
  const std::vector<double> b_ms = times_of(b);
  const auto ratio = median_ratio({b_ms}, {a_ms});
  if (!ratio) {
    all.no_figure.push_back(fmt::format("{}: no result in {}", a.name, a_ms.empty() ? "A" : "B"));
    return;
  }
  ComparedCell cell;
  cell.name = a.name;
  cell.a_ms = median(a_ms);
  cell.b_ms = median(b_ms);
  cell.ratio = *ratio;
  cell.verdict = verdict_of(*ratio);
  cell.regression = ratio->interval && ratio->interval->low > 1 + threshold_percent / 100;
  all.regressions += cell.regression ? 1 : 0;
  all.cells.push_back(std::move(cell));
}

}  // namespace

Comparison compare_io(const SavedIo& a, const SavedIo& b, double threshold_percent) {
  Comparison all;
  const auto note = [&](const char* what, const std::string& of_a, const std::string& of_b) {
    if (of_a != of_b) all.notes.push_back(fmt::format("{}: A {}, B {}", what, of_a, of_b));
  };
  note("machine", a.machine, b.machine);
  note("commit", a.commit, b.commit);
  note("place", a.run.targets.front().place, b.run.targets.front().place);
  note("huge vector", std::to_string(a.run.vectors.huge), std::to_string(b.run.vectors.huge));
  for (const SavedIo* side : {&a, &b}) {
    const char* const name = side == &a ? "A" : "B";
    if (!side->run.complete) {
      all.notes.push_back(fmt::format("{} was ended before its last test", name));
    }
    for (const std::string& line : side->run.preflight) {
      all.notes.push_back(fmt::format("{} was warned: {}", name, line));
    }
  }
  for (const IoResult& result : a.run.results) {
    if (const IoResult* other = find(b, result.name)) {
      add_cell(result, *other, threshold_percent, all);
    } else {
      all.only_a.push_back(result.name);
    }
  }
  for (const IoResult& result : b.run.results) {
    if (find(a, result.name) == nullptr) all.only_b.push_back(result.name);
  }
  std::vector<double> ratios;
  for (const ComparedCell& cell : all.cells) ratios.push_back(cell.ratio.value);
  if (!ratios.empty()) {
    all.geometric_mean = geometric_mean(ratios);
    all.maximum = summarise(ratios).max;
  }
  return all;
}

}  // namespace hdbench
