#include "bench/base/layers.h"
#include "bench/profiles/profile_list.h"
#include "engine/base/catch.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {
namespace {

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
  CHECK(profile_template("cxl")->find("\"reference\": ") != std::string::npos);
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

}  // namespace
}  // namespace hdbench::bench
