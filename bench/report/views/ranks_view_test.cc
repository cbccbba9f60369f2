#include "bench/report/views/ranks_view.h"

#include "bench/testing/sample_ranks.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a time is shared out between reading, the network, the merge and the slowest rank") {
  const RankShares shares = rank_shares(shared_cell(1, 100, 3, 0.5));
  CHECK(shares.map_ms == 20);
  CHECK(shares.slowest_ms == 30);
  CHECK(shares.slowest == 1);
  CHECK(shares.transfer_ms == 50);
  CHECK(shares.merge_ms == 20);
  CHECK(shares.efficiency() == 0.2);
  CHECK(shares.bound() == "network");
  CHECK(rank_shares(shared_cell(1, 100, 9, 0)).bound() == "reading");
  CHECK(rank_shares(shared_cell(1, 100, 1, 0)).bound() == "merge");
}

TEST_CASE("tables are of machines, the network, and each setting") {
  const ReportInput input =
      input_of_ranks({shared_run({shared_cell(1, 100, 3, 0.5), shared_cell(2, 10, 9, 0)})});
  const auto tables = rank_tables(input);
  REQUIRE(tables.size() == 3);
  CHECK(tables[0].rows.size() == 3);
  CHECK(tables[0].rows[2].back() == "-12,500 ± 250");
  CHECK(tables[1].rows[0].back() == "16,777,216");
  REQUIRE(tables[2].rows.size() == 3);
  CHECK(tables[2].rows[1].back() == "network");
  const auto lines = rank_lines(input);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("2 ranks: they read") == 0);
  CHECK(lines[0].find("bound by network: Q01") != std::string::npos);
}

TEST_CASE("numbers of ranks are held against each other") {
  const ReportInput input = input_of_ranks(
      {sample_run({sample_cell(1, "dram", 50)}, "b.json"), shared_run({shared_cell(1, 20, 2, 0)})});
  const auto tables = rank_tables(input);
  CHECK(tables.back().rows[0] == std::vector<std::string>{"query", "1 rank", "2 ranks"});
  CHECK(tables.back().rows[1][2].ends_with("(2.50)"));
  CHECK(rank_tables(sample_input({sample_cell(1, "dram", 50)})).empty());
}

}  // namespace
}  // namespace hdbench::bench
