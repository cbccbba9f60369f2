#include "bench/profiles/profiles.h"

#include <nlohmann/json.hpp>

#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {
namespace {

TEST_CASE("every profile stands in the list, in lines that fit") {
  const auto text = profiles_text(80);
  REQUIRE(text.ok());
  for (const std::string& name : profile_names()) CHECK(text->find(name) != std::string::npos);
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = text->find('\n', at);
    CHECK(end - at <= 80);
    at = end + 1;
  }
  CHECK(text->find("cxl-asic-ddr5        cxl               17.7      214   [S/D]") !=
        std::string::npos);
  CHECK(text->find("cxl-dram-cache-nand  cxl               27/5    505/-   [S]") !=
        std::string::npos);
}

TEST_CASE("the list as JSON has figures as numbers") {
  const auto json = nlohmann::json::parse(*profiles_json());
  CHECK(json.size() == profile_names().size());
  for (const auto& one : json) {
    INFO(one.dump());
    CHECK(one.at("gb_s").at(0).get<double>() > 0);
    CHECK_FALSE(one.at("source").get<std::string>().empty());
  }
}

// With every optional field in its place.
std::string uncommented(std::string text) {
  for (std::size_t at = text.find("  // \""); at != std::string::npos;
       at = text.find("  // \"", at)) {
    text.erase(at, 5);
  }
  return text;
}

TEST_CASE("a template is a profile, with its optional fields and without") {
  for (const std::string& kind : template_kinds()) {
    INFO(kind);
    const auto text = profile_template(kind);
    REQUIRE(text.ok());
    CHECK(profile_errors(*text, kind) == std::vector<std::string>());
    CHECK(profile_errors(uncommented(*text), kind) == std::vector<std::string>());
    CHECK(template_sources(*text) > 0);
    const auto profile = parse_profile(*text, kind);
    REQUIRE(profile.ok());
    CHECK(profile->name == "mine");
  }
}

TEST_CASE("every field of a profile is explained in a template") {
  const std::string disk = *profile_template("nvme");
  for (const char* field :
       {"name", "about", "kind", "medium", "granularity", "capacity", "latency", "mlp", "bandwidth",
        "mix", "instance", "credits", "iops", "random_cost", "read_around", "small_files"}) {
    INFO(field);
    CHECK(disk.find("\"" + std::string(field) + "\": ") != std::string::npos);
  }
  CHECK(profile_template("memory-mode")->find("cache_bytes: its size") != std::string::npos);
}

TEST_CASE("lines of a template fit a screen, and an unknown kind names the known ones") {
  const std::string text = *profile_template("ebs");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (text.compare(at, 5, "  // ") == 0 && text.compare(at, 6, "  // \"") != 0) {
      CHECK(end - at <= 100);
    }
    at = end + 1;
  }
  CHECK(profile_template("clx").error().message ==
        "--template: unknown value 'clx': known are cxl, app-direct, memory-mode, nvme, ebs, dram; "
        "did you mean 'cxl'?");
}

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

}  // namespace
}  // namespace hdbench::bench
