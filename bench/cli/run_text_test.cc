#include "bench/cli/run_text.h"

#include "bench/machine/other_load.h"
#include "engine/base/catch.h"

namespace hdbench {
namespace {

CellResult spilled_cell(int query, std::uint64_t bytes, std::size_t threads) {
  CellResult cell;
  cell.query = query;
  cell.setting.medium = "dram";
  cell.setting.limit_mib = 64;
  cell.setting.threads = threads;
  cell.rows_out = 1;
  cell.real_ms = cell.cpu_ms = {10, 11};
  cell.spilled_bytes = bytes;
  return cell;
}

TEST_CASE("what went to files is told a query and limit, the most of it") {
  RunOutcome outcome;
  outcome.cells = {spilled_cell(10, 1'500'000'000, 1), spilled_cell(10, 1'200'000'000, 2),
                   spilled_cell(1, 0, 1)};
  const std::string text = run_text(outcome);
  CHECK(text.find("spilled: Q10, -w 64: up to 1.5 GB of its workspace went to files, not to the "
                  "results' medium\n") != std::string::npos);
  CHECK(text.find("1.2 GB") == std::string::npos);
  CHECK(text.find("spilled: Q01") == std::string::npos);
}

TEST_CASE("what other work took meanwhile stands below the tables, of every session") {
  RunOutcome outcome;
  outcome.context.preflight = {{"load", "before"},
                               {OtherLoad::kNoteName, "in an earlier session: others"},
                               {OtherLoad::kNoteName, "others now"}};
  outcome.cells = {spilled_cell(1, 0, 1)};
  const std::string text = run_text(outcome);
  CHECK(text.ends_with("in an earlier session: others\nothers now\n"));
  CHECK(text.find("before") == std::string::npos);
}

}  // namespace
}  // namespace hdbench
