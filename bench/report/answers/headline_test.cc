#include "bench/report/answers/headline.h"

#include "bench/report/views/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench {
namespace {

bool says_headline(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST_CASE("a run of one medium has nothing to be held against") {
  const ReportInput input = sample_input({sample_cell(1, "dram", 10)});
  const Headline head = headline(ReportPivot(input));
  CHECK(head.sentence == "No real tier was run beside DRAM.");
  CHECK(head.real.empty());
  CHECK(head.emulated_sentence.empty());
}

TEST_CASE("a tier's cost is the geometric mean of its queries, with an interval that holds it") {
  const ReportInput input = sample_input({sample_cell(1, "nvme", 100), sample_cell(2, "nvme", 400),
                                          sample_cell(1, "dram", 10), sample_cell(2, "dram", 10)});
  const Headline head = headline(ReportPivot(input));
  REQUIRE(head.real.size() == 1);
  const TierCost& cost = head.real.front();
  REQUIRE(cost.times);
  CHECK(cost.times->value == Approx(20));
  REQUIRE(cost.times->interval);
  CHECK(cost.times->interval->low < 20);
  CHECK(cost.times->interval->high > 20);
  CHECK(cost.queries.size() == 2);
  CHECK(says_headline(head.sentence, "Queries take 20.0 times as long on cold NVMe as in DRAM ("));
  CHECK(head.basis == "Geometric means of 2 queries.");
}

TEST_CASE("emulated tiers are apart from real ones") {
  const ReportInput input =
      sample_input({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10),
                    emulated_cell(sample_cell(1, "app-direct:optane-100-6dimm", 20))});
  const Headline head = headline(ReportPivot(input));
  CHECK(head.real.size() == 1);
  REQUIRE(head.emulated.size() == 1);
  CHECK_FALSE(says_headline(head.sentence, "App Direct"));
  CHECK(says_headline(head.emulated_sentence,
                      "Emulated, not measured: queries take 2.00 times as long on "));
}

TEST_CASE("a query above the ceiling is in no mean, and is a caveat") {
  SavedRun run = sample_run_with_ceiling({sample_cell(1, "numa:1", 100), sample_cell(1, "dram", 10),
                                          sample_cell(2, "numa:1", 10), sample_cell(2, "dram", 1)});
  std::vector<SavedRun> runs;
  runs.push_back(std::move(run));
  const ReportInput input = *merge_runs(std::move(runs));
  const ReportPivot pivot(input);
  const Headline head = headline(pivot);
  REQUIRE(head.real.size() == 1);
  CHECK(head.real.front().impossible == 1);
  CHECK(head.real.front().queries.size() == 1);
  CHECK(head.basis == "Of one query; 1 pair of cells is left out, above its ceiling.");
  REQUIRE_FALSE(gravest_caveats(pivot).empty());
  CHECK(says_headline(gravest_caveats(pivot).front(),
                      "1 of 2 figures are above what the machine can do"));
  CHECK(gravest_caveats(pivot, 0).empty());
}

TEST_CASE("without a repetition there is no interval, and it is said") {
  CellResult disk = sample_cell(1, "nvme", 100);
  CellResult memory = sample_cell(1, "dram", 10);
  disk.real_ms = {100};
  memory.real_ms = {10};
  const ReportInput input = sample_input({disk, memory});
  const ReportPivot pivot(input);
  CHECK(says_headline(headline(pivot).sentence, "(no interval)"));
  REQUIRE_FALSE(gravest_caveats(pivot).empty());
  CHECK(says_headline(gravest_caveats(pivot).front(), "No cell was repeated"));
}

TEST_CASE("tiers that the interval does not tell apart are not said to differ") {
  CellResult disk = sample_cell(1, "numa:1", 10.2);
  disk.real_ms = {8, 10.2, 13};
  const ReportInput apart = sample_input({disk, sample_cell(1, "dram", 10)});
  CHECK(says_headline(headline(ReportPivot(apart)).sentence, ": cannot tell)"));
  const ReportInput same = sample_input({sample_cell(1, "numa:1", 10), sample_cell(1, "dram", 10)});
  CHECK(says_headline(headline(ReportPivot(same)).sentence, "the same within 10 %"));
}

TEST_CASE("without DRAM tiers are held against the reference") {
  const ReportInput input = sample_input({sample_cell(1, "nvme", 100), sample_cell(1, "cxl", 10)});
  const Headline head = headline(ReportPivot(input));
  CHECK(head.base == "cold NVMe");
  CHECK(says_headline(head.sentence, "0.10 times as long on CXL as on cold NVMe"));
}

TEST_CASE("a flat table is held against flat DRAM, and a medium is there once") {
  CellResult flat = sample_cell(1, "dram", 20);
  flat.setting.layout = Layout::kFlat;
  CellResult cxl_flat = sample_cell(1, "cxl", 60);
  cxl_flat.setting.layout = Layout::kFlat;
  const ReportInput both =
      sample_input({sample_cell(1, "dram", 10), flat, sample_cell(1, "cxl", 20), cxl_flat});
  const Headline head = headline(ReportPivot(both));
  REQUIRE(head.real.size() == 1);
  CHECK(head.real.front().times->value == Approx(2));
  const ReportInput one = sample_input({sample_cell(1, "dram", 10), flat, cxl_flat});
  REQUIRE(headline(ReportPivot(one)).real.size() == 1);
  CHECK(headline(ReportPivot(one)).real.front().times->value == Approx(3));
}

}  // namespace
}  // namespace hdbench
