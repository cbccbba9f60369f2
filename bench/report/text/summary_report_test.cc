#include <algorithm>
#include <functional>
#include <sstream>

#include "bench/report/text/text_reports.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::vector<std::string> summary_of(std::vector<CellResult> cells) {
  const ReportInput input = sample_input(std::move(cells));
  std::istringstream stream(summary_report(ReportPivot(input)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
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

TEST_CASE("an emulated column is named with its profile, and distrusted") {
  const auto lines = summary_of({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10),
                                 emulated_cell(sample_cell(1, "dram", 20))});
  CHECK(holds(lines, "App Direct*"));
  CHECK(holds(lines, "optane-100-6dimm"));
  CHECK(holds(lines, "is emulated from a device's profile, not measured"));
}

TEST_CASE("a figure above its ceiling is marked and in no mean") {
  const ReportInput input = sample_input(
      sample_run_with_ceiling({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 1),
                               sample_cell(2, "nvme", 100), sample_cell(2, "dram", 10)}));
  const std::string text = summary_report(ReportPivot(input));
  CHECK(text.find("100x!") != std::string::npos);
  CHECK(text.find("geometric mean           10.0x\n") != std::string::npos);
}

TEST_CASE("a narrow terminal has fewer columns, a wide one more") {
  const ReportInput input = sample_input(whole_matrix());
  const ReportPivot pivot(input);
  const auto widest = [&](std::size_t columns) {
    std::istringstream stream(summary_report(pivot, {columns}));
    std::size_t most = 0;
    for (std::string line; std::getline(stream, line);) most = std::max(most, line.size());
    return most;
  };
  CHECK(widest(60) <= 60);
  CHECK(widest(80) <= 80);
  CHECK(widest(160) > 100);
}

TEST_CASE("one medium alone has a table without ratios") {
  const auto lines = summary_of({sample_cell(1, "dram", 10)});
  CHECK(holds(lines, "Q01"));
  CHECK_FALSE(holds(lines, "geometric mean "));
}

}  // namespace
}  // namespace hdbench::bench
