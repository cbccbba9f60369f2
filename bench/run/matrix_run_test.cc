// Cells over a small generated database, from file to checksum.
#include "bench/run/matrix_run.h"

#include <atomic>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "bench/testing/small_database.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

const std::atomic<bool> kGoesOn{false};

std::unique_ptr<Session> session_of(const std::atomic<bool>& stop = kGoesOn) {
  static const SmallDatabase database;
  SessionOptions options;
  options.database = database.path();
  options.ceiling_bytes = 1 << 20;
  options.stop = &stop;
  auto session = Session::open(options);
  REQUIRE(session.ok());
  return std::move(*session);
}

AxisLists warm_lists(std::vector<std::string> media) {
  AxisLists lists;
  lists.words["medium"] = std::move(media);
  lists.words["attr"] = {"none", "parted"};
  lists.words["mode"] = {"3.6", "4.0"};
  lists.words["threads"] = {"1", "2"};
  lists.words["cache"] = {"warm"};
  lists.words["limit"] = {"0"};
  return lists;
}

RunRequest request_of(AxisLists lists, std::size_t repetitions) {
  RunRequest request;
  request.lists = std::move(lists);
  request.repetitions = exactly(repetitions);
  return request;
}

std::vector<ListedQuery> query_of(const std::string& text) {
  auto queries = one_query(text);
  REQUIRE(queries.ok());
  return std::move(*queries);
}

// One matrix, without a time budget.
RunOutcome run_cells(Session& session, const std::vector<ListedQuery>& queries,
                     const RunRequest& request) {
  MatrixRun run(session, queries, request);
  Status status = run.list();
  if (status.ok()) status = run.begin();
  if (status.ok()) status = run_schedule({&run}, request.reloads, std::nullopt);
  RunOutcome outcome = run.outcome();
  if (!status.ok()) outcome.error = status.error();
  return outcome;
}

// The same over a session of its own, of one query.
RunOutcome run_cells(const std::string& text, const RunRequest& request) {
  return run_cells(*session_of(), query_of(text), request);
}

// As if its later repetitions had never been.
void cut_to(CellResult& cell, std::vector<std::size_t> visits) {
  const std::size_t count = std::accumulate(visits.begin(), visits.end(), std::size_t{0});
  cell.visits = std::move(visits);
  cell.real_ms.resize(count);
  cell.cpu_ms.resize(count);
}

const std::string kLastByDate =
    "select * by date,col1 from quote where date within (2020.01.03 2020.01.31), col3 in `val1";
const std::string kEverything = "select from quote";

TEST_CASE("every layout, attribute, mode and thread count gives the same result") {
  const RunOutcome outcome = run_cells(kLastByDate, request_of(warm_lists({"nvme", "dram"}), 2));
  REQUIRE_FALSE(outcome.error);
  CHECK(outcome.context.left_out.empty());
  REQUIRE(outcome.cells.size() >= 24);
  REQUIRE(outcome.context.datasets.front().table_rows.size() == 1);
  // Before two repetitions in each of the three placements and after them; the untimed rounds are
  // not kept.
  REQUIRE(outcome.context.ceilings.memory.by_threads.size() == 2);
  CHECK(outcome.context.ceilings.memory.of(2)->rounds == 9);
  REQUIRE(outcome.context.ceilings.placements.size() == 3);
  for (const PlacementCeilings& placement : outcome.context.ceilings.placements) {
    REQUIRE(placement.memory.of(2) != nullptr);
    CHECK(placement.memory.of(2)->rounds == 3);
  }
  CHECK(outcome.context.ceilings.memory.of(2)->read_gb_s.median > 0);
  CHECK_FALSE(outcome.context.ceilings.device.known());
  for (const CellResult& cell : outcome.cells) {
    CHECK(cell.rows_out == 40);
    CHECK(cell.checksum == outcome.cells.front().checksum);
    CHECK(cell.real_ms.size() == 2);
    CHECK_FALSE(cell.error);
    CHECK(cell.resident_before() > 0);
    CHECK(cell.bytes_read > 0);
    RunCeilings without_caches = outcome.context.ceilings;
    without_caches.memory.cache_bytes = 0;
    CHECK(cell_ceiling(cell, without_caches).ok());
  }
}

TEST_CASE("visits load each placement anew and share the repetitions") {
  RunRequest request = request_of(warm_lists({"nvme", "dram"}), 3);
  request.reloads = 2;
  std::size_t kept = 0;
  request.keep = [&](const Visit& visit) { kept += visit.is_whole ? 1 : 0; };
  const RunOutcome outcome = run_cells(kLastByDate, request);
  REQUIRE_FALSE(outcome.error);
  CHECK(kept == 6);
  REQUIRE(outcome.context.ceilings.placements.size() == 3);
  for (const PlacementCeilings& placement : outcome.context.ceilings.placements) {
    CHECK(placement.finished);
    CHECK(placement.visits == 2);
    CHECK(placement.memory.of(2)->rounds == 6);
  }
  CHECK(outcome.context.ceilings.memory.of(2)->rounds == 18);
  std::set<std::string> names;
  for (const CellResult& cell : outcome.cells) {
    names.insert(cell.name());
    CHECK(cell.real_ms.size() == 4);
    CHECK(cell.visits == std::vector<std::size_t>{2, 2});
  }
  CHECK(names.size() == outcome.cells.size());
}

TEST_CASE("what has too few repetitions stays until it is measured anew") {
  std::atomic<bool> stop{false};
  const auto session = session_of(stop);
  const auto queries = query_of(kLastByDate);
  RunRequest request = request_of(warm_lists({"dram"}), 2);
  request.lists.words["layout"] = {"flat"};
  const RunOutcome whole = run_cells(*session, queries, request);
  REQUIRE_FALSE(whole.error);
  SavedRun saved{"r.json", whole.context, whole.cells};
  saved.context.ceilings.placements.front().visits = 0;
  for (CellResult& cell : saved.cells) cut_to(cell, {1});
  request.resumed = &saved;
  stop = true;
  const RunOutcome again = run_cells(*session, queries, request);
  REQUIRE(again.error);
  REQUIRE(again.cells.size() == whole.cells.size());
  for (const CellResult& cell : again.cells) CHECK(cell.real_ms.size() == 1);
}

TEST_CASE("every visit has as many repetitions as the first, whatever the times") {
  RunRequest request = request_of(warm_lists({"dram"}), 2);
  request.repetitions = {4, 20, 1e-9};
  request.reloads = 2;
  const RunOutcome outcome = run_cells(kLastByDate, request);
  REQUIRE_FALSE(outcome.error);
  for (const CellResult& cell : outcome.cells) {
    REQUIRE(cell.visits.size() == 2);
    CHECK(cell.visits[0] == cell.visits[1]);
  }
}

TEST_CASE("narrow codes give the stored codes' results in both layouts, reading fewer bytes") {
  for (const std::string& text : {kLastByDate, kEverything}) {
    AxisLists lists = warm_lists({"nvme", "dram"});
    lists.words["layout"] = {"partitioned", "flat"};
    lists.words["codes"] = {"stored", "narrow"};
    const RunOutcome outcome = run_cells(text, request_of(lists, 1));
    REQUIRE_FALSE(outcome.error);
    REQUIRE(outcome.cells.size() >= 48);
    std::map<std::string, std::uint64_t> bytes_by_setting;
    for (const CellResult& cell : outcome.cells) {
      CHECK(cell.checksum == outcome.cells.front().checksum);
      Setting setting = cell.setting;
      setting.codes = Codes::kStored;
      const auto [other, is_first] =
          bytes_by_setting.emplace(setting_name(setting), cell.bytes_read);
      if (!is_first) CHECK(cell.bytes_read < other->second);
    }
    // A line a layout, whatever the media, and one about nvme's scratch files.
    REQUIRE(outcome.context.codes_saved.size() == 3);
    CHECK(outcome.context.codes_saved[0].find("codes narrow, partitioned, quote: col1 col2 col3") ==
          0);
    CHECK(outcome.context.codes_saved[1].find("codes narrow, nvme: ") == 0);
    CHECK(outcome.context.codes_saved[2].find("codes narrow, flat, quote: date at 1 byte") == 0);
  }
}

TEST_CASE("a cell that reaches its limit is 0N and the run goes on") {
  AxisLists lists = warm_lists({"dram"});
  lists.words["attr"] = {"none"};
  lists.words["mode"] = {"4.0"};
  lists.words["threads"] = {"1"};
  lists.words["layout"] = {"flat"};
  lists.words["limit"] = {"1", "0"};
  const RunOutcome outcome = run_cells(kEverything, request_of(lists, 1));
  REQUIRE_FALSE(outcome.error);
  REQUIRE(outcome.cells.size() == 2);
  if (outcome.context.datasets.front().table_rows.front().second * 64 > (1 << 20)) {
    CHECK_FALSE(outcome.cells[0].rows_out);
    CHECK(outcome.cells[0].error);
  }
  CHECK(outcome.cells[1].rows_out == outcome.context.datasets.front().table_rows.front().second);
}

TEST_CASE("a medium that is absent is left out, an unknown one ends the run before it begins") {
  const RunOutcome unknown = run_cells(kLastByDate, request_of(warm_lists({"dram", "tape"}), 1));
  REQUIRE(unknown.error);
  CHECK(unknown.error->kind == ErrorKind::kUsage);
  CHECK(unknown.cells.empty());
}

}  // namespace
}  // namespace hdbench::bench
