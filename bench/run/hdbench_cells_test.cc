// Cells on a medium that does not keep its promise.
#include "bench/run/hdbench_cells.h"

#include <atomic>
#include <memory>

#include "bench/testing/small_database.h"
#include "engine/base/catch.h"
#include "pmem/media/memory_medium.h"

namespace hdbench::bench {
namespace {

// DRAM whose bytes are found elsewhere from the look on that is given, counted from 1; 0: never.
class StrayingMedium final : public Medium {
 public:
  explicit StrayingMedium(int strays_at) : strays_at_(strays_at) {}
  std::string name() const override { return "dram"; }
  bool emulated() const override { return false; }
  std::string label() const override { return memory_->label(); }
  bool has_cache() const override { return false; }
  std::shared_ptr<Store> store() override { return memory_->store(); }
  std::pmr::memory_resource& results() override { return memory_->results(); }
  Result<CacheProof> prepare(Cache cache) override { return memory_->prepare(cache); }
  Result<PlacementProof> verify_placement() override {
    if (++looks == strays_at_)
      return data_error("dram: expected node 0, found 7 of 9 pages on node 3");
    return memory_->verify_placement();
  }

  int looks = 0;

 private:
  int strays_at_;
  std::unique_ptr<Medium> memory_ = make_dram_medium();
};

struct Ran {
  Status status = ok_status();
  int looks = 0;
  std::vector<CellResult> cells;
};

// Two rounds of two settings, and the last look.
Ran ran_on(int strays_at) {
  const SmallDatabase database;
  SessionOptions options;
  options.database = database.path();
  auto session = Session::open(options);
  REQUIRE(session.ok());
  const auto queries = one_query("select last bid by col3 from quote");
  REQUIRE(queries.ok());
  auto medium = std::make_unique<StrayingMedium>(strays_at);
  StrayingMedium& straying = *medium;
  auto placement = TablePlacement::make_on(std::move(medium), (*session)->database(), {"quote"},
                                           {"dram"}, (*session)->pools().widest());
  REQUIRE(placement.ok());
  const auto plans = bind_all(*queries, **placement);
  REQUIRE(plans.ok());
  Setting scan;
  scan.medium = "dram";
  scan.attr = AttrUse::kNone;
  Setting parted = scan;
  parted.attr = AttrUse::kParted;
  HdbenchCells own(**session, *queries, *plans, **placement, {scan, parted});
  RunRecorder recorder;
  const auto show = [](std::size_t, const std::string&) {};
  Ran ran;
  for (const RoundKind kind : {RoundKind::kUntimed, RoundKind::kTimed, RoundKind::kTimed}) {
    if (ran.status.ok())
      ran.status = own.run_round(kind, own.due(kind, exactly(5)), recorder, show);
  }
  if (ran.status.ok()) ran.status = own.verify_placement();
  ran.looks = straying.looks;
  ran.cells = own.cells();
  return ran;
}

TEST_CASE("where the bytes lie is looked at before the first timed run and after the last one") {
  const Ran ran = ran_on(0);
  REQUIRE(ran.status.ok());
  CHECK(ran.looks == 2);
  for (const CellResult& cell : ran.cells) {
    CHECK(cell.real_ms.size() == 2);
    REQUIRE(cell.placement_proof);
    CHECK(cell.placement_proof->bytes_where_promised == cell.placement_proof->bytes_total);
    CHECK(cell.result_proof);
    CHECK_FALSE(cell.error);
    // One thread's heap: a slab.
    REQUIRE(cell.kdb);
    CHECK((cell.kdb->version == "4.0" && cell.kdb->secondary_threads == 0));
    CHECK(cell.kdb->least_w_mib == 64);
    CHECK(cell.kdb->peak_used_bytes <= cell.kdb->peak_heap_bytes);
  }
}

TEST_CASE("bytes that lie elsewhere end the placement and leave no figure") {
  for (const int strays_at : {1, 2}) {
    const Ran ran = ran_on(strays_at);
    REQUIRE_FALSE(ran.status.ok());
    CHECK(ran.status.error().kind == ErrorKind::kData);
    CHECK(ran.looks == strays_at);
    for (const CellResult& cell : ran.cells) {
      CHECK(cell.error == "dram: expected node 0, found 7 of 9 pages on node 3");
      CHECK_FALSE(median_ms(cell));
      CHECK_FALSE(cell.placement_proof);
    }
  }
}

// The cell of one query over a flat table in DRAM after so many timed rounds.
CellResult timed_cell(SessionOptions options, const std::string& text, int rounds,
                      double warm_seconds = 0, std::uint64_t limit_mib = 0) {
  const SmallDatabase database;
  options.database = database.path();
  auto session = Session::open(std::move(options));
  REQUIRE(session.ok());
  const auto queries = one_query(text);
  REQUIRE(queries.ok());
  const auto placement = (*session)->place({"quote"}, {"dram", Layout::kFlat});
  REQUIRE(placement.ok());
  const auto plans = bind_all(*queries, **placement);
  REQUIRE(plans.ok());
  Setting scan;
  scan.medium = "dram";
  scan.layout = Layout::kFlat;
  scan.limit_mib = limit_mib;
  HdbenchCells own(**session, *queries, *plans, **placement, {scan});
  own.warm_for(warm_seconds);
  RunRecorder recorder;
  for (int round = 0; round < rounds; ++round) {
    REQUIRE(own.run_round(RoundKind::kTimed, own.due(RoundKind::kTimed, exactly(5)), recorder,
                          [](std::size_t, const std::string&) {})
                .ok());
  }
  REQUIRE(own.verify_placement().ok());
  REQUIRE(own.cells().size() == 1);
  return own.cells().front();
}

TEST_CASE("a cell whose results alone lie on an emulated device is emulated, and says whose") {
  SessionOptions options;
  options.result_medium = "cxl:cxl-asic-ddr5";
  options.media.emulation.mode = EmulationMode::kModel;
  const CellResult cell = timed_cell(std::move(options), "select from quote", 1);
  CHECK(cell.emulated);
  CHECK_FALSE(cell.profile);
  CHECK(cell.result_profile == "cxl-asic-ddr5");
  CHECK(cell.emulation_mode == EmulationMode::kModel);
  CHECK(cell.medium_label.ends_with("; results: emulated (cxl-asic-ddr5, model)"));
  REQUIRE(cell.emulations.size() == 1);
  CHECK(cell.emulations[0].devices[0].written_bytes == cell.bytes_written);
  CHECK(cell.bytes_written > 0);
}

// A result of more than a MiB.
std::string wide_query() {
  std::string text = "select ";
  for (int i = 0; i < 30; ++i) text += fmt::format("{}a{}:bid+{}", i == 0 ? "" : ",", i, i);
  return text + " from quote";
}

TEST_CASE("what goes beyond -w lies on its medium, is charged there, and is proved to") {
  SessionOptions options;
  options.limit_rule = {OnLimit::kSpill, "cxl:cxl-asic-ddr5"};
  options.media.emulation.mode = EmulationMode::kModel;
  const CellResult cell = timed_cell(std::move(options), wide_query(), 1, 0, 1);
  CHECK(cell.spilled_bytes > 0);
  CHECK(cell.emulated);
  CHECK(cell.spill_profile == "cxl-asic-ddr5");
  CHECK_FALSE(cell.result_profile);
  CHECK(cell.medium_label.ends_with("; beyond -w: emulated (cxl-asic-ddr5, model)"));
  REQUIRE(cell.emulations.size() == 1);
  const std::uint64_t written = cell.emulations[0].devices[0].written_bytes;
  CHECK(written > 0);
  CHECK(written < cell.bytes_written);
  CHECK(written <= cell.spilled_bytes + cell.spilled_bytes / 8);
  REQUIRE(cell.spill_proof);
  CHECK(cell.spill_proof->claim == "every byte charged to cxl-asic-ddr5");
  CHECK(cell.spill_proof->bytes_where_promised == cell.spill_proof->bytes_total);
  CHECK(cell.spill_proof->bytes_total > 0);
}

TEST_CASE("one word is one device: results that lie where what goes beyond -w lies") {
  SessionOptions options;
  options.result_medium = "cxl:cxl-asic-ddr5";
  options.limit_rule = {OnLimit::kSpill, "cxl:cxl-asic-ddr5"};
  options.media.emulation.mode = EmulationMode::kModel;
  const CellResult cell = timed_cell(std::move(options), wide_query(), 1, 0, 1);
  CHECK(cell.spilled_bytes > 0);
  REQUIRE(cell.emulations.size() == 1);
  CHECK(cell.emulations[0].devices[0].written_bytes == cell.bytes_written);
}

TEST_CASE("untimed runs of a warm cell come before each of its timed ones, for as long as asked") {
  const auto begin = std::chrono::steady_clock::now();
  const CellResult cell = timed_cell({}, "select last bid by col3 from quote", 2, 0.5);
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::seconds(1));
  CHECK(cell.real_ms.size() == 2);
}

}  // namespace
}  // namespace hdbench::bench
