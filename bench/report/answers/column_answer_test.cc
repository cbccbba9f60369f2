#include "bench/report/answers/answers.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

SavedRun placed_run() {
  CellResult plain = sample_cell(1, "dram", 5);
  plain.bytes_read_by_column = {{"bid", 100}, {"ask", 0}};
  CellResult placed = sample_cell(2, "dram", 10);
  placed.setting.place = "bid,ask=cxl";
  SavedRun run = sample_run({plain, placed});
  run.context.datasets.front().columns = {{"quote", "time", 4'000'000'000, 1'000'000'000},
                                          {"quote", "bid", 3'000'000'000, 3'000'000'000},
                                          {"quote", "ask", 3'000'000'000, 0}};
  return run;
}

ReportInput input_of(SavedRun run) {
  std::vector<SavedRun> runs;
  runs.push_back(std::move(run));
  return *merge_runs(std::move(runs));
}

TEST_CASE("the columns that are read have their memory, those that are not are named") {
  const ReportInput input = input_of(placed_run());
  const Answer answer = column_answer(ReportPivot(input));
  CHECK(answer.summary.starts_with("2 of 3 columns, 4.0 GB of 10 GB: so much memory holds all"));
  REQUIRE(answer.sentences.size() == 3);
  CHECK(answer.sentences[0] == "bid: 3.0 GB, 75 % of what is needed; 1 of 2 queries read it.");
  CHECK(answer.sentences[1].starts_with("time: 1.0 GB, 25 % of what is needed (of 4.0 GB in all"));
  CHECK(answer.sentences[2] == "Read by none, 3.0 GB: ask. They may stay on the disk.");
}

TEST_CASE("what lies on each tier is said of placed columns and of the rest") {
  const ReportInput input = input_of(placed_run());
  const ReportPivot pivot(input);
  CHECK(holdings_text(pivot, 0) == "4.0 GB in DRAM");
  CHECK(holdings_text(pivot, 1) == "1.0 GB in DRAM and 3.0 GB in CXL (bid, ask)");
  SavedRun all = placed_run();
  all.cells.back().setting.place = "all=cxl; bid=dram";
  const ReportInput other = input_of(std::move(all));
  CHECK(holdings_text(ReportPivot(other), 1) == "1.0 GB in CXL (all) and 3.0 GB in DRAM (bid)");
}

TEST_CASE("files without the columns' sizes say nothing of them") {
  const ReportInput input = sample_input({sample_cell(1, "dram", 5)});
  const ReportPivot pivot(input);
  CHECK(column_answer(pivot).summary.starts_with("Cannot be said"));
  CHECK(holdings_text(pivot, 0).empty());
}

}  // namespace
}  // namespace hdbench::bench
