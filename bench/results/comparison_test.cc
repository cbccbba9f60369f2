#include "bench/results/comparison.h"

#include <nlohmann/json.hpp>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

CellResult cell_of(int query, std::vector<double> times) {
  CellResult cell;
  cell.query = query;
  cell.setting.medium = "dram";
  cell.real_ms = std::move(times);
  cell.cpu_ms = cell.real_ms;
  cell.rows_out = 1;
  cell.checksum = 7;
  return cell;
}

SavedRun run_of(std::vector<CellResult> cells) {
  SavedRun run;
  run.file = "r.json";
  run.cells = std::move(cells);
  return run;
}

const std::vector<double> kFast{10, 10.1, 9.9, 10, 10.05};
const std::vector<double> kSlow{20, 20.1, 19.9, 20, 20.05};

TEST_CASE("two runs without cells have nothing to say") {
  const Comparison comparison = compare(SavedRun{}, SavedRun{}, 5);
  CHECK(comparison.cells.empty());
  CHECK_FALSE(comparison.geometric_mean);
  CHECK(comparison_text(comparison).find("0 regressions") != std::string::npos);
}

TEST_CASE("a slower cell is a regression only over the threshold") {
  const SavedRun a = run_of({cell_of(1, kFast)});
  const SavedRun b = run_of({cell_of(1, kSlow)});
  CHECK(compare(a, b, 5).regressions == 1);
  CHECK(compare(a, b, 150).regressions == 0);
  CHECK(compare(b, a, 5).regressions == 0);
  CHECK(compare(a, b, 5).cells[0].judged.verdict == Verdict::kSlower);
  CHECK(compare(b, a, 5).cells[0].judged.verdict == Verdict::kFaster);
  CHECK(compare(a, b, 5).maximum == Approx(2));
}

// Beside cells that read 1 GB on one thread, at that many GB/s of the memory.
SavedRun run_at(double read_gb_s, std::vector<double> times) {
  CellResult cell = cell_of(1, std::move(times));
  cell.bytes_read = 1'000'000'000;
  cell.setting.threads = 1;
  SavedRun run = run_of({cell});
  ThreadCeilings one;
  one.threads = 1;
  one.read_gb_s = {read_gb_s, read_gb_s, read_gb_s};
  one.write_gb_s = one.stream_gb_s = one.copy_gb_s = one.read_gb_s;
  PlacementCeilings placement{"dram", cell.setting.layout, cell.setting.codes, {}};
  placement.memory.by_threads = {one};
  run.context.ceilings.placements = {placement};
  run.context.ceilings.memory.by_threads = {one};
  return run;
}

TEST_CASE(
    "a memory that was half as fast is reported beside the cell, and may be all the difference") {
  const SavedRun a = run_at(200, kFast);
  const SavedRun b = run_at(100, kSlow);
  const Comparison by_time = compare(a, b, 5);
  CHECK(by_time.regressions == 0);
  CHECK(by_time.count(Verdict::kInconclusive) == 1);
  CHECK(by_time.cells[0].judged.ratio.value == Approx(2));
  CHECK(by_time.cells[0].best_possible_ratio == Approx(2));
  CHECK(by_time.best_possible_mean == Approx(2));
  SavedRun elsewhere = b;
  elsewhere.context.host.cpus = 99;  // of another machine this is what is requested
  CHECK(compare(a, elsewhere, 5).regressions == 1);
  const Comparison by_ceiling = compare(a, b, 5, HeldBy::kCeiling);
  CHECK(by_ceiling.regressions == 0);
  CHECK(by_ceiling.cells[0].judged.ratio.value == Approx(1));
  CHECK(by_ceiling.cells[0].judged.verdict == Verdict::kSame);
  CHECK(by_ceiling.cells[0].judged.a_ms == Approx(10));
  // A memory that was as fast as before leaves the regression what it is.
  CHECK(compare(a, run_at(200, kSlow), 5, HeldBy::kCeiling).regressions == 1);
  // Nor is a program that reads twice as much excused by it.
  SavedRun greedy = run_at(200, kSlow);
  greedy.cells[0].bytes_read *= 2;
  CHECK(compare(a, greedy, 5).cells[0].best_possible_ratio == Approx(1));
  CHECK(compare(a, greedy, 5, HeldBy::kCeiling).regressions == 1);
  CHECK(comparison_text(by_ceiling).find("less the machine's part") != std::string::npos);
}

TEST_CASE("by ceiling, a cell without one has no figure") {
  const SavedRun a = run_of({cell_of(1, kFast)});
  const Comparison comparison = compare(a, a, 5, HeldBy::kCeiling);
  CHECK(comparison.cells.empty());
  REQUIRE(comparison.no_figure.size() == 1);
  CHECK(comparison.no_figure[0].find("no ceiling") != std::string::npos);
  CHECK_FALSE(compare(a, a, 5).cells[0].best_possible_ratio);
  SavedRun other = a;
  other.cells[0].checksum = 8;
  CHECK(compare(a, other, 5, HeldBy::kCeiling).different_results == 1);
}

TEST_CASE("a device that was not looked at in the cold cells' rounds does not excuse them") {
  const auto cold_run = [](double device_gb_s, bool in_rounds) {
    SavedRun run = run_at(200, kFast);
    run.cells[0].setting.medium = run.context.ceilings.placements[0].medium = "nvme";
    run.cells[0].setting.cache = Cache::kCold;
    run.context.ceilings.device.sequential.gb_s = {device_gb_s};
    if (in_rounds) run.context.ceilings.placements[0].device_sequential.gb_s = {device_gb_s};
    return run;
  };
  CHECK_FALSE(compare(cold_run(2, true), cold_run(1, false), 5).cells[0].best_possible_ratio);
  CHECK(compare(cold_run(2, true), cold_run(1, true), 5).cells[0].best_possible_ratio == Approx(2));
}

TEST_CASE("what one side lacks is named") {
  CellResult limited = cell_of(3, {});
  limited.rows_out.reset();
  limited.error = "-w";
  const SavedRun a = run_of({cell_of(1, kFast), cell_of(3, kFast)});
  const SavedRun b = run_of({cell_of(2, kFast), limited});
  const Comparison comparison = compare(a, b, 5);
  CHECK(comparison.cells.empty());
  CHECK(comparison.only_a.size() == 1);
  CHECK(comparison.only_b.size() == 1);
  REQUIRE(comparison.no_figure.size() == 1);
  CHECK(comparison.no_figure[0].find("no figure in B") != std::string::npos);
}

TEST_CASE("a profile whose figures are others is reported") {
  SavedRun a, b;
  a.context.profiles = {{"mine", "01"}, {"cxl-fpga", "02"}};
  b.context.profiles = {{"mine", "03"}, {"cxl-fpga", "02"}};
  a.context.repetitions = b.context.repetitions = 5;
  CHECK(compare(a, b, 5).notes == std::vector<std::string>{"profile mine: '01' against '03'"});
}

TEST_CASE("another result is reported, whatever the times say") {
  CellResult other = cell_of(1, kFast);
  other.checksum = 8;
  const Comparison comparison = compare(run_of({cell_of(1, kFast)}), run_of({other}), 5);
  CHECK(comparison.different_results == 1);
  CHECK(comparison_text(comparison).find("ANOTHER RESULT") != std::string::npos);
}

TEST_CASE("a number that is another query in a file is not judged, and both texts are shown") {
  const auto asked = [](int query, std::string text, std::uint64_t checksum) {
    CellResult cell = cell_of(query, kFast);
    cell.text = std::move(text);
    cell.checksum = checksum;
    return cell;
  };
  CellResult on_disk = asked(1, "select\nn from t", 8);
  on_disk.setting.medium = "nvme";
  const SavedRun a = run_of({asked(1, "select from t", 7), on_disk, asked(2, "exec a from t", 1)});
  SavedRun b = a;
  for (CellResult& cell : b.cells) {
    if (cell.query == 1) cell = asked(1, "select from u", 9);
  }
  b.cells[1].setting.medium = "nvme";
  const Comparison comparison = compare(a, b, 5);
  REQUIRE(comparison.cells.size() == 1);
  CHECK(comparison.cells[0].name.starts_with("Q02"));
  CHECK(comparison.different_results == 0);
  CHECK(comparison.not_judged() == 2);
  REQUIRE(comparison.other_queries.size() == 2);
  CHECK(comparison_text(comparison)
            .find("not the same query: Q01 (1 cell): 'select from t' in A, 'select from u' in B\n"
                  "not the same query: Q01 (1 cell): 'select\\u000an from t' in A") !=
        std::string::npos);
  const auto json = nlohmann::json::parse(comparison_json(comparison));
  CHECK(json["other_queries"][0]["texts"][1] ==
        nlohmann::json{{"side", "B"}, {"text", "select from u"}});
  CHECK(json["other_queries"][0]["cells"] == 1);
  // Files of one side are held against each other, too.
  const Comparison several = compare(std::vector{a, b}, std::vector{a}, 5);
  REQUIRE(several.other_queries.size() == 2);
  CHECK(several.other_queries[0].other.label == "A2");
  b.cells[1].text = b.cells[0].text = a.cells[0].text;
  CHECK(compare(b, b, 5).other_queries.empty());
}

TEST_CASE("of an emulated cell only a part of the time may be the machine's") {
  const auto emulated = [](double read_gb_s, const std::vector<double>& times) {
    SavedRun run = run_at(read_gb_s, times);
    run.cells[0].setting.medium = run.context.ceilings.placements[0].medium = "cxl:cxl-fpga";
    run.cells[0].emulated = true;
    run.cells[0].profile = "cxl-fpga";
    return run;
  };
  for (const HeldBy held_by : {HeldBy::kTime, HeldBy::kCeiling}) {
    const Comparison slower_host = compare(emulated(200, kFast), emulated(100, kSlow), 5, held_by);
    CHECK(slower_host.cells[0].best_possible_ratio == Approx(2));
    CHECK(slower_host.cells[0].judged.ratio.value == Approx(2));
    CHECK(slower_host.cells[0].judged.verdict == Verdict::kInconclusive);
    CHECK(compare(emulated(200, kFast), emulated(200, kSlow), 5, held_by).regressions == 1);
    // The device's own waits do not shorten where the host is faster.
    CHECK(compare(emulated(100, kFast), emulated(200, kFast), 5, held_by).regressions == 0);
  }
}

TEST_CASE("several files a side: their times are one sample, and their differences are the noise") {
  const std::vector<SavedRun> a{run_of({cell_of(1, kFast)}), run_of({cell_of(1, kFast)})};
  const std::vector<SavedRun> b{run_of({cell_of(1, kSlow), cell_of(2, kSlow)}),
                                run_of({cell_of(1, kSlow)})};
  const Comparison comparison = compare(a, b, 5);
  CHECK(comparison.regressions == 1);
  CHECK(comparison.only_b.size() == 1);
  CHECK(comparison.not_judged() == 1);
  REQUIRE(comparison.files.size() == 4);
  CHECK(comparison.files[1].label == "A2");
  const std::string text = comparison_text(comparison);
  CHECK(text.find("B2: r.json") != std::string::npos);
  CHECK(text.find("noise, A against A (its files): 0.0 %") != std::string::npos);
  CHECK(text.find("1 not judged; 1 regression over 5 %") != std::string::npos);
  const std::vector<SavedRun> unlike{run_of({cell_of(1, kFast)}), run_of({cell_of(1, kSlow)})};
  CHECK(compare(unlike, b, 5).cells[0].judged.verdict == Verdict::kInconclusive);
}

TEST_CASE("every file is held against the first, and told by its name") {
  SavedRun a = run_of({cell_of(1, kFast)});
  SavedRun other = a;
  other.context.commit = "another";
  const std::vector<SavedRun> of_a{a, other};
  const std::vector<SavedRun> of_b{a};
  const Comparison comparison = compare(of_a, of_b, 5);
  REQUIRE_FALSE(comparison.notes.empty());
  CHECK(comparison.notes.front() == "A2, commit: '' against 'another'");
  CHECK(compare(a, other, 5).notes.front() == "commit: '' against 'another'");
}

}  // namespace
}  // namespace hdbench::bench
