#include "bench/report/views/machine_view.h"

#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {

TEST_CASE("one machine has no table of machines") {
  std::vector<SavedRun> runs;
  runs.push_back(sample_run({sample_cell(1, "nvme", 100)}));
  CHECK(machines_view(*merge_runs(std::move(runs))).rows.empty());
}

TEST_CASE("several machines' facts are side by side, and what is missing is said") {
  std::vector<SavedRun> runs;
  runs.push_back(sample_run({sample_cell(1, "nvme", 100)}, "a.json"));
  runs.push_back(sample_run({sample_cell(1, "nvme", 50)}, "b.json"));
  Host& host = runs.back().context.host;
  host.host_name = "other";
  MachineFacts facts;
  facts.sockets = 2;
  facts.cores = 64;
  facts.memory_modules = {{8, std::uint64_t{64} << 30, "DDR5", 4800}};
  facts.governor = "performance";
  facts.numa_balancing = 1;
  host.facts = facts;
  const ViewTable table = machines_view(*merge_runs(std::move(runs)));
  REQUIRE(table.columns.size() == 3);
  const auto of = [&](const std::string& what, std::size_t machine) {
    for (const auto& row : table.rows) {
      REQUIRE(row.size() == 3);
      if (row[0].text == what) return row[machine].text;
    }
    return std::string("no such fact");
  };
  CHECK(of("host", 2) == "other");
  CHECK(of("sockets, cores", 1) == "not told");
  CHECK(of("sockets, cores", 2) == "2 sockets, 64 cores");
  CHECK(of("memory modules", 2) == "8 x 64 GiB DDR5 at 4800 MT/s");
  CHECK(of("mitigations", 2) == "not told");
  CHECK(of("governor", 2) == "performance");
  CHECK(of("NUMA balancing", 2) == "on (1)");
}

}  // namespace hdbench::bench
