#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/storage/io_results.h"
#include "engine/base/catch.h"
#include "engine/testing/column_files.h"

namespace hdbench::bench {
namespace {

IoRun sample_run() {
  IoRun run;
  run.host.cpu_model = "a CPU";
  run.targets.push_back({});
  run.targets.back().path = "/disk";
  run.targets.back().place = "ext4 on /dev/vda";
  run.targets.back().readahead_bytes = 131072;
  run.vectors.huge = 1000;
  run.ceilings.push_back({"device read", 1000, 1100, ""});
  IoResult result;
  result.name = "io/random-read/block:4KiB/engine:mmap/cache:cold/processes:2";
  result.test = "random-read";
  result.group = "read";
  result.unit = "MB/s";
  result.processes = 2;
  result.samples = {100, 200, 400};
  result.median = 200;
  result.interval = Interval{100, 400};
  result.operations = 3000;
  result.seconds = 3;
  result.iops = 1000;
  result.latency.p50 = 1500;
  result.latency.mean = 1750.5;
  result.checksum = 0xabcdef;
  result.checked = true;
  run.results.push_back(result);
  result.name = "io/hcount/engine:calls/processes:2";
  result.unit = "ms";
  result.samples = {0.002};
  result.median = 0.002;
  result.interval.reset();
  run.results.push_back(result);
  return run;
}

std::filesystem::path write(const ScratchDirectory& place, const IoRun& run) {
  const auto file = place / "results.json";
  std::ofstream(file) << io_json(run, "hdbench io /disk");
  return file;
}

TEST_CASE("what is no such file is said so") {
  const ScratchDirectory place;
  CHECK(read_io_results("/nowhere.json").error().message == "/nowhere.json: there is no such file");
  CHECK_FALSE(is_io_results("/nowhere.json"));
  const auto file = place / "other.json";
  std::ofstream(file) << R"({"context": {}, "benchmarks": []})";
  CHECK_FALSE(is_io_results(file));
  CHECK(read_io_results(file).error().message ==
        file.string() + ": no results of `hdbench io --out`");
}

TEST_CASE("results are read as they were written") {
  const ScratchDirectory place;
  const auto file = write(place, sample_run());
  CHECK(is_io_results(file));
  const auto saved = read_io_results(file);
  REQUIRE(saved.ok());
  REQUIRE(saved->run.results.size() == 2);
  const IoResult& result = saved->run.results.front();
  CHECK(result.name == "io/random-read/block:4KiB/engine:mmap/cache:cold/processes:2");
  CHECK(result.samples == std::vector<double>{100, 200, 400});
  CHECK(result.median == 200);
  CHECK(result.latency.p50 == 1500);
  CHECK(result.latency.mean == 1750.5);
  CHECK_FALSE(result.latency.p99);
  CHECK(result.checksum == 0xabcdef);
  CHECK(saved->machine == "a CPU, 0 CPUs");
  CHECK(saved->run.targets.front().readahead_bytes == 131072);
  CHECK(saved->run.ceilings.front().best_mb_s == 1100);
}

TEST_CASE("ranks and their figures are read as they were written; alone there are none") {
  const ScratchDirectory place;
  CHECK_FALSE(nlohmann::json::parse(io_json(sample_run(), ""))["context"].contains("ranks"));
  IoRun run = sample_run();
  run.ranks = {{"rank 0 on a", run.host, run.targets}, {"rank 1 on b", run.host, run.targets}};
  run.results[0].rank_medians = {120, 80};
  const auto saved = read_io_results(write(place, run));
  REQUIRE(saved.ok());
  REQUIRE(saved->run.ranks.size() == 2);
  CHECK(saved->run.ranks[1].name == "rank 1 on b");
  CHECK(saved->run.ranks[1].host.cpu_model == "a CPU");
  CHECK(saved->run.ranks[1].targets.front().place == "ext4 on /dev/vda");
  CHECK(saved->run.results[0].rank_medians == std::vector<double>{120, 80});
  CHECK(saved->run.results[1].rank_medians.empty());
}

TEST_CASE("a tool that is no text, and a text of brackets, are no results of io") {
  const ScratchDirectory place;
  const auto file = place / "r.json";
  const std::string deep = std::string(300000, '[') + std::string(300000, ']');
  for (const std::string& tool : {std::string("7"), deep}) {
    std::ofstream(file) << R"({"context":{"tool":)" << tool << R"(},"benchmarks":[]})";
    CHECK_FALSE(is_io_results(file));
    CHECK_FALSE(read_io_results(file).ok());
  }
}

TEST_CASE("Google Benchmark's tools find their fields, in ms") {
  const auto json = nlohmann::json::parse(io_json(sample_run(), ""));
  const auto& rate = json["benchmarks"][0];
  CHECK(rate["real_time"] == Approx(5));  // of 10^6 bytes at 200 MB/s
  CHECK(rate["time_unit"] == "ms");
  CHECK(rate["bytes_per_second"] == 200e6);
  CHECK(json["benchmarks"][1]["real_time"] == 0.002);
  CHECK(json["context"]["caches"].is_array());
}

TEST_CASE("a figure above its ceiling, and an error, are no results") {
  IoRun run = sample_run();
  run.results[0].ceiling = "device read";
  run.results[0].ceiling_mb_s = 150;
  run.results[0].above_ceiling = true;
  const auto json = nlohmann::json::parse(io_json(run, ""));
  CHECK(json["benchmarks"][0]["real_time"] == 0);
  CHECK(json["benchmarks"][0]["error_occurred"] == true);
  CHECK_FALSE(json["benchmarks"][1].contains("error_occurred"));
  CHECK(json["benchmarks"][0]["times_ms"].empty());
  CHECK(json["benchmarks"][0]["flagged"] == 200);
  const std::string table = io_table(run);
  CHECK(table.find("random-read/block:4KiB/engine:mmap/cache:cold") != std::string::npos);
  CHECK(table.find("0N io/random-read/block:4KiB/engine:mmap/cache:cold/processes:2: 200 MB/s is "
                   "above the device read's 150 MB/s: no result") != std::string::npos);
  run.results[0].error = "cold: 0 of 10 bytes came from the device, as the kernel counts";
  CHECK(io_table(run).find("processes:2: cold: 0 of 10 bytes") != std::string::npos);
  CHECK(io_csv(run).find("200") == std::string::npos);
}

}  // namespace
}  // namespace hdbench::bench
