#include <algorithm>
#include <sstream>

#include "bench/storage/io_results.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

IoResult calls(std::size_t processes) {
  IoResult result;
  result.name = "io/hcount/engine:calls/processes:" + std::to_string(processes);
  result.group = "metadata";
  result.unit = "ms";
  result.processes = processes;
  result.samples = {0.002, 0.002};
  result.median = 0.002;
  result.operations = 1000;
  result.iops = 500000;
  result.process_spread = 0.2;
  result.published = "NVMe 0.003 ms";
  return result;
}

TEST_CASE("a table a process count, a line a result, published figures at its end") {
  IoRun run;
  run.results = {calls(1), calls(2)};
  const std::string table = io_table(run);
  CHECK(table.find("\n1 process\n") != std::string::npos);
  CHECK(table.find("\n2 processes\n") != std::string::npos);
  CHECK(table.find("hcount/engine:calls ") != std::string::npos);
  CHECK(table.find("  NVMe 0.003 ms\n") != std::string::npos);
}

TEST_CASE("markdown has a table a process count, as many fields a line as its head") {
  IoRun run;
  run.results = {calls(1), calls(2)};
  run.left_out = {"O_DIRECT: refused"};
  const std::string text = io_markdown(run);
  CHECK(text.find("\n### 2 processes\n\n| test |") != std::string::npos);
  CHECK(text.find("| hcount/engine:calls | 0.002 | ms |") != std::string::npos);
  CHECK(text.find("\nleft out: O_DIRECT: refused\n") != std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("|")) CHECK(std::count(line.begin(), line.end(), '|') == 12);
  }
}

TEST_CASE("of several ranks the slowest one and their spread are shown in each form") {
  IoRun run;
  run.results = {calls(1), calls(1)};
  run.results[0].rank_medians = {0.002, 0.004};
  CHECK_FALSE(rank_spread_of(run.results[1]));
  CHECK(rank_spread_of(run.results[0])->slowest == 1);  // ms: the highest
  run.results[0].unit = "MB/s";
  CHECK(rank_spread_of(run.results[0])->slowest == 0);
  CHECK(rank_spread_of(run.results[0])->spread == Approx(2.0 / 3));
  CHECK(io_csv(run).find("slowest") == std::string::npos);
  run.ranks.resize(2);
  run.ranks[1].name = "rank 1 on b";
  run.ranks[1].targets.resize(1);
  run.ranks[1].targets[0].path = "/disk";
  const std::string table = io_table(run);
  CHECK(table.starts_with("rank 1 on b: /disk: "));
  CHECK(table.find("\n1 process on each of 2 ranks\n") != std::string::npos);
  CHECK(table.find("0.002 (rank 0)     33 ") != std::string::npos);
  CHECK(io_csv(run).find(",0,,0,0.002,0.66") != std::string::npos);
  CHECK(io_csv(run).ends_with(",0,,,,\n"));
  std::istringstream lines(io_markdown(run));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("|")) CHECK(std::count(line.begin(), line.end(), '|') == 14);
  }
  run.results[0].error = "cold: not proved";
  CHECK_FALSE(rank_spread_of(run.results[0]));
}

TEST_CASE("what was left out and cut short is said below, and memory above") {
  IoRun run;
  run.targets.push_back({});
  run.targets.back().path = "/dev/shm";
  run.targets.back().place = "tmpfs";
  run.targets.back().memory = true;
  run.left_out = {"O_DIRECT: /x on tmpfs refuses it"};
  run.complete = false;
  const std::string table = io_table(run);
  CHECK(table.starts_with("/dev/shm: tmpfs, memory: never cold\n"));
  CHECK(table.find("left out: O_DIRECT: /x on tmpfs refuses it\n") != std::string::npos);
  CHECK(table.find("the budget left out repetitions\n") != std::string::npos);
  // A comma in an error does not break a line of CSV.
  run.results = {calls(1)};
  run.results[0].error = "a, b";
  CHECK(io_csv(run).find(",a; b\n") != std::string::npos);
}

}  // namespace
}  // namespace hdbench::bench
