#include "bench/report/answers/answers.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

CellResult compressed_cell(CellResult cell, const std::string& dataset) {
  cell.setting.dataset = dataset;
  cell.bytes_unpacked = 2 * cell.bytes_read;
  return cell;
}
CellResult plain_cell(CellResult cell, const std::string& dataset, Compressed compressed) {
  cell.setting.dataset = dataset;
  cell.setting.compressed = compressed;
  return cell;
}

// Over one set of rows, plain and by lz4.
SavedRun two_databases(std::vector<CellResult> cells) {
  SavedRun run = sample_run(std::move(cells));
  DatasetContext plain = run.context.datasets.front();
  plain.name = "plain";
  DatasetContext lz4 = plain;
  lz4.name = "lz4";
  lz4.compression = "lz4 1";
  lz4.stored_share = 0.25;
  run.context.datasets = {plain, lz4};
  return run;
}

std::string all_of(const Answer& answer) {
  std::string text = answer.summary;
  for (const std::string& sentence : answer.sentences) text += "\n" + sentence;
  return text;
}

TEST_CASE("without a compressed column there is no such question") {
  CHECK_FALSE(compression_answer(SamplePivot({sample_cell(1, "dram", 10)})));
}

TEST_CASE("a compressed database is set against the plain one of its rows, by medium") {
  const auto stored = Compressed::kAsStored;
  const SamplePivot pivot(two_databases({plain_cell(sample_cell(1, "nvme", 100), "plain", stored),
                                         compressed_cell(sample_cell(1, "nvme", 50), "lz4"),
                                         plain_cell(sample_cell(1, "dram", 10), "plain", stored),
                                         compressed_cell(sample_cell(1, "dram", 40), "lz4")}));
  const auto answer = compression_answer(pivot);
  REQUIRE(answer);
  const std::string text = all_of(*answer);
  INFO(text);
  CHECK(
      answer->summary.starts_with("Faster in NVMe, partitioned, cold with lz4 1 (0.25 of the "
                                  "plain bytes); slower in DRAM, partitioned"));
  CHECK(text.find("lz4 1 (0.25 of the plain bytes): 0.50 times as long") != std::string::npos);
  CHECK(text.find("4.00 times as long as without compression") != std::string::npos);
}

TEST_CASE("one database is set against itself unpacked before, and its bound is told") {
  SavedRun run =
      two_databases({compressed_cell(sample_cell(1, "dram", 40), "lz4"),
                     plain_cell(sample_cell(1, "dram", 10), "lz4", Compressed::kUnpacked)});
  run.context.datasets.erase(run.context.datasets.begin());
  PlacementCeilings placement{"dram", Layout::kPartitioned, Codes::kStored, {}, "lz4"};
  // Twice the sample's bytes in half of the cell's time.
  placement.unpacking = {{2, 2.0 * kSampleBytes / 20e6, 1 << 20}};
  run.context.ceilings.placements = {placement};
  const auto answer = compression_answer(SamplePivot(std::move(run)));
  REQUIRE(answer);
  const std::string text = all_of(*answer);
  INFO(text);
  CHECK(answer->summary.starts_with("It saves space and costs time: slower in DRAM"));
  CHECK(text.find("would take 50 to 50 % of the time of 1 query") != std::string::npos);
}

TEST_CASE("with nothing beside it, what to run is said") {
  SavedRun run = two_databases({compressed_cell(sample_cell(1, "dram", 40), "lz4")});
  run.context.datasets.erase(run.context.datasets.begin());
  const auto answer = compression_answer(SamplePivot(std::move(run)));
  REQUIRE(answer);
  CHECK(answer->summary.starts_with("Cannot be said"));
}

}  // namespace
}  // namespace hdbench::bench
