#include "bench/model/cell_ceiling.h"

#include "engine/base/catch.h"
#include "engine/testing/made_workers.h"

namespace hdbench::bench {
namespace {

CellResult cell_with(std::uint64_t read, std::uint64_t written, double ms) {
  CellResult cell;
  cell.setting.medium = "dram";
  cell.setting.threads = 2;
  cell.medium_label = "real (DRAM)";
  cell.bytes_read = read;
  cell.bytes_written = written;
  cell.real_ms = {ms};
  cell.rows_out = 1;
  return cell;
}

// Read 40, write 10 and past the caches 20, copy 50 GB/s; the device 2.
RunCeilings ceilings_of_two_threads() {
  ThreadCeilings two;
  two.threads = 2;
  two.read_gb_s = {40, 40, 40};
  two.write_gb_s = {10, 10, 10};
  two.stream_gb_s = {20, 20, 20};
  two.copy_gb_s = {50, 50, 50};
  RunCeilings ceilings;
  ceilings.memory.by_threads = {two};
  for (const char* medium : {"dram", "nvme", "tmpfs", "app-direct"}) {
    for (const Layout layout : {Layout::kPartitioned, Layout::kFlat}) {
      for (const Codes codes : {Codes::kStored, Codes::kNarrow}) {
        ceilings.placements.push_back({medium, layout, codes, {}});
        ceilings.placements.back().memory.by_threads = {two};
      }
    }
  }
  ceilings.device.sequential.gb_s = {2, 2, 2};
  return ceilings;
}

constexpr std::uint64_t kGB = 1'000'000'000;

TEST_CASE("a cell without a time, and one that touches nothing") {
  CellResult stopped = cell_with(kGB, 0, 10);
  stopped.rows_out.reset();
  CHECK(cell_ceiling(stopped, ceilings_of_two_threads()).error().message == "the cell has no time");
  const auto idle = cell_ceiling(cell_with(0, 0, 10), ceilings_of_two_threads());
  REQUIRE(idle.ok());
  CHECK(idle->percent == 0);
  CHECK(idle->gb_s == 0);
}

TEST_CASE("reads alone are held against the read's rate") {
  const auto ceiling = cell_ceiling(cell_with(4 * kGB, 0, 400), ceilings_of_two_threads());
  REQUIRE(ceiling.ok());
  CHECK(ceiling->gb_s == Approx(10));
  CHECK(ceiling->best_possible_ms == Approx(100));
  CHECK(ceiling->percent == Approx(25));
  CHECK(ceiling->kind == CeilingKind::kRead);
  CHECK_FALSE(ceiling->above());
}

TEST_CASE("what is written is paired with as many bytes read, at the copy's rate") {
  const auto ceiling = cell_ceiling(cell_with(4 * kGB, 3 * kGB, 290), ceilings_of_two_threads());
  REQUIRE(ceiling.ok());
  // 6 GB copied at 50, 1 GB read at 40.
  CHECK(ceiling->best_possible_ms == Approx(145));
  CHECK(ceiling->percent == Approx(50));
  CHECK(ceiling->kind == CeilingKind::kCopy);
}

TEST_CASE("writes that no read goes with take the better kind of store") {
  const auto ceiling = cell_ceiling(cell_with(0, 2 * kGB, 200), ceilings_of_two_threads());
  REQUIRE(ceiling.ok());
  CHECK(ceiling->best_possible_ms == Approx(100));
  CHECK(ceiling->kind == CeilingKind::kWrite);
}

TEST_CASE("a cell faster than memory is above its ceiling, which cannot be") {
  const auto ceiling = cell_ceiling(cell_with(4 * kGB, 0, 50), ceilings_of_two_threads());
  CHECK(ceiling->is_above);
  CHECK(ceiling->reason.empty());
  CHECK(ceiling->above());
}

TEST_CASE("a cell whose interval reaches its ceiling is not above it") {
  CellResult cell = cell_with(4 * kGB, 0, 0);
  cell.real_ms = {90, 95, 95, 99, 110};  // 100 are needed
  const auto ceiling = cell_ceiling(cell, ceilings_of_two_threads());
  CHECK(ceiling->percent == Approx(105.3).epsilon(0.001));
  CHECK_FALSE(ceiling->is_above);
  cell.real_ms = {90, 95, 95, 96, 97};
  CHECK(cell_ceiling(cell, ceilings_of_two_threads())->above());
}

TEST_CASE("a cell above its ceiling has the reason of which the run holds evidence") {
  const CellResult cell = cell_with(4 * kGB, 0, 90);
  RunCeilings ceilings = ceilings_of_two_threads();
  ceilings.memory.by_threads[0].read_gb_s.best = 45;
  auto ceiling = cell_ceiling(cell, ceilings);
  CHECK(ceiling->is_above);
  CHECK_FALSE(ceiling->above());
  CHECK(ceiling->reason == "the ceiling's rounds vary: the best was 12 % above it");

  ceilings = ceilings_of_two_threads();
  ceilings.memory.cache_bytes = std::uint64_t{400} << 20;
  CHECK(cell_ceiling(cell, ceilings)->reason ==
        "the last-level caches (400 MiB) can hold 10 % of its bytes");
  // But not as much as would make it twice as fast.
  CHECK(cell_ceiling(cell_with(4 * kGB, 0, 50), ceilings)->above());

  const CellResult throttled = cell_with(4 * kGB, 0, 20);
  RunCeilings with_quota = ceilings_of_two_threads();
  with_quota.quota_cpus = 1.5;
  CHECK(cell_ceiling(throttled, with_quota)->reason.starts_with("the CPU quota"));
  with_quota.quota_cpus = 2;  // as many as the threads
  CHECK(cell_ceiling(throttled, with_quota)->above());
}

TEST_CASE("a warm cell that moves less than four times the caches has no ceiling, a cold one has") {
  RunCeilings ceilings = ceilings_of_two_threads();
  ceilings.memory.cache_bytes = std::uint64_t{300} << 20;
  CellResult cell = cell_with(kGB, kGB / 4, 100);
  CHECK(is_cached(cell, ceilings));
  CHECK(cell_ceiling(cell, ceilings).error().message ==
        "it moves less than 4 times the last-level caches (300 MiB)");
  cell.setting.cache = Cache::kCold;
  CHECK_FALSE(is_cached(cell, ceilings));
  CHECK_FALSE(is_cached(cell_with(kGB, kGB, 100), ceilings));
  CHECK_FALSE(is_cached(cell_with(0, 0, 100), ceilings_of_two_threads()));
}

// Queries of a made-up machine move their blocks as the probe does, each by itself and for less
// time: none of them is taken for impossible.
TEST_CASE("no query of a made-up machine is falsely said to be impossible") {
  for (const std::size_t count : {16u, 64u, 200u}) {
    std::vector<testing::MadeWorkers> machines = testing::made_machines(count);
    machines.push_back(testing::MadeWorkers::equal(count));
    machines.back().quota_cpus = 3.5;
    for (testing::MadeWorkers& machine : machines) {
      for (double& speed : machine.speeds) speed *= 10'000;  // blocks of 1 MB a second
      const auto gb_s = [&](std::size_t tasks) {
        return static_cast<double>(tasks) / 1000 / testing::run_made(machine, tasks).seconds;
      };
      std::vector<MemoryRound> rounds(5);
      for (MemoryRound& round : rounds)
        round.read_gb_s = round.write_gb_s = round.stream_gb_s = round.copy_gb_s =
            gb_s(500 * count);
      RunCeilings ceilings;
      ceilings.memory.by_threads = {summarise_rounds(count, rounds)};
      ceilings.quota_cpus = machine.quota_cpus;
      for (const std::size_t tasks : {count, 3 * count + 1, 20 * count, 100 * count}) {
        CellResult cell = cell_with(tasks * 1'000'000, 0, 0);
        cell.setting.threads = count;
        const double ms = static_cast<double>(tasks) / gb_s(tasks);
        cell.real_ms = {ms, 0.99 * ms, 1.01 * ms, 0.995 * ms, 1.005 * ms};
        const auto ceiling = cell_ceiling(cell, ceilings);
        REQUIRE(ceiling.ok());
        CHECK_FALSE(ceiling->above());
      }
    }
  }
}

TEST_CASE("a cold cell is held against the device, and has no ceiling where that is unknown") {
  CellResult cold = cell_with(4 * kGB, 0, 4000);
  cold.setting.medium = "nvme";
  cold.setting.cache = Cache::kCold;
  const auto ceiling = cell_ceiling(cold, ceilings_of_two_threads());
  REQUIRE(ceiling.ok());
  CHECK(ceiling->best_possible_ms == Approx(2000));
  CHECK(ceiling->percent == Approx(50));
  CHECK(ceiling->kind == CeilingKind::kDevice);

  // A quarter of the bytes is read twice, or as much beside them is read ahead in vain.
  cold.device_bytes = 3 * kGB;
  CHECK(cell_ceiling(cold, ceilings_of_two_threads())->best_possible_ms == Approx(1500));
  cold.device_bytes = 5 * kGB;
  CHECK(cell_ceiling(cold, ceilings_of_two_threads())->best_possible_ms == Approx(2000));

  // Where the device was looked at in the cell's own rounds, those count.
  RunCeilings looked = ceilings_of_two_threads();
  for (PlacementCeilings& one : looked.placements) one.device_sequential.gb_s = {4, 4, 4};
  CHECK(cell_ceiling(cold, looked)->best_possible_ms == Approx(1000));

  RunCeilings unknown = ceilings_of_two_threads();
  unknown.device = {};
  unknown.device.reason = "tmpfs is memory, not a disk";
  CHECK(cell_ceiling(cold, unknown).error().message ==
        "its device was not measured: tmpfs is memory, not a disk");
}

TEST_CASE("a cold flat cell is held against the scratch files' device, where that is another") {
  CellResult flat = cell_with(4 * kGB, 0, 4000);
  flat.setting.medium = "nvme";
  flat.setting.cache = Cache::kCold;
  flat.setting.layout = Layout::kFlat;
  RunCeilings ceilings = ceilings_of_two_threads();
  CHECK(cell_ceiling(flat, ceilings)->best_possible_ms == Approx(2000));
  ceilings.scratch_device.emplace().sequential.gb_s = {4};
  CHECK(cell_ceiling(flat, ceilings)->best_possible_ms == Approx(1000));
  CellResult partitioned = flat;
  partitioned.setting.layout = Layout::kPartitioned;
  CHECK(cell_ceiling(partitioned, ceilings)->best_possible_ms == Approx(2000));
  partitioned.setting.codes = Codes::kNarrow;
  CHECK(cell_ceiling(partitioned, ceilings).error().message ==
        "its bytes lie on two devices: narrow codes are scratch files on another");
  ceilings.scratch_device = DeviceCeilings{};
  ceilings.scratch_device->reason = "no space";
  CHECK(cell_ceiling(flat, ceilings).error().message == "its device was not measured: no space");
}

TEST_CASE("a cell without a ceiling says why; tmpfs and emulated memory have the memory's") {
  const RunCeilings ceilings = ceilings_of_two_threads();
  const auto why = [&](const CellResult& cell) { return cell_ceiling(cell, ceilings).error(); };
  CellResult cell = cell_with(kGB, 0, 100);
  cell.setting.threads = 3;
  CHECK(why(cell).message == "its thread count was not measured");
  CellResult pmem = cell_with(kGB, 0, 100);
  pmem.setting.medium = "app-direct";
  pmem.medium_label = "real (fsdax)";
  CHECK(why(pmem).message == "what real (fsdax) can do at best is not measured");
  pmem.emulated = true;
  CHECK(cell_ceiling(pmem, ceilings).ok());
  pmem.result_profile = "cxl-fpga";
  CHECK(why(pmem).message == "its results lie on an emulated device (--result-medium)");
  CellResult files = cell_with(kGB, 0, 100);
  files.setting.medium = "tmpfs";
  CHECK(cell_ceiling(files, ceilings).ok());
}

TEST_CASE("a cell is held against the rates of the whole run, not of its placement alone") {
  RunCeilings ceilings = ceilings_of_two_threads();
  for (PlacementCeilings& one : ceilings.placements) one.memory.by_threads[0].read_gb_s = {1, 1, 1};
  const CellResult cell = cell_with(4 * kGB, 0, 400);
  CHECK(cell_ceiling(cell, ceilings)->best_possible_ms == Approx(100));
  ceilings.memory = {};
  ceilings.memory.reason = "no round was run";
  CHECK(cell_ceiling(cell, ceilings).error().message == "no round was run");
}

TEST_CASE("the best possible times of a cell's rounds, of an emulated device the host's") {
  RunCeilings ceilings = ceilings_of_two_threads();
  const CellResult cell = cell_with(4 * kGB, 0, 400);
  CHECK(best_possible_of_rounds(cell, ceilings) == std::vector<double>{100});
  for (PlacementCeilings& placement : ceilings.placements) {
    placement.memory.by_threads[0].each = {{40, 1, 1, 1}, {20, 1, 1, 1}};
  }
  CHECK(best_possible_of_rounds(cell, ceilings) == std::vector<double>{100, 200});
  CellResult emulated = cell;
  emulated.emulated = true;
  emulated.profile = "cxl-fpga";
  CHECK_FALSE(cell_ceiling(emulated, ceilings).ok());
  CHECK(best_possible_of_rounds(emulated, ceilings) == std::vector<double>{100, 200});
  emulated.setting.medium = "cxl:cxl-fpga";
  CHECK(best_possible_of_rounds(emulated, ceilings).empty());
  CellResult real = cell;
  real.setting.medium = "app-direct";
  CHECK(best_possible_of_rounds(real, ceilings).empty());
}

TEST_CASE("a cold cell's best possible times are of the rounds in which its device was read") {
  RunCeilings ceilings = ceilings_of_two_threads();
  CellResult cold = cell_with(4 * kGB, 0, 4000);
  cold.setting.medium = "nvme";
  cold.setting.cache = Cache::kCold;
  CHECK(best_possible_of_rounds(cold, ceilings).empty());
  for (PlacementCeilings& placement : ceilings.placements) {
    placement.memory.by_threads[0].each = {{40, 1, 1, 1}, {1, 1, 1, 1}};
    placement.device_sequential.gb_s = {2, 2};
  }
  CHECK(best_possible_of_rounds(cold, ceilings) == std::vector<double>{2000, 4000});
}

}  // namespace
}  // namespace hdbench::bench
