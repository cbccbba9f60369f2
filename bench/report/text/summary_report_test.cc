#include <algorithm>
#include <functional>
#include <sstream>

#include "bench/report/text/text_reports.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> summary_of(std::vector<CellResult> cells) {
  return lines_of(summary_report(SamplePivot(std::move(cells))));
}

bool holds(const std::vector<std::string>& lines, const std::string& text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

CellResult with(CellResult cell, const std::function<void(Setting&)>& change) {
  change(cell.setting);
  return cell;
}

// Eleven queries on seven media, with and without p, on one thread and on two.
std::vector<CellResult> whole_matrix() {
  std::vector<CellResult> cells;
  for (int query = 1; query <= 11; ++query) {
    for (const auto& [medium, ms] : std::vector<std::pair<std::string, double>>{{"nvme", 100'000.0},
                                                                                {"dram", 10},
                                                                                {"numa:1", 12},
                                                                                {"numa:2", 12},
                                                                                {"numa:3", 12},
                                                                                {"numa:4", 12}}) {
      for (const AttrUse attr : {AttrUse::kNone, AttrUse::kParted}) {
        for (const std::size_t threads : {1, 2}) {
          CellResult cell = sample_cell(
              query, medium, ms * (attr == AttrUse::kNone ? 4 : 1) / static_cast<double>(threads));
          cells.push_back(with(cell, [&](Setting& setting) {
            setting.attr = attr;
            setting.threads = threads;
          }));
          if (medium == "dram") cells.push_back(emulated_cell(cells.back()));
        }
      }
    }
  }
  return cells;
}

TEST_CASE("a summary is 45 lines of 100 columns at most, whatever was run") {
  const auto lines = summary_of(whole_matrix());
  CHECK(lines.size() <= 45);
  for (const std::string& line : lines) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
  CHECK(holds(lines, "`report --format csv` has all"));
}

TEST_CASE("a summary says what tiers, the index and threads give") {
  const auto lines = summary_of(whole_matrix());
  CHECK(holds(lines, "in DRAM with p 4.00x as fast"));
  CHECK(holds(lines, "2 threads 2.00x as fast as"));
  CHECK(holds(lines, "Times as long as in DRAM"));
  CHECK(holds(lines, "Workspace: 3 MiB of hdbench's own hold every query"));
}

TEST_CASE("a narrow terminal has fewer columns, a wide one more") {
  const SamplePivot pivot(whole_matrix());
  const auto widest = [&](std::size_t columns) {
    std::size_t most = 0;
    for (const std::string& line : lines_of(summary_report(pivot, {columns})))
      most = std::max(most, line.size());
    return most;
  };
  CHECK(widest(60) <= 60);
  CHECK(widest(80) <= 80);
  CHECK(widest(160) > 100);
}

bool screen_says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> screen_of(const std::vector<CellResult>& cells, const TextLook& look) {
  return lines_of(closing_screen(SamplePivot(cells), look));
}

std::vector<CellResult> three_tiers() {
  return {sample_cell(1, "nvme", 1000), sample_cell(1, "numa:1", 100), sample_cell(1, "dram", 10),
          emulated_cell(sample_cell(1, "dram", 20))};
}

// A figure above its ceiling.
ReportInput doubted_input() {
  return sample_input(
      sample_run_with_ceiling({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 1)}));
}

TEST_CASE("one medium has a sentence and no bar") {
  const auto lines = screen_of({sample_cell(1, "dram", 10)}, {80});
  REQUIRE_FALSE(lines.empty());
  CHECK(lines.front() == "No real tier was run beside DRAM.");
}

TEST_CASE("a tier has a bar by the logarithm of its times, an emulated one in its own mark") {
  const auto lines = screen_of(three_tiers(), {80});
  const auto bar_of = [&](const std::string& name, char mark) {
    for (const std::string& line : lines) {
      if (line.starts_with("  " + name)) return std::count(line.begin(), line.end(), mark);
    }
    return std::ptrdiff_t{-1};
  };
  const auto disk = bar_of("cold NVMe", '#');
  const auto node = bar_of("NUMA node 1", '#');
  CHECK(node > 4);
  CHECK(disk > 2 * node - 3);  // 100 times and 10 times
  CHECK(disk < 2 * node + 3);
  CHECK(bar_of("App Direct", ':') > 0);
  CHECK(bar_of("App Direct", '#') == 0);
}

TEST_CASE("the screen has 24 lines at most and is no wider than the terminal") {
  std::vector<CellResult> cells = three_tiers();
  for (int node = 2; node < 12; ++node)
    cells.push_back(sample_cell(1, "numa:" + std::to_string(node), 10 + node));
  for (const std::size_t columns : {60u, 80u, 132u}) {
    const auto lines = screen_of(cells, {columns});
    CHECK(lines.size() <= 24);
    for (const std::string& line : lines) {
      INFO(line);
      CHECK(line.size() <= columns);
    }
  }
}

TEST_CASE("figures that cannot be have a strip above everything, in every form of text") {
  const ReportInput input = doubted_input();
  const ReportPivot pivot(input);
  CHECK(doubts_strip(pivot, {80}).starts_with("!! These figures are not fit to decide on !!\n"));
  CHECK(summary_report(pivot).starts_with("!! "));
  CHECK(screen_says(markdown_report(pivot), "> **These figures are not fit to decide on**"));
  CHECK(screen_says(doubts_strip(pivot, {200}), "Run it again on an idle machine"));
  const ReportInput sound = sample_input(three_tiers());
  CHECK(doubts_strip(ReportPivot(sound), {80}).empty());
}

TEST_CASE("colours are on a terminal only") {
  const ReportInput input = doubted_input();
  const ReportPivot pivot(input);
  CHECK(screen_says(summary_report(pivot, {80, true}), "\x1b[1;31m!! "));
  CHECK_FALSE(screen_says(summary_report(pivot, {80, false}), "\x1b["));
}

}  // namespace
}  // namespace hdbench::bench
