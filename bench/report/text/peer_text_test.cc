#include <algorithm>
#include <sstream>

#include "bench/report/text/text_reports.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

CellResult flat_cell(int query, double ms) {
  CellResult cell = sample_cell(query, "dram", ms);
  cell.setting.layout = Layout::kFlat;
  return cell;
}

CellResult peer_cell(int query, const std::string& engine, double ms) {
  CellResult cell = flat_cell(query, ms);
  cell.peer = PeerLabel{engine, "1.0", "enum", "native table", "SELECT"};
  return cell;
}

std::string text_of(std::vector<CellResult> cells) {
  return peer_text(SamplePivot(std::move(cells)));
}

bool has_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("each engine has its time and how many times hdbench's that is") {
  CHECK(text_of({flat_cell(8, 10), flat_cell(9, 10), peer_cell(8, "duckdb", 90),
                 peer_cell(9, "duckdb", 40), peer_cell(9, "polars", 20)}) ==
        "\n"
        "peers, 2 threads: ms, and how many times hdbench's (dram, flat, mode 4.0)\n"
        "query      hdbench  duckdb 1.0  times  polars 1.0  times\n"
        "Q08          10.00       90.00  9.00x\n"
        "Q09          10.00       40.00  4.00x       20.00  2.00x\n"
        "mean of 1                       4.00x              2.00x\n"
        "how each holds the table, and what it ran: results.json\n");
}

TEST_CASE("means are of the queries that every engine answers, and one without any is left out") {
  CellResult failed = peer_cell(9, "chdb", 0);
  failed.real_ms.clear();
  failed.error = "no package";
  CHECK(has_text(text_of({flat_cell(8, 10), flat_cell(9, 10), peer_cell(8, "duckdb", 90),
                          peer_cell(9, "duckdb", 40), failed}),
                 "mean                        6.00x\n"));
}

TEST_CASE("a peer that does not read the columns is in parentheses and in no ratio") {
  std::vector<CellResult> cells = {flat_cell(9, 10), peer_cell(9, "duckdb", 5),
                                   peer_cell(9, "polars", 20)};
  cells[1].peer->unread = "stored statistics";
  const std::string text = text_of(cells);
  CHECK(has_text(text, "Q09      10.00      (5.00)              20.00  2.00x\n"));
  CHECK(has_text(text, "\n(ms): duckdb answers Q09 from stored statistics: not in the ratios\n"));
}

TEST_CASE("what each engine takes over one row is below the table, least to most") {
  std::vector<CellResult> cells = {flat_cell(1, 20), peer_cell(1, "duckdb", 40),
                                   peer_cell(9, "duckdb", 40)};
  cells[1].peer->startup_ms = 2.5;
  cells[2].peer->startup_ms = 0.75;
  CHECK(has_text(text_of(cells), "\nthe same queries over one row: duckdb 1.0 0.750 to 2.50 ms\n"));
}

TEST_CASE("a peer without a result has no time, but its reason") {
  CellResult failed = peer_cell(9, "duckdb", 0);
  failed.real_ms.clear();
  failed.rows_out.reset();
  failed.error = "the worker ended by signal 9";
  const std::string text = text_of({flat_cell(9, 20), failed});
  CHECK(has_text(text, "Q09      20.00           -\n"));
  CHECK(has_text(text, "\n-: duckdb: the worker ended by signal 9\n"));
}

TEST_CASE("four peers fit on 100 columns") {
  std::vector<CellResult> cells = {flat_cell(9, 123'456)};
  for (const char* engine : {"duckdb", "polars", "chdb", "datafusion"})
    cells.push_back(peer_cell(9, engine, 1'234'567));
  std::istringstream lines(text_of(cells));
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
}

}  // namespace
}  // namespace hdbench::bench
