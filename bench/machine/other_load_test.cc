#include "bench/machine/other_load.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {
namespace {

TEST_CASE("CPU time is read as proc(5) has it") {
  const auto ticks = parse_cpu_ticks("cpu  10 1 5 100 7 2 3 4 0 0\ncpu0 1\n");
  REQUIRE(ticks);
  CHECK(ticks->busy == 21);
  CHECK(ticks->interrupts == 5);
  CHECK(ticks->stolen == 4);
  CHECK(ticks->all == 132);
  CHECK_FALSE(parse_cpu_ticks(""));
  CHECK_FALSE(parse_cpu_ticks("cpu 1 2"));
  const std::string stat =
      "cpu  9 9 9 9 9 9 9 9\ncpu0 1 0 0 10 0 0 0 0\ncpu1 2 0 0 10 0 0 0 3\nintr 1\n";
  CHECK(parse_cpu_ticks(stat, {0})->busy == 1);
  CHECK(parse_cpu_ticks(stat, {0, 1})->stolen == 3);
  CHECK_FALSE(parse_cpu_ticks(stat, {0, 2}));
}

TEST_CASE("other work is told from five per cent on") {
  CHECK_FALSE(load_note({0, 0, 0}, {0, 0, 0}));
  CHECK_FALSE(load_note({0, 0, 0}, {4, 0, 100}));
  CHECK(load_note({0, 0, 0}, {40, 0, 100})->text.find("40 %") != std::string::npos);
  CHECK(load_note({0, 0, 0}, {0, 6, 100}));
}

TEST_CASE("what was taken meanwhile is told from five per cent on, and from a second") {
  CHECK_FALSE(OtherLoad{}.note());
  CHECK_FALSE(OtherLoad{50, 100, 4, 0}.note());
  // A second of 64 CPUs is not a second.
  CHECK_FALSE(OtherLoad{0.5, 32, 16, 0}.note());
  const auto note = OtherLoad{50, 100, 43, 1}.note();
  REQUIRE(note);
  CHECK(note->name == "load-meanwhile");
  CHECK(note->percent == 44);
  CHECK(note->text.find(
            "other work used 43 % of the CPUs that hdbench may use and a hypervisor took 1 %") !=
        std::string::npos);
  // Ticks may say less than this process had.
  CHECK(OtherLoad{50, 100, -1, 6}.note()->text.find("other work used 0 %") != std::string::npos);
  OtherLoad sum{1, 10, 1, 2};
  sum.add({1, 10, 3, 4});
  CHECK(sum.wall_s == 2);
  CHECK(sum.all_s == 20);
  CHECK(sum.other_s == 4);
  CHECK(sum.stolen_s == 6);
}

TEST_CASE("a window sums what others took in it, interrupts left out") {
  const testing::TemporaryDirectory directory;
  const auto write = [&](const std::string& stat) {
    std::ofstream(directory.path() / "stat") << "cpu  0 0 0 0 0 0 0 0\n" << stat << "\n";
  };
  MachinePaths paths;
  paths.procfs = directory.path();
  OtherLoadWatch watch(paths, {3});
  watch.begin();
  watch.end();
  CHECK(watch.sum().all_s == 0);
  write("cpu3 1000 0 0 1000 0 0 0 0");
  watch.begin();
  // Far more than this process can have had meanwhile.
  write("cpu3 2000000 0 0 2000000 0 500000 0 1000000");
  watch.end();
  const auto second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  CHECK(watch.sum().all_s * second == Approx(5'498'000));
  CHECK(watch.sum().other_s * second == Approx(1'999'000).epsilon(0.01));
  CHECK(watch.sum().stolen_s * second == Approx(1'000'000));
}

TEST_CASE("the lowest is the least of all looks, and none without one") {
  LowestMemory lowest;
  CHECK_FALSE(lowest.bytes());
  lowest.take(std::nullopt);
  CHECK_FALSE(lowest.bytes());
  lowest.take(5);
  lowest.take(7);
  lowest.take(std::nullopt);
  CHECK(lowest.bytes() == 5);
  lowest.take(3);
  CHECK(lowest.bytes() == 3);
}

}  // namespace
}  // namespace hdbench::bench
