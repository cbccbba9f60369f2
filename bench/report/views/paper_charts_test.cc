#include "bench/report/views/paper_charts.h"

#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a second parts the queries where some are on either side") {
  const ReportInput input = sample_input(
      {sample_cell(1, "nvme", 10), sample_cell(2, "nvme", 900), sample_cell(3, "nvme", 1000)});
  const ScaleSplit split = scale_split(ReportPivot(input), 0);
  CHECK(split.at_ms == 1000);
  CHECK(input.labels_of(split.small) == "Q01, Q02");
  CHECK(input.labels_of(split.large) == "Q03");
}

TEST_CASE("else the widest gap parts them, by the slowest bar of each") {
  const ReportInput input = sample_input({sample_cell(1, "nvme", 10), sample_cell(2, "nvme", 11),
                                          sample_cell(3, "nvme", 100), sample_cell(1, "dram", 2)});
  const ScaleSplit split = scale_split(ReportPivot(input), 0);
  CHECK(split.at_ms > 11);
  CHECK(split.at_ms < 100);
  CHECK(input.labels_of(split.large) == "Q03");
}

TEST_CASE("own queries have a chart a setting, with every query that was run there") {
  CellResult without = sample_cell(2, "nvme", 500);
  without.setting.attr = AttrUse::kNone;
  const ReportInput input = sample_input({sample_cell(1, "nvme", 10), sample_cell(1, "dram", 1),
                                          stopped_cell(sample_cell(1, "dram", 5), 8),
                                          sample_cell(2, "dram", 5), without});
  const auto charts = own_charts(ReportPivot(input));
  REQUIRE(charts.size() == 2);
  CHECK(charts[0].title == "With p, mode 4.0");
  CHECK(charts[0].queries.size() == 2);
  CHECK(charts[0].columns.size() == 2);
  CHECK(charts[1].title == "Without p, mode 4.0");
  CHECK(charts[1].number == 2);
}

TEST_CASE("there are ten charts, and one whose cells were not run says what runs them") {
  const SamplePivot pivot({sample_cell(1, "nvme", 10), sample_cell(2, "nvme", 500)});
  const auto charts = paper_charts(pivot);
  REQUIRE(charts.size() == 10);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    CHECK(charts[i].number == static_cast<int>(i) + 1);
    const bool was_run = i == 6 || i == 7;
    CHECK(charts[i].missing.empty() == was_run);
    CHECK(charts[i].command.find("hdbench run") == 0);
  }
  CHECK(charts[0].command.find("/data/db --medium dram,nvme --layout partitioned,flat --attr none "
                               "--mode 3.6 -s 2") != std::string::npos);
  CHECK(charts[7].title == "Mode 4.0, with p: the longer queries");
  CHECK(charts[9].missing.find("larger database") != std::string::npos);
}

}  // namespace
}  // namespace hdbench::bench
