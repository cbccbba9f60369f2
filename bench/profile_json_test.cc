// A measured device as JSON and as a table.
#include "bench/profile_json.h"

#include <nlohmann/json.hpp>

#include "engine/base/catch.h"

using namespace hdbench;

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
