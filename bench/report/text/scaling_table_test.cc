#include "bench/report/text/scaling_table.h"

#include <algorithm>
#include <sstream>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

CellResult cell_of(int query, std::size_t threads, double ms) {
  CellResult cell;
  cell.query = query;
  cell.setting.medium = "dram";
  cell.setting.layout = Layout::kFlat;
  cell.setting.threads = threads;
  cell.real_ms = {ms};
  cell.rows_out = 1;
  return cell;
}

MemoryCeilings reads(double one, double two) {
  MemoryCeilings memory;
  memory.by_threads.resize(2);
  memory.by_threads[0].threads = 1;
  memory.by_threads[0].read_gb_s.median = one;
  memory.by_threads[1].threads = 2;
  memory.by_threads[1].read_gb_s.median = two;
  return memory;
}

TEST_CASE("without cells, or on one thread count, nothing scales") {
  CHECK(scaling_blocks({}, {}).empty());
  CHECK(scaling_blocks({cell_of(1, 2, 10)}, reads(17, 34)).empty());
}

TEST_CASE("each query's speed-up and efficiency, their means, and where memory saturates") {
  const std::vector<CellResult> cells = {cell_of(1, 1, 100), cell_of(2, 1, 100), cell_of(1, 2, 50),
                                         cell_of(2, 2, 200)};
  CHECK(scaling_blocks(cells, reads(17, 34)) ==
        "\n"
        "scaling: how many times as fast as 1 thread, and per cent of the ideal; attr parted, mode "
        "4.0\n"
        "query                      dram\n"
        "                           flat\n"
        "                      2 threads\n"
        "    1               2.00x  100%\n"
        "    2               0.50x   25%\n"
        "geometric mean      1.00x   50%\n"
        "\n"
        "memory does not saturate: 2 threads read the most, 34.0 GB/s\n");
  CHECK(scaling_blocks(cells, reads(33, 34))
            .ends_with("memory saturates at 1 thread: 33.0 GB/s read, within 5 % of the best\n"));
}

TEST_CASE("a cell that was stopped leaves its place empty") {
  std::vector<CellResult> cells = {cell_of(1, 1, 100), cell_of(1, 2, 50)};
  cells[1].rows_out.reset();
  const std::string text = scaling_blocks(cells, {});
  CHECK(text.find("    1\ngeometric mean\n") != std::string::npos);
}

TEST_CASE("scaling fits on 120 columns, however many threads there are") {
  std::vector<CellResult> cells;
  for (std::size_t threads = 1; threads <= 20; ++threads)
    cells.push_back(cell_of(1, threads, 100.0 / static_cast<double>(threads)));
  std::istringstream lines(scaling_blocks(cells, {}));
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  CHECK(widest <= 120);
}

}  // namespace
}  // namespace hdbench
