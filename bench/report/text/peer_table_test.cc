#include "bench/report/text/peer_table.h"

#include <algorithm>
#include <sstream>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

CellResult own_cell(int query, AttrUse attr, double ms) {
  CellResult cell;
  cell.query = query;
  cell.setting.medium = "dram";
  cell.setting.layout = Layout::kFlat;
  cell.setting.attr = attr;
  cell.setting.threads = 2;
  cell.real_ms = {ms};
  cell.rows_out = 186;
  return cell;
}

CellResult peer_cell(int query, const std::string& engine, double ms) {
  CellResult cell = own_cell(query, AttrUse::kNone, ms);
  cell.peer = PeerLabel{engine, "1.0", "enum", "native table", "SELECT"};
  return cell;
}

TEST_CASE("without peers there is no block") {
  CHECK(peer_blocks({}, {}).empty());
  CHECK(peer_blocks({own_cell(1, AttrUse::kNone, 10)}, {}).empty());
}

TEST_CASE("each engine is a column, and the fastest is held against hdbench's best") {
  const std::vector<CellResult> own = {own_cell(9, AttrUse::kNone, 20),
                                       own_cell(9, AttrUse::kParted, 10)};
  CHECK(peer_blocks(own, {peer_cell(9, "duckdb", 40), peer_cell(9, "polars", 20)}) ==
        "\n"
        "peers, 2 threads: ms\n"
        "query          rows     hdbench     hdbench      duckdb      polars      fastest peer\n"
        "                            4.0  parted 4.0                                     takes\n"
        "    9           186       20.00       10.00       40.00       20.00             2.00x\n"
        "geometric mean                                                                  2.00x\n"
        "\n"
        "duckdb 1.0, polars 1.0\n"
        "how each holds the table, and what it ran: results.json\n"
        "in memory one after another, each beside hdbench's cells, which have 1 repetitions in "
        "all\n");
}

TEST_CASE("a peer that does not read the columns is in parentheses and in no ratio") {
  std::vector<CellResult> peers = {peer_cell(9, "duckdb", 5), peer_cell(9, "polars", 20)};
  peers[0].peer->unread = "stored statistics";
  const std::string text = peer_blocks({own_cell(9, AttrUse::kNone, 10)}, peers);
  CHECK(text.find("    9           186       10.00      (5.00)       20.00             2.00x\n") !=
        std::string::npos);
  CHECK(text.find("\n(ms): duckdb answers query 9 from stored statistics: not in the ratios\n") !=
        std::string::npos);
}

TEST_CASE("what each engine takes over one row is below the table, least to most") {
  std::vector<CellResult> peers = {peer_cell(1, "duckdb", 40), peer_cell(9, "duckdb", 40),
                                   peer_cell(1, "polars", 40), peer_cell(1, "chdb", 40)};
  peers[0].peer->floor_ms = 2.5;
  peers[1].peer->floor_ms = 0.75;
  peers[2].peer->floor_ms = 0.5;
  CHECK(peer_blocks({own_cell(1, AttrUse::kNone, 20)}, peers)
            .find("\nthe same queries over one row: duckdb 0.750 to 2.50, polars 0.500 to 0.500 "
                  "ms\n") != std::string::npos);
}

TEST_CASE("a peer without a result has no time, but its reason") {
  CellResult failed = peer_cell(9, "duckdb", 0);
  failed.real_ms.clear();
  failed.error = "the worker ended by signal 9";
  const std::string text = peer_blocks({own_cell(9, AttrUse::kNone, 20)}, {failed});
  CHECK(text.find("    9           186       20.00           -\n") != std::string::npos);
  CHECK(text.find("-: duckdb: the worker ended by signal 9\n") != std::string::npos);
}

TEST_CASE("more than six columns go below each other, the ratio beside the last of them") {
  std::vector<CellResult> own;
  for (const AttrUse attr : {AttrUse::kNone, AttrUse::kParted}) {
    for (const Mode mode : {Mode::k36, Mode::k40}) {
      own.push_back(own_cell(9, attr, 20));
      own.back().setting.mode = mode;
    }
  }
  std::vector<CellResult> peers;
  for (const char* engine : {"duckdb", "polars", "chdb", "datafusion"}) {
    peers.push_back(peer_cell(9, engine, 40));
    peers.back().peer->version = "1.0";
  }
  const std::string text = peer_blocks(own, peers);
  CHECK(text.substr(0, text.find("\n\nduckdb")) ==
        "\n"
        "peers, 2 threads: ms\n"
        "query          rows     hdbench     hdbench     hdbench     hdbench      duckdb      "
        "polars\n"
        "                            3.6         4.0  parted 3.6  parted 4.0\n"
        "    9           186       20.00       20.00       20.00       20.00       40.00       "
        "40.00\n"
        "query          rows        chdb  datafusion      fastest peer\n"
        "                                                        takes\n"
        "    9           186       40.00       40.00             2.00x\n"
        "geometric mean                                          2.00x");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 120);
}

TEST_CASE("peers are said to have run one after another, with hdbench's repetitions") {
  CellResult own = own_cell(9, AttrUse::kNone, 20);
  own.real_ms = {20, 21};
  const std::vector<CellResult> peers = {peer_cell(9, "duckdb", 40), peer_cell(9, "polars", 20)};
  CHECK(peer_blocks({own}, peers)
            .find("\nin memory one after another, each beside hdbench's cells, which have 2 "
                  "repetitions in all\n") != std::string::npos);
}

TEST_CASE("other media, layouts and limits of hdbench's are not beside the peers") {
  CellResult limited = own_cell(9, AttrUse::kNone, 20);
  limited.setting.limit_mib = 64;
  CellResult disk = own_cell(9, AttrUse::kNone, 20);
  disk.setting.medium = "nvme";
  const std::string text = peer_blocks({limited, disk}, {peer_cell(9, "duckdb", 40)});
  CHECK(text.find("hdbench") == std::string::npos);
}

}  // namespace
}  // namespace hdbench
