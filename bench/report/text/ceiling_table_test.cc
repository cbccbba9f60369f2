#include "bench/report/text/ceiling_table.h"

#include <algorithm>
#include <sstream>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

CellResult cell_of(int query, std::string medium, Cache cache, double ms) {
  CellResult cell;
  cell.query = query;
  cell.setting.medium = std::move(medium);
  cell.setting.cache = cache;
  cell.setting.attr = AttrUse::kNone;
  cell.setting.threads = 2;
  cell.medium_label = "real (here)";
  cell.real_ms = {ms};
  cell.rows_out = 1;
  cell.bytes_read = 400'000'000;
  return cell;
}

RunCeilings some_ceilings() {
  ThreadCeilings two;
  two.threads = 2;
  two.rounds = 4;
  two.read_gb_s = {40, 42};
  two.write_gb_s = {10, 11};
  two.stream_gb_s = {30, 31};
  two.copy_gb_s = {50, 52};
  two.gather_gb_s = {14, 15};
  two.gather_ns = {9, 8};
  two.chase_ns = {150, 149};
  RunCeilings ceilings;
  ceilings.memory.by_threads = {two};
  ceilings.memory.buffer_bytes = 512 << 20;
  ceilings.memory.cache_bytes = 256 << 20;
  for (const char* medium : {"dram", "nvme"}) {
    ceilings.placements.push_back({medium, Layout::kPartitioned, Codes::kStored, ceilings.memory});
  }
  ceilings.device.device = "ext4 on /dev/vda";
  ceilings.device.sequential.gb_s = {1.9, 2.1};
  ceilings.device.random.gb_s = {0.4};
  return ceilings;
}

TEST_CASE("a run without cells has no ceilings to show") {
  CHECK(ceiling_blocks({}, some_ceilings()).empty());
}

TEST_CASE("memory by thread count, then each block's GB/s and per cent") {
  const std::vector<CellResult> cells = {cell_of(1, "dram", Cache::kWarm, 20),
                                         cell_of(2, "dram", Cache::kWarm, 5)};
  CHECK(
      ceiling_blocks(cells, some_ceilings()) ==
      "\n"
      "ceilings of this machine's memory: median (best) of 4 timed rounds, 2 buffers of 512 MiB\n"
      "                 read         write    write past     copy past        gather        "
      "gather         chase\n"
      "threads          GB/s          GB/s   caches GB/s   caches GB/s    lines GB/s       "
      "ns/line       ns/line\n"
      "      2   40.0 (42.0)   10.0 (11.0)   30.0 (31.0)   50.0 (52.0)   14.0 (15.0)     "
      "9.0 (8.0) 150.0 (149.0)\n"
      "  copy: bytes read and written; gather, chase: 64-byte lines in random order, each "
      "independent, each found in\n"
      "  the one before; ns on one thread\n"
      "\n"
      "GB/s, and per cent of the ceiling: attr none, mode 4.0, 2 threads\n"
      "query             dram\n"
      "           partitioned\n"
      "    1   20.00   50% r\n"
      "    2   80.00  200% r!\n"
      "  the ceiling is of the same placement's rounds, and mostly: r read, w write, c copy, d "
      "device\n"
      "  !: above its ceiling: bytes came from a cache, or the memory was slower when the ceiling "
      "was measured\n");
}

TEST_CASE("buffers that the caches may hold are said to be such") {
  RunCeilings ceilings = some_ceilings();
  const std::vector<CellResult> cells = {cell_of(1, "dram", Cache::kWarm, 20)};
  CHECK(ceiling_blocks(cells, ceilings).find("last-level caches") == std::string::npos);
  ceilings.memory.cache_bytes = 1024 << 20;
  CHECK(ceiling_blocks(cells, ceilings)
            .find("\n  last-level caches hold 1024 MiB, both buffers or more: these may be the "
                  "caches' figures\n") != std::string::npos);
}

TEST_CASE("a cold cell brings the device's ceiling") {
  const std::vector<CellResult> cells = {cell_of(1, "nvme", Cache::kCold, 2000)};
  RunCeilings ceilings = some_ceilings();
  ceilings.device.summed.gb_s = {1.4, 1.6};
  const std::string text = ceiling_blocks(cells, ceilings);
  CHECK(text.find("ceiling of the device, past the page cache (ext4 on /dev/vda): median (best)\n"
                  "  in order 2 (2.1) GB/s, 1024 KiB, 8 at a time; in random places 0.4 (0.4) "
                  "GB/s, 4 KiB, 32 at a time\n"
                  "  in order, each byte then summed by a CPU: 1.5 (1.6) GB/s\n") !=
        std::string::npos);
  CHECK(text.find("    1    0.20   10% d\n") != std::string::npos);
}

TEST_CASE("a second device stands below the database's") {
  RunCeilings ceilings = some_ceilings();
  ceilings.scratch_device.emplace().device = "xfs on /dev/vdb";
  ceilings.scratch_device->sequential.gb_s = {0.5};
  const std::string text = ceiling_blocks({cell_of(1, "nvme", Cache::kCold, 2000)}, ceilings);
  CHECK(text.find("4 KiB, 32 at a time\nceiling of the scratch files' device, past the page cache "
                  "(xfs on /dev/vdb): median (best)\n  in order 0.5 (0.5) GB/s") !=
        std::string::npos);
}

TEST_CASE("what has no ceiling is left out, with a line that says why") {
  CellResult pmem = cell_of(1, "app-direct", Cache::kWarm, 20);
  pmem.medium_label = "real (fsdax)";
  const std::string text = ceiling_blocks({pmem}, {});
  CHECK(text.find("ceilings of this machine's memory: none: ") != std::string::npos);
  CHECK(text.find("GB/s, and per cent") == std::string::npos);
  CHECK(text.find(
            "  no ceiling for app-direct: what real (fsdax) can do at best is not measured\n") !=
        std::string::npos);
}

TEST_CASE("emulated cells leave the table to the others") {
  std::vector<CellResult> cells = {cell_of(1, "dram", Cache::kWarm, 20)};
  for (const int query : {1, 2}) {
    cells.push_back(cell_of(query, "app-direct:optane-100-6dimm", Cache::kWarm, 20));
    cells.back().emulated = true;
    cells.back().profile = "optane-100-6dimm";
  }
  const std::string text = ceiling_blocks(cells, some_ceilings());
  CHECK(text.find("query             dram\n") != std::string::npos);
  CHECK(text.find("    1   20.00   50% r\n") != std::string::npos);
  const std::string line =
      "  no ceiling for app-direct*: an emulated device is held against its "
      "profile, not against this machine\n";
  CHECK(text.find(line) != std::string::npos);
  CHECK(text.find(line) == text.rfind(line));
  CHECK(text.find("  -") == std::string::npos);
}

TEST_CASE("ceilings fit on 120 columns, however many media there are") {
  std::vector<CellResult> cells;
  for (const std::string medium : {"nvme", "dram", "app-direct", "memory-mode", "cxl:asic-ddr5"}) {
    for (const Layout layout : {Layout::kPartitioned, Layout::kFlat}) {
      CellResult cell = cell_of(1, medium, Cache::kWarm, 0.001);
      cell.setting.layout = layout;
      cell.emulated = true;
      cells.push_back(cell);
    }
  }
  std::istringstream lines(ceiling_blocks(cells, some_ceilings()));
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  CHECK(widest <= 120);
}

}  // namespace
}  // namespace hdbench
