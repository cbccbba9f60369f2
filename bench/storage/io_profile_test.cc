#include "bench/profiles/profile_json.h"
#include "bench/storage/io_results.h"
#include "engine/base/catch.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {
namespace {

void add(IoRun& run, const char* test, const char* engine, std::uint64_t block, double mb_s,
         std::size_t processes) {
  IoResult result;
  result.test = test;
  result.engine = engine;
  result.block_bytes = block;
  result.processes = processes;
  result.samples = {mb_s};
  result.median = mb_s;
  result.latency.p50 = 80000;
  if (result.test == "sequential-write") {
    result.sync = "fdatasync";
  } else {
    result.cache = "cold";
  }
  run.results.push_back(result);
}

IoRun disk_run() {
  IoRun run;
  run.targets.push_back({});
  run.targets.back().place = "ext4 on /dev/vda";
  run.targets.back().readahead_bytes = 131072;
  for (const std::size_t processes : {4, 1}) {
    add(run, "sequential-read", "mmap", 1 << 20, 1000 + static_cast<double>(processes), processes);
    add(run, "random-read", "mmap-random", 4096, 50, processes);
    add(run, "random-read", "direct", 4096, 55, processes);
    add(run, "sequential-write", "direct", 1 << 20, 800, processes);
  }
  return run;
}

TEST_CASE("a run without what a profile needs says which test is missing") {
  IoRun run = disk_run();
  run.targets.back().memory = true;
  CHECK_FALSE(profile_of(run).ok());
  run = disk_run();
  run.results.erase(run.results.begin());
  run.results.erase(run.results.begin() + 3);
  const auto device = profile_of(run);
  REQUIRE_FALSE(device.ok());
  CHECK(device.error().message ==
        "--write-profile: no result of sequential-read by mmap in blocks of 1MiB, which a profile "
        "needs");
}

TEST_CASE("the emulator takes the profile") {
  const auto device = profile_of(disk_run());
  REQUIRE(device.ok());
  REQUIRE(device->sequential_read.size() == 2);
  CHECK(device->sequential_read[0].threads == 1);
  CHECK(device->sequential_read[0].gb_s == Approx(1.001));
  CHECK(device->read_ns == 80000);
  CHECK(device->read_around_bytes == 131072);
  const auto profile = parse_profile(profile_json(*device, "theirs", "a test"), "theirs.json");
  CHECK(profile.ok());
}

}  // namespace
}  // namespace hdbench::bench
