#include <algorithm>
#include <functional>
#include <sstream>

#include "bench/report/text/text_reports.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::string full_of(std::vector<CellResult> cells,
                    const std::function<void(RunContext&)>& change = {}) {
  SavedRun run = sample_run(std::move(cells));
  if (change) change(run.context);
  std::vector<SavedRun> runs;
  runs.push_back(std::move(run));
  const ReportInput input = *merge_runs(std::move(runs));
  return full_report(ReportPivot(input));
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_widths(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 120);
  }
}

MemoryCeilings reads(double one, double two) {
  MemoryCeilings memory;
  memory.by_threads.resize(2);
  memory.by_threads[0].threads = 1;
  memory.by_threads[0].read_gb_s = {one, one, one};
  memory.by_threads[1].threads = 2;
  memory.by_threads[1].read_gb_s = {two, two, two};
  return memory;
}

TEST_CASE("every cell is a line, and axes that do not vary stand above the list") {
  const std::string text = full_of(
      {sample_cell(1, "nvme", 100), sample_cell(2, "nvme", 100), sample_cell(1, "dram", 10),
       emulated_cell(sample_cell(2, "dram", 20)), stopped_cell(sample_cell(1, "dram", 5), 8)});
  CHECK(says(text, "every cell (layout partitioned, attr parted, mode 4.0, -s 2, codes stored"));
  CHECK(says(text,
             "query  medium                        cache  -w  reps  rows     ms  +-%  "
             "GB/s  ceiling  times\n"));
  CHECK(says(text,
             "Q01    nvme                          cold       5       10  100.0    2  "
             "0.08      -\n"));
  CHECK(says(text,
             "Q02    app-direct:optane-100-6dimm*  warm       5       10  20.00    2  "
             "0.40      -    5.00x\n"));
  CHECK(says(text, "Q01    dram                          warm   8   0       0N\n"));
  CHECK(says(text, "\n0N: Q01: -w: it needs more\n"));
  CHECK(says(text, "What does each tier cost me?"));
}

TEST_CASE("peers' cells are in the list, and beside hdbench's below it") {
  CellResult own = sample_cell(1, "dram", 10);
  own.setting.layout = Layout::kFlat;
  CellResult peer = own;
  peer.peer = PeerLabel{"duckdb", "2.0", "enum", "table", "select", {}};
  const std::string text = full_of({own, peer});
  CHECK(says(text, "\nQ01    duckdb    10  10.00    2\n"));
  CHECK(says(text, "\npeers, 2 threads"));
}

TEST_CASE("where a medium's bytes lay stands beside it") {
  CellResult cell = sample_cell(1, "dram", 10);
  PlacementProof& proof = cell.placement_proof.emplace();
  proof.claim = "every page on node 0";
  proof.how = "move_pages";
  proof.bytes_total = proof.bytes_where_promised = 1'500'000'000;
  CHECK(says(full_of({cell}),
             "\ndram: real; where it lay: partitioned 1.5 of 1.5 GB: every page on node 0 "
             "(move_pages)\n"));
}

TEST_CASE("memory's ceilings stand by thread count, with the one at which it saturates") {
  const auto with = [](const MemoryCeilings& memory) {
    return full_of({sample_cell(1, "dram", 10)},
                   [&](RunContext& context) { context.ceilings.memory = memory; });
  };
  CHECK(says(with(reads(33, 34)), "memory saturates (within 5 % of the best) at 1 thread: 33.0"));
  CHECK(says(with(reads(17, 34)), "memory is not known to saturate, but reads most at 2 threads"));
  MemoryCeilings none;
  none.reason = "no memory";
  CHECK(says(with(none), "ceilings of memory: none: no memory\n"));
}

TEST_CASE("what went to files is told a query and limit, the most of it") {
  std::vector<CellResult> cells = {sample_cell(10, "dram", 10), sample_cell(10, "dram", 10),
                                   sample_cell(1, "dram", 10)};
  cells[0].spilled_bytes = 1'500'000'000;
  cells[1].spilled_bytes = 1'200'000'000;
  cells[0].setting.limit_mib = cells[1].setting.limit_mib = 64;
  cells[1].setting.threads = 1;
  const std::string text = full_of(cells);
  CHECK(says(text, "spilled: Q10, -w 64: up to 1.5 GB of its workspace went to files"));
  CHECK_FALSE(says(text, "1.2 GB"));
  CHECK_FALSE(says(text, "spilled: Q01"));
}

TEST_CASE("notes end with what was not run, and how to run it again") {
  const std::string text = full_of({sample_cell(1, "dram", 10)}, [](RunContext& context) {
    context.precision = 0.01;
    context.codes_saved = {"narrow codes: half"};
    context.host_limits = {"a limit"};
    context.left_out = {"cxl: absent"};
    context.command = "hdbench run db";
    context.preflight = {{"load-meanwhile", "others took half"}};
  });
  CHECK(text.ends_with(
      "precision: 1 of 1 intervals are wider than the +-1 % that were asked for\n"
      "narrow codes: half\nhost limit: a limit\nnot run: cxl: absent\nagain: hdbench run db\n"));
  CHECK(says(text, "others took half"));
}

TEST_CASE("on a narrow terminal the list lacks what does not fit") {
  const ReportInput input =
      sample_input({sample_cell(1, "nvme", 100), emulated_cell(sample_cell(2, "dram", 20))});
  std::istringstream lines(full_report(ReportPivot(input), {80}));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("lines fit on 120 columns, whatever varies") {
  std::vector<CellResult> cells;
  for (const char* medium : {"nvme", "memory-mode:optane-memory-mode+near=320MiB"}) {
    for (const char* place : {"", "bid,ask,bsize,asize=cxl:cxl-asic-ddr5; col3=numa:1"}) {
      for (const std::uint64_t limit_mib : {std::uint64_t{0}, std::uint64_t{123'456}}) {
        CellResult cell = sample_cell(1, medium, 1'234'567);
        cell.setting.place = cell.setting.results = place;
        cell.setting.limit_mib = limit_mib;
        cell.rows_out = 2'163'100'445;
        cells.push_back(cell);
        cell.setting.layout = Layout::kFlat;
        cell.setting.attr = AttrUse::kNone;
        cell.setting.mode = Mode::k36;
        cell.setting.threads = 128;
        cell.setting.codes = Codes::kNarrow;
        cell.setting.prefetch = Prefetch::kOn;
        cell.visits = {2, 3};
        cells.push_back(cell);
      }
    }
  }
  const std::string text = full_of(cells);
  check_widths(text.substr(text.find("\nquery "), text.find("\n\nnvme") - text.find("\nquery ")));
}

}  // namespace
}  // namespace hdbench::bench
