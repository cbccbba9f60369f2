// A measured device as JSON and as a table.
#include "bench/profiles/profile_json.h"

#include <nlohmann/json.hpp>

#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "pmem/emulator/device_profile.h"

using namespace hdbench;
using namespace hdbench::bench;

TEST_CASE("a profile gives each figure with its source, and leaves out what was not measured") {
  ProbedDevice device;
  device.place = "somewhere";
  device.granularity_bytes = 64;
  device.sequential_read = {{1, 2.34567}, {2, 4.5}};
  device.read_ns = 123.456;
  const auto json = nlohmann::json::parse(profile_json(device, "mine", "by hand"));
  CHECK(json["name"] == "mine");
  CHECK(json["kind"] == "memory");
  CHECK(json["latency"]["read_random"]["ns"] == 123.5);
  CHECK(json["bandwidth"]["read"]["sequential"]["points"][0][1] == 2.346);
  CHECK(json["bandwidth"]["read"]["sequential"]["source"] == "by hand");
  CHECK_FALSE(json["bandwidth"].contains("write"));
  CHECK(profile_table(device).find("2.346") != std::string::npos);
}

TEST_CASE("a disk keeps its small files, and its burst becomes a bucket of credits") {
  ProbedDevice device;
  device.is_block = true;
  device.place = "somewhere";
  device.granularity_bytes = 4096;
  device.sequential_read = {{1, 0.17}, {2, 0.17}};
  device.read_ns = 250e3;
  device.small_files = {{524288, {{1, 0.9}, {2, 1.4}}}, {2097152, {{1, 1.6}}}};
  device.burst = ProbedBurst{17e6, 1.3, 0.17, true};
  const auto profile = parse_profile(profile_json(device, "mine", "by hand"), "mine.json");
  REQUIRE(profile.ok());
  CHECK(profile->curve(AccessKind::kRead, AccessPattern::kSequential).at(1) == 1.3);
  REQUIRE(profile->small_files.size() == 2);
  CHECK(profile->small_files[0].bytes == 524288);
  CHECK(profile->small_files[0].read.at(2) == Approx(1.4));
  CHECK(profile_table(device).find("1.4") != std::string::npos);
  REQUIRE(profile->credits);
  CHECK(profile->credits->capacity == 17e6);
  CHECK(profile->credits->refill_per_s == 170e6);
  CHECK(profile->credits->burst_per_s == 1.3e9);
  CHECK(profile->credits->refill == CreditBucket::Refill::kSteps);
  CHECK(profile_table(device).find("after idleness 17 MB at 1.3 GB/s, then 0.17 GB/s: refilled "
                                   "at once every 100 ms") != std::string::npos);
  device.burst->in_steps = false;
  CHECK(profile_table(device).find("refilled evenly") != std::string::npos);
}
