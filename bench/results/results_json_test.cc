#include "bench/results/results_json.h"

#include <nlohmann/json.hpp>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

CellResult a_cell() {
  CellResult cell;
  cell.query = 7;
  cell.text = "select from quote";
  cell.setting.medium = "dram";
  cell.setting.layout = Layout::kFlat;
  cell.setting.threads = 2;
  cell.real_ms = {4, 2, 3};
  cell.cpu_ms = {8, 4, 6};
  cell.rows_in = 100;
  cell.rows_out = 8;
  cell.bytes_read = 2'000'000;
  cell.bytes_written = 1'000'000;
  cell.bytes_read_by_column = {{"col3", 2'000'000}};
  cell.resident_min_bytes = 5;
  cell.resident_max_bytes = 6;
  cell.checksum = 0xabc;
  return cell;
}

TEST_CASE("a run without cells is still a whole document") {
  const auto json = nlohmann::json::parse(results_json({}, {}));
  CHECK(json["benchmarks"].empty());
  CHECK(json["context"]["num_cpus"] == 0);
  CHECK_FALSE(json["context"].contains("mhz_per_cpu"));
}

TEST_CASE("a cell carries its name, its medians and its proof") {
  const auto json = nlohmann::json::parse(results_json({}, {a_cell()}));
  const auto& cell = json["benchmarks"][0];
  CHECK(
      cell["name"] ==
      "Q07/medium:dram/layout:flat/attr:parted/mode:4.0/threads:2/cache:warm/limit:0/codes:stored");
  CHECK(cell["real_time"] == 3.0);
  CHECK(cell["cpu_time"] == 6.0);
  CHECK(cell["time_unit"] == "ms");
  CHECK(cell["repetitions"] == 3);
  CHECK(cell["spread"]["min"] == 2.0);
  CHECK(cell["spread"]["max"] == 4.0);
  CHECK(cell["spread"]["relative"].get<double>() == Approx(2.0 / 3));
  CHECK(cell["threads"] == 2);
  CHECK(cell["rows_out"] == 8);
  CHECK(cell["gb_per_s"].get<double>() == Approx(1.0));
  CHECK(cell["ceiling_percent"].is_null());
  CHECK(cell["resident_before"] == 5);
  CHECK(cell["device_bytes"].is_null());
  CHECK(cell["checksum"] == "0000000000000abc");
  CHECK(cell["result_profile"].is_null());
  CHECK(cell["error"].is_null());
  CHECK(cell["bytes_read_by_column"]["col3"] == 2'000'000);
}

TEST_CASE("where the bytes were found stands with the cell, part by part") {
  CellResult cell = a_cell();
  CHECK(nlohmann::json::parse(results_json({}, {cell}))["benchmarks"][0]["placement_proof"]
            .is_null());
  cell.setting.place = "bid=numa:1";
  PlacementProof bid;
  bid.part = "bid on numa:1";
  bid.claim = "every page on node 1";
  bid.how = "move_pages";
  bid.bytes_total = bid.bytes_where_promised = 8192;
  bid.pages = {2, 2, 0, {{1, 2}}};
  cell.placement_proof = PlacementProof{};
  cell.placement_proof->parts = {bid};
  const auto json = nlohmann::json::parse(results_json({}, {cell}))["benchmarks"][0];
  CHECK(json["name"].get<std::string>().ends_with("/codes:stored/place:bid=numa:1"));
  CHECK(json["place"] == "bid=numa:1");
  const auto& part = json["placement_proof"]["parts"][0];
  CHECK(part["part"] == "bid on numa:1");
  CHECK(part["claim"] == "every page on node 1");
  CHECK(part["how"] == "move_pages");
  CHECK(part["bytes_where_promised"] == 8192);
  CHECK(part["pages_by_node"]["1"] == 2);
  CHECK(part["is_pmem"].is_null());
}

TEST_CASE("ceilings stand in the context, and each cell says what it makes of its own") {
  RunContext context;
  ThreadCeilings two;
  two.threads = 2;
  two.rounds = 3;
  two.read_gb_s = {39, 40, 41};
  two.copy_gb_s = {49, 50, 51};
  context.ceilings.memory.by_threads = {two};
  context.ceilings.placements = {{"dram", Layout::kFlat, Codes::kStored, context.ceilings.memory}};
  const auto json = nlohmann::json::parse(results_json(context, {a_cell()}));
  const auto& threads = json["context"]["ceilings"]["by_threads"][0];
  CHECK(threads["threads"] == 2);
  CHECK(threads["read_gb_per_s"]["median"] == 39.0);
  CHECK(threads["read_gb_per_s"]["high"] == 40.0);
  CHECK(threads["read_gb_per_s"]["best"] == 41.0);
  CHECK(json["context"]["device_ceilings"].is_null());
  const auto& placement = json["context"]["placement_ceilings"][0];
  CHECK(placement["medium"] == "dram");
  CHECK(placement["layout"] == "flat");
  CHECK(placement["codes"] == "stored");
  CHECK(placement["by_threads"][0]["read_gb_per_s"]["median"] == 39.0);
  const auto& cell = json["benchmarks"][0];
  // 2 MB copied at 50 GB/s, 1 MB read at 40; the cell took 3 ms.
  CHECK(cell["best_possible_ms"].get<double>() == Approx(0.04 + 0.025));
  CHECK(cell["ceiling_percent"].get<double>() == Approx(100 * 0.065 / 3));
  CHECK(cell["ceiling"] == "copy");
  CHECK(cell["above_ceiling"] == false);
  CHECK(cell["above_ceiling_reason"].is_null());
  CHECK(cell["cached"] == false);
  CHECK(cell["ceiling_reason"].is_null());
}

TEST_CASE("a cell without a ceiling says why") {
  const auto json = nlohmann::json::parse(results_json({}, {a_cell()}));
  const auto& cell = json["benchmarks"][0];
  CHECK(cell["ceiling"].is_null());
  CHECK(cell["above_ceiling"].is_null());
  CHECK(cell["ceiling_reason"] == "its thread count was not measured");
}

TEST_CASE("a device that could not be measured says why") {
  RunContext context;
  context.ceilings.device.device = "tmpfs";
  context.ceilings.device.reason = "tmpfs is memory, not a disk";
  auto json = nlohmann::json::parse(results_json(context, {}));
  CHECK(json["context"]["device_ceilings"]["reason"] == "tmpfs is memory, not a disk");
  CHECK(json["context"]["device_ceilings"]["sequential"].is_null());
  context.ceilings.device.reason.clear();
  context.ceilings.device.sequential.gb_s = {1, 3};
  json = nlohmann::json::parse(results_json(context, {}));
  CHECK(json["context"]["device_ceilings"]["sequential"]["gb_per_s"]["median"] == 2.0);
  CHECK(json["context"]["device_ceilings"].at("sequential_summed").is_null());
  context.ceilings.device.summed.gb_s = {1, 2};
  json = nlohmann::json::parse(results_json(context, {}));
  CHECK(json["context"]["device_ceilings"]["sequential_summed"]["gb_per_s"]["median"] == 1.5);
}

TEST_CASE("the scratch files' device is in the context only where it is another") {
  RunContext context;
  auto json = nlohmann::json::parse(results_json(context, {}));
  CHECK(json["context"]["scratch_device_ceilings"].is_null());
  context.ceilings.scratch_device.emplace().device = "xfs on /dev/vdb";
  context.ceilings.scratch_device->sequential.gb_s = {1, 3};
  json = nlohmann::json::parse(results_json(context, {}));
  const auto& device = json["context"]["scratch_device_ceilings"];
  CHECK(device["device"] == "xfs on /dev/vdb");
  CHECK(device["sequential"]["gb_per_s"]["median"] == 2.0);
}

TEST_CASE("narrow codes are in the name, in a field, and what they saved is in the context") {
  CellResult narrow = a_cell();
  narrow.setting.codes = Codes::kNarrow;
  RunContext context;
  context.codes_saved = {"codes narrow, flat, quote: ..."};
  const auto json = nlohmann::json::parse(results_json(context, {a_cell(), narrow}));
  CHECK(json["benchmarks"][0]["codes"] == "stored");
  CHECK(json["benchmarks"][1]["codes"] == "narrow");
  CHECK(
      json["benchmarks"][1]["name"] ==
      "Q07/medium:dram/layout:flat/attr:parted/mode:4.0/threads:2/cache:warm/limit:0/codes:narrow");
  CHECK(json["context"]["codes_saved"][0] == "codes narrow, flat, quote: ...");
}

TEST_CASE("a cell that the limit stopped has no rows, no time and a reason") {
  CellResult stopped = a_cell();
  stopped.rows_out.reset();
  stopped.checksum.reset();
  stopped.error = "-w abort";
  const auto json = nlohmann::json::parse(results_json({}, {stopped}));
  const auto& cell = json["benchmarks"][0];
  CHECK(cell["rows_out"].is_null());
  CHECK(cell["real_time"] == 0);
  CHECK(cell["cpu_time"] == 0);
  CHECK(cell["error_occurred"] == true);
  CHECK(cell["error_message"] == "-w abort");
  CHECK(cell["checksum"].is_null());
  CHECK(cell["error"] == "-w abort");
}

TEST_CASE("a peer's cell says what it ran on what, and nothing that was not measured there") {
  CellResult peer = a_cell();
  peer.peer = PeerLabel{"duckdb", "2.0.0", "enum", "native table", "SELECT 1", 0.25, "an index"};
  const auto json = nlohmann::json::parse(results_json({}, {peer, a_cell()}));
  const auto& cell = json["benchmarks"][0];
  CHECK(cell["name"] == "Q07/engine:duckdb/medium:dram/layout:flat/threads:2");
  CHECK(cell["engine"] == "duckdb");
  CHECK(cell["engine_version"] == "2.0.0");
  CHECK(cell["loaded"] == "native table");
  CHECK(cell["form"] == "SELECT 1");
  CHECK(cell["startup_ms"] == 0.25);
  CHECK(cell["unread"] == "an index");
  CHECK(cell["codes"] == "enum");
  CHECK(cell["real_time"] == 3.0);
  CHECK(cell["mode"].is_null());
  CHECK(cell["bytes_read"].is_null());
  CHECK(cell["peak_workspace_bytes"].is_null());
  CHECK(json["benchmarks"][1]["engine"] == "hdbench");
  CHECK_FALSE(json["benchmarks"][1].contains("form"));
}

TEST_CASE("the memory of the peers is in the context, with what was expected of each") {
  auto json = nlohmann::json::parse(results_json({}, {}));
  CHECK(json["context"]["peers"].is_null());
  CHECK(json["context"]["memory_available_lowest_bytes"].is_null());
  RunContext context;
  context.peer_memory = PeerMemory{2'000, 5, {{"duckdb", 2, 40, 20, 30, 10}}};
  context.available_before_bytes = 8;
  context.available_lowest_bytes = 3;
  json = nlohmann::json::parse(results_json(context, {}));
  const auto& peers = json["context"]["peers"];
  CHECK(peers["needed_bytes"] == 5);
  CHECK(peers["workers"][0]["engine"] == "duckdb");
  CHECK(peers["workers"][0]["expected_bytes"] == 40);
  CHECK(peers["workers"][0]["held_max_bytes"] == 30);
  CHECK(json["context"]["memory_available_bytes"] == 8);
  CHECK(json["context"]["memory_available_lowest_bytes"] == 3);
}

TEST_CASE("reading ahead is a field of its own, and in the name only where it is on") {
  CellResult ahead = a_cell();
  ahead.setting.prefetch = Prefetch::kOn;
  CellResult peer = a_cell();
  peer.peer = PeerLabel{"duckdb", "2.0.0", "enum", "native table", "SELECT 1"};
  const auto json = nlohmann::json::parse(results_json({}, {a_cell(), ahead, peer}));
  CHECK(json["benchmarks"][0]["prefetch"] == "off");
  CHECK(json["benchmarks"][1]["prefetch"] == "on");
  CHECK(json["benchmarks"][1]["name"] ==
        json["benchmarks"][0]["name"].get<std::string>() + "/prefetch:on");
  CHECK(json["benchmarks"][2]["prefetch"].is_null());
}

TEST_CASE("a cold cell's proof is its least cold repetition") {
  CellResult cold = a_cell();
  cold.setting.cache = Cache::kCold;
  CHECK(cold.resident_before() == 6);
}

}  // namespace
}  // namespace hdbench::bench
