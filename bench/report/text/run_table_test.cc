#include "bench/report/text/run_table.h"

#include <algorithm>
#include <sstream>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

CellResult cell_of(int query, std::string medium, Layout layout, Cache cache, AttrUse attr,
                   std::vector<double> real_ms) {
  CellResult cell;
  cell.query = query;
  cell.setting.medium = std::move(medium);
  cell.setting.layout = layout;
  cell.setting.cache = cache;
  cell.setting.attr = attr;
  cell.setting.threads = 2;
  cell.medium_label = "real (here)";
  cell.real_ms = std::move(real_ms);
  cell.rows_out = 3064072;
  return cell;
}

std::vector<CellResult> two_media() {
  std::vector<CellResult> cells;
  for (const int query : {1, 2}) {
    cells.push_back(cell_of(query, "nvme", Layout::kPartitioned, Cache::kCold, AttrUse::kNone,
                            {100.0 * query, 100.0 * query, 110.0 * query}));
  }
  for (const int query : {1, 2}) {
    cells.push_back(cell_of(query, "dram", Layout::kFlat, Cache::kWarm, AttrUse::kNone, {10}));
  }
  return cells;
}

TEST_CASE("a run without cells has no blocks") { CHECK(run_blocks({}).empty()); }

TEST_CASE("a block compares each column with the disk's cold one") {
  CHECK(run_blocks(two_media()) ==
        "\n"
        "attr none, mode 4.0, 2 threads\n"
        "query          rows   nvme cold             dram\n"
        "                    partitioned             flat\n"
        "    1     3,064,072       100.0     10.00  10.0x\n"
        "    2     3,064,072       200.0     10.00  20.0x\n"
        "geometric mean                             14.1x\n"
        "\n"
        "nvme: real (here)\n"
        "dram: real (here)\n"
        "largest spread, (max - min) / median: 10 %, in\n"
        "  Q01/medium:nvme/layout:partitioned/attr:none/mode:4.0/threads:2/cache:cold/limit:0/"
        "codes:stored\n");
}

TEST_CASE("where a medium's bytes lay stands below it, each placement once") {
  auto cells = two_media();
  PlacementProof proof;
  proof.claim = "every page on node 0";
  proof.how = "move_pages";
  proof.bytes_total = proof.bytes_where_promised = 1'500'000'000;
  for (CellResult& cell : cells) {
    if (cell.setting.medium == "dram") cell.placement_proof = proof;
  }
  CHECK(run_blocks(cells).find("dram: real (here)\n  where it lay: flat 1.5 of 1.5 GB: every page "
                               "on node 0 (move_pages)\n") != std::string::npos);
}

TEST_CASE("a cell that the limit stopped is 0N and has no ratio") {
  auto cells = two_media();
  cells[3].rows_out.reset();
  cells[3].error = "-w abort";
  const std::string text = run_blocks(cells);
  CHECK(text.find("200.0        0N\n") != std::string::npos);
  CHECK(text.find("geometric mean                             10.0x\n") != std::string::npos);
}

TEST_CASE("where the disk has no parted column its unparted cells stand in, and it is said") {
  auto cells = two_media();
  cells.push_back(cell_of(1, "dram", Layout::kFlat, Cache::kWarm, AttrUse::kParted, {1}));
  const std::string text = run_blocks(cells);
  const std::string parted = text.substr(text.find("attr parted"));
  CHECK(parted.find("partitioned/no p") != std::string::npos);
  CHECK(parted.find("100.0      1.00   100x") != std::string::npos);
}

TEST_CASE("several blocks end with all their means") {
  auto cells = two_media();
  for (const CellResult& cell : two_media()) {
    cells.push_back(cell);
    cells.back().setting.mode = Mode::k36;
  }
  const std::string text = run_blocks(cells);
  CHECK(text.substr(text.find("geometric means")) ==
        "geometric means: how many times                 dram\n"
        "as fast as nvme cold partitioned                flat\n"
        "none, 4.0, 2 threads                           14.1x\n"
        "none, 3.6, 2 threads                           14.1x\n");
}

TEST_CASE("where codes are narrow a third line says so, above the columns and the means") {
  auto cells = two_media();
  for (const Mode mode : {Mode::k40, Mode::k36}) {
    for (const int query : {1, 2}) {
      cells.push_back(
          cell_of(query, "dram", Layout::kFlat, Cache::kWarm, AttrUse::kNone, {5.0 * query}));
      cells.back().setting.codes = Codes::kNarrow;
      cells.back().setting.mode = mode;
    }
  }
  const std::string text = run_blocks(cells);
  CHECK(text.substr(0, text.find("geometric mean")) ==
        "\n"
        "attr none, mode 4.0, 2 threads\n"
        "query          rows   nvme cold             dram             dram\n"
        "                    partitioned             flat             flat\n"
        "                   stored codes     stored codes     narrow codes\n"
        "    1     3,064,072       100.0     10.00  10.0x      5.00  20.0x\n"
        "    2     3,064,072       200.0     10.00  20.0x     10.00  20.0x\n");
  CHECK(text.substr(text.find("geometric means:")) ==
        "geometric means: how many times                 dram             dram\n"
        "as fast as nvme cold partitioned                flat             flat\n"
        "stored codes                            stored codes     narrow codes\n"
        "none, 4.0, 2 threads                           14.1x            20.0x\n"
        "none, 3.6, 2 threads\n");
}

TEST_CASE("cells that were read ahead of are a column of their own, marked +p and explained") {
  auto cells = two_media();
  CHECK(run_blocks(cells).find("+p") == std::string::npos);
  for (const int query : {1, 2}) {
    cells.push_back(
        cell_of(query, "nvme", Layout::kPartitioned, Cache::kCold, AttrUse::kNone, {50.0 * query}));
    cells.back().setting.prefetch = Prefetch::kOn;
  }
  const std::string text = run_blocks(cells);
  CHECK(text.substr(0, text.find("geometric mean")) ==
        "\n"
        "attr none, mode 4.0, 2 threads\n"
        "query          rows   nvme cold      nvme cold+p             dram\n"
        "                    partitioned      partitioned             flat\n"
        "    1     3,064,072       100.0     50.00  2.00x     10.00  10.0x\n"
        "    2     3,064,072       200.0     100.0  2.00x     10.00  20.0x\n");
  CHECK(text.find("\n+p: read ahead of the queries (--prefetch on)\n") != std::string::npos);
}

TEST_CASE("lines fit on 120 columns, however many media there are") {
  std::vector<CellResult> cells = two_media();
  for (const std::string medium : {"app-direct", "memory-mode", "cxl:asic-ddr5"}) {
    for (const Layout layout : {Layout::kPartitioned, Layout::kFlat}) {
      CellResult cell = cell_of(1, medium, layout, Cache::kWarm, AttrUse::kNone, {123456.7});
      cell.emulated = true;
      cells.push_back(cell);
    }
  }
  std::istringstream lines(run_blocks(cells));
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, line.size());
  }
  CHECK(widest <= 120);
  CHECK(run_blocks(cells).find("* app-direct: real (here)\n") != std::string::npos);
}

}  // namespace
}  // namespace hdbench
