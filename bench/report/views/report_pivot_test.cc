#include "bench/report/views/report_pivot.h"

#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("without NVMe the first column is the reference") {
  const SamplePivot pivot({sample_cell(1, "dram", 5)});
  REQUIRE(pivot.columns().size() == 1);
  CHECK(pivot.columns().front().reference == 0);
  CHECK(pivot.columns().front().label == "DRAM, partitioned");
}

TEST_CASE("cold partitioned NVMe is the reference wherever it stands in the file") {
  CellResult warm = sample_cell(1, "nvme", 20);
  warm.setting.cache = Cache::kWarm;
  const SamplePivot pivot({sample_cell(1, "dram", 5), warm, sample_cell(1, "nvme", 100)});
  CHECK(pivot.columns()[0].label == "NVMe, partitioned, cold");
  CHECK(pivot.columns()[1].label == "NVMe, partitioned, warm");
  const auto gain = pivot.gain(pivot.primary(), 2, 0);
  REQUIRE(gain);
  CHECK(gain->value == Approx(20));
  CHECK(gain->is_different());
}

TEST_CASE("each machine has its own reference") {
  std::vector<SavedRun> runs;
  runs.push_back(sample_run({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10)}));
  runs.push_back(sample_run({sample_cell(1, "nvme", 40), sample_cell(1, "dram", 10)}, "b.json"));
  runs.back().context.host.cpu_model = "another CPU";
  const ReportInput input = *merge_runs(std::move(runs));
  const ReportPivot pivot(input);
  REQUIRE(pivot.columns().size() == 4);
  CHECK(pivot.columns()[3].reference == 2);
  CHECK(pivot.gain(pivot.primary(), 1, 0)->value == Approx(10));
  CHECK(pivot.gain(pivot.primary(), 3, 0)->value == Approx(4));
}

TEST_CASE("where columns and results lie and how they are emulated make a column of its own") {
  CellResult plain = sample_cell(1, "dram", 5);
  CellResult placed = plain;
  placed.setting.place = "bid=cxl:cxl-fpga";
  placed.emulated = true;
  placed.place_profiles = {"cxl-fpga"};
  placed.emulation_mode = EmulationMode::kWall;
  CellResult by_model = placed;
  by_model.setting.emulation = "model";
  by_model.emulation_mode = EmulationMode::kModel;
  CellResult apart = plain;
  apart.setting.results = "numa:1";
  const ReportInput input = sample_input({plain, placed, by_model, apart});
  const auto columns = ReportPivot(input).columns();
  REQUIRE(columns.size() == 4);
  CHECK(columns[1].label == "DRAM, partitioned, bid=cxl:cxl-fpga");
  CHECK(columns[1].emulation == "emulated: columns on cxl-fpga, wall");
  CHECK(columns[2].label == "DRAM, partitioned, bid=cxl:cxl-fpga, model");
  CHECK(columns[3].label == "DRAM, partitioned, results on numa:1");
}

TEST_CASE(
    "with columns placed apart everywhere a cold disk is still what others are held against") {
  CellResult dram = sample_cell(1, "dram", 5);
  CellResult disk = sample_cell(1, "nvme", 50);
  dram.setting.place = disk.setting.place = "bid=numa:1";
  const ReportInput input = sample_input({dram, disk});
  CHECK(ReportPivot(input).columns().front().setting.medium == "nvme");
}

TEST_CASE("answers rest on mode 4.0 with p, the most threads and no limit") {
  CellResult old = sample_cell(1, "dram", 9);
  old.setting.mode = Mode::k36;
  CellResult scan = sample_cell(1, "dram", 9);
  scan.setting.attr = AttrUse::kNone;
  CellResult single = sample_cell(1, "dram", 9);
  single.setting.threads = 1;
  const SamplePivot pivot(
      {stopped_cell(sample_cell(1, "dram", 9), 8), old, scan, single, sample_cell(1, "dram", 5)});
  CHECK(pivot.primary() == ReportBlock{0, AttrUse::kParted, Mode::k40, 2, 0});
  CHECK(block_text(pivot, pivot.primary()) == "with p, mode 4.0, 2 threads");
}

TEST_CASE("a column without p lends its cells to the blocks with p") {
  CellResult scan = sample_cell(1, "dram", 9);
  scan.setting.attr = AttrUse::kNone;
  const SamplePivot pivot({sample_cell(1, "nvme", 90), scan});
  CHECK(pivot.stands_in(pivot.primary(), 1));
  REQUIRE(pivot.cell(pivot.primary(), 1, 0) != nullptr);
  CHECK_FALSE(pivot.stands_in(pivot.primary(), 0));
}

TEST_CASE("the database of 784 partitions is the larger one, even alone") {
  SavedRun run = sample_run({sample_cell(1, "nvme", 90)});
  run.context.datasets.front().partitions = 784;
  const SamplePivot pivot(std::move(run));
  CHECK_FALSE(pivot.main_dataset());
  CHECK(pivot.large_dataset() == std::size_t{0});
}

TEST_CASE("a cold disk whose profile has no latency is set against no real medium") {
  CellResult disk = sample_cell(1, "nvme:nvme-pm1743", 20);
  disk.emulated = true;
  disk.profile = "nvme-pm1743";
  disk.setting.cache = Cache::kCold;
  CellResult warm = disk;
  warm.setting.cache = Cache::kWarm;
  CellResult device = emulated_cell(sample_cell(1, "dram", 10));
  SavedRun run =
      sample_run({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 5), disk, warm, device});
  run.context.media_without_latency = {"nvme:nvme-pm1743"};
  const ReportInput input = *merge_runs({run});
  const ReportPivot pivot(input);
  const auto cell = [&](std::size_t at) -> const ReportCell& { return input.cells[at]; };
  CHECK_FALSE(pivot.ratio(cell(0), cell(2)));
  CHECK_FALSE(pivot.ratio(cell(2), cell(1)));
  CHECK(pivot.ratio(cell(0), cell(3)));  // memory served it
  CHECK(pivot.ratio(cell(4), cell(2)));
  CHECK(pivot.ratio(cell(0), cell(4)));
}

TEST_CASE("media have the names that people use") {
  CHECK(medium_title("nvme") == "NVMe");
  CHECK(medium_title("cxl:cxl-fpga") == "CXL (cxl-fpga)");
  CHECK(medium_title("numa:1") == "NUMA node 1");
  CHECK(medium_title("tape") == "tape");
}

}  // namespace
}  // namespace hdbench::bench
