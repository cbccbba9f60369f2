#include "bench/results/results_json.h"

#include <fmt/format.h>

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

CellResult emulated_cell() {
  CellResult cell = a_cell();
  cell.setting.medium = "app-direct:optane-100-6dimm";
  cell.setting.attr = AttrUse::kNone;
  cell.setting.mode = Mode::k36;
  cell.setting.limit_mib = 64;
  cell.setting.codes = Codes::kNarrow;
  cell.setting.dataset = "paper-3y";
  cell.emulated = true;
  cell.medium_label = "emulated";
  cell.profile = "optane-100-6dimm";
  cell.emulation_mode = EmulationMode::kModel;
  cell.setting.emulation = "model";
  EmulationResult emulation;
  DeviceCharges charges;
  charges.device = "optane";
  charges.read_bytes = 5;
  charges.near_cache.emplace();
  charges.near_cache->lines = 9;
  emulation.devices = {charges};
  emulation.modelled_ns = 12;
  cell.emulations = {emulation};
  PlacementProof part;
  part.part = "bid on dram";
  part.bytes_total = 3;
  PlacementProof proof;
  proof.claim = "every page on node 0";
  proof.how = "move_pages";
  proof.pages.by_node = {{0, 9}};
  proof.pages.pages_total = 9;
  proof.is_pmem = false;
  proof.parts = {part};
  cell.placement_proof = proof;
  cell.setting.place = "bid=dram";
  cell.visits = {2, 1};
  cell.held_bytes = 7;
  cell.kdb = KdbNeed{"4.0", 2, 192, 512, std::uint64_t{192} << 20};
  cell.checksum = 0xfedcba9876543210;
  return cell;
}

CellResult limited_cell() {
  CellResult cell;
  cell.query = 11;
  cell.setting.medium = "nvme";
  cell.setting.cache = Cache::kCold;
  cell.setting.prefetch = Prefetch::kOn;
  cell.device_bytes = 17;
  cell.error = "-w: 64 MiB";
  cell.error_visit = 1;
  cell.emulated = true;
  cell.result_profile = "cxl-fpga";
  cell.setting.results = "cxl:cxl-fpga";
  cell.setting.spill = "numa:1";
  cell.spill_profile = "cxl-asic-ddr4";
  cell.spill_proof.emplace().bytes_total = 5;
  cell.setting.volume = "gp3";
  cell.emulation_mode = EmulationMode::kModel;
  cell.setting.emulation = "model";
  cell.place_profiles = {"optane-100-6dimm"};
  return cell;
}

CellResult peer_cell() {
  CellResult cell;
  cell.query = 2;
  cell.setting.medium = "dram";
  cell.real_ms = {1};
  cell.cpu_ms = {1};
  cell.rows_out = 3;
  cell.peer = PeerLabel{"duckdb", "2.0.0", "enum", "table", "select 1", 0.5, "an index"};
  return cell;
}

RunContext full_context() {
  RunContext context;
  context.date = "2020-05-29T00:00:00+0000";
  context.host.cpu_model = "a CPU";
  context.host.caches = {{3, "Unified", 1 << 20, 2, 0}};
  context.datasets = {{"", "/db", 62, {{"quote", 10}}}, {"paper-3y", "/db3", 784, {{"quote", 20}}}};
  context.command = "hdbench run /db";
  context.tiering = {"off", 0, std::nullopt, 1, {"kdamond 0 (pageout)"}};
  context.experiment = "the ten charts";
  context.repetitions = 3;
  context.repetitions_most = 9;
  context.precision = 0.05;
  context.visits = 2;
  context.preflight = {{"load", "another job runs"}};
  context.elapsed_s = 12.5;
  context.sittings = 2;
  context.order_seed = 7;
  context.profiles = {{"mine", "00000000000000ff"}};
  ThreadCeilings two;
  two.threads = 2;
  two.rounds = 3;
  two.each.resize(3);
  two.each[1].read_gb_s = 40;
  two.each[2].chase_ns = 90;
  two.read_gb_s = {40, 41};
  context.ceilings.memory.by_threads = {two};
  context.ceilings.placements = {
      {"nvme", Layout::kPartitioned, Codes::kStored, context.ceilings.memory, "paper-3y"}};
  context.ceilings.placements.back().visits = 2;
  context.ceilings.placements.back().matrix = 1;
  context.ceilings.placements.back().device_sequential.gb_s = {2, 1, 3};
  context.ceilings.device.device = "ext4 on a disk";
  context.ceilings.device.sequential.gb_s = {3, 2.5};
  context.ceilings.device.summed.gb_s = {2, 1.5};
  context.ceilings.scratch_device.emplace();
  context.ceilings.scratch_device->reason = "too small";
  context.peer_memory = PeerMemory{3, 4, {{"duckdb", 2, 5, 6, 7, 8}}};
  context.benchmark_context = {{"team", "a"}};
  context.available_before_bytes = 6;
  context.complete = false;
  return context;
}

TEST_CASE("a text of brackets is no JSON of ours, however deep it is") {
  const std::string deep = std::string(300000, '[') + std::string(300000, ']');
  const auto run = parse_results(R"({"context":{"hdbench_version":)" + deep + "}}", "r.json");
  REQUIRE_FALSE(run.ok());
  CHECK(run.error().message == "r.json: not JSON: expected what `hdbench run --out` writes");
}

TEST_CASE("a run without cells is read back") {
  const auto run = parse_results(results_json({}, {}), "r.json");
  REQUIRE(run.ok());
  CHECK(run->cells.empty());
  CHECK(run->file == "r.json");
}

TEST_CASE("writing what was read gives the same document") {
  const std::string text =
      results_json(full_context(), {emulated_cell(), limited_cell(), peer_cell()});
  const auto run = parse_results(text, "r.json");
  INFO((run.ok() ? "" : run.error().message));
  REQUIRE(run.ok());
  CHECK(results_json(run->context, run->cells) == text);
  CHECK(run->cells.front().name() == emulated_cell().name());
}

TEST_CASE("what is no result of hdbench is said to be none") {
  for (const char* text : {"", "{", "[]", "{}", R"({"context":{},"benchmarks":[]})"}) {
    const auto run = parse_results(text, "r.json");
    REQUIRE_FALSE(run.ok());
    CHECK(run.error().kind == ErrorKind::kData);
    CHECK(run.error().message.find("r.json: ") == 0);
    CHECK(run.error().message.find("hdbench run --out") != std::string::npos);
  }
}

TEST_CASE("a field that is wrong is named with the cell that has it") {
  std::string text = results_json({}, {limited_cell()});
  const std::string good = R"("threads": 1)";
  text.replace(text.find(good), good.size(), R"("threads": "many")");
  const auto run = parse_results(text, "r.json");
  REQUIRE_FALSE(run.ok());
  CHECK(run.error().message.find("r.json: benchmarks[0] (Q11/medium:nvme") == 0);
  CHECK(run.error().message.find(R"('threads' is "many")") != std::string::npos);
}

TEST_CASE("visits that do not add up to the repetitions, and rounds without a figure, are named") {
  auto json = nlohmann::json::parse(results_json(full_context(), {emulated_cell()}));
  json["benchmarks"][0]["visits"] = {2, 2};
  auto run = parse_results(json.dump(), "r.json");
  REQUIRE_FALSE(run.ok());
  CHECK(run.error().message.find("'visits' adds up to 4, expected the 3 of 'times_ms'") !=
        std::string::npos);
  json["benchmarks"][0]["visits"] = {-1, 4};
  CHECK(parse_results(json.dump(), "r.json")
            .error()
            .message.find("'visits' is -1, expected a whole number from 0 up") !=
        std::string::npos);
  json["benchmarks"][0].erase("visits");
  CHECK(parse_results(json.dump(), "r.json").error().message.find("'visits' is missing") !=
        std::string::npos);
  json["benchmarks"][0]["visits"] = nlohmann::json::array();
  CHECK(parse_results(json.dump(), "r.json")->cells.front().visits.empty());
  json["context"]["ceilings"]["by_threads"][0]["each_round"]["chase_ns_per_line"] = {1.0};
  run = parse_results(json.dump(), "r.json");
  REQUIRE_FALSE(run.ok());
  CHECK(run.error().message.find("'chase_ns_per_line' has 1 rounds, expected 3") !=
        std::string::npos);
}

TEST_CASE("a file that is not there is a flag's fault") {
  const auto run = read_results("no such file.json");
  REQUIRE_FALSE(run.ok());
  CHECK(run.error().kind == ErrorKind::kUsage);
}

TEST_CASE("results of another schema are not read") {
  const std::string text = results_json({}, {});
  const std::string field = "\"schema_version\": 2";
  const std::size_t at = text.find(field);
  REQUIRE(at != std::string::npos);
  for (const auto& [other, told] : {std::pair{"\"schema_version\": 1", "1"},
                                    {"\"schema_version\": 3", "3"},
                                    {"\"another\": 2", "missing"}}) {
    std::string changed = text;
    changed.replace(at, field.size(), other);
    CHECK(parse_results(changed, "r.json").error().message ==
          fmt::format("r.json: schema_version {}, and this hdbench reads 2: take the one that "
                      "wrote it",
                      told));
  }
}

}  // namespace
}  // namespace hdbench::bench
