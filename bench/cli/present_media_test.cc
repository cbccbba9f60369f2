#include "bench/cli/present_media.h"

#include "bench/model/column_places.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

// A machine without persistent memory and CXL.
PresentMedium lacking(const std::string& word) {
  if (word == "cxl") return {"cxl:cxl-asic-ddr5", "note: cxl: none"};
  if (word == "app-direct") return {"app-direct:optane-100-6dimm", "note: app-direct: none"};
  return {word, {}};
}

TEST_CASE("cells are named after the profile that a bare word means here") {
  AxisFlags flags;
  flags.words["medium"] = "app-direct";
  flags.words["layout"] = "flat";
  flags.words["attr"] = "none";
  flags.words["mode"] = "4.0";
  flags.words["threads"] = "1";
  const auto notes = resolve_media(flags, lacking);
  CHECK(notes == std::vector<std::string>{"note: app-direct: none"});
  const auto setting = one_setting(flags, 3);
  REQUIRE(setting.ok());
  CHECK(setting_name(*setting) ==
        "medium:app-direct:optane-100-6dimm/layout:flat/attr:none/mode:4.0/threads:1/cache:warm/"
        "limit:0/codes:stored");
}

TEST_CASE("columns, placed columns and results are resolved, with one note a word") {
  AxisFlags flags;
  flags.words["medium"] = "nvme,cxl,app-direct,dram";
  flags.places = {"bid,ask=cxl", "col3=cxl:cxl-fpga"};
  flags.result_medium = "app-direct";
  const auto notes = resolve_media(flags, lacking);
  CHECK(notes == std::vector<std::string>{"note: cxl: none", "note: app-direct: none"});
  CHECK(flags.words["medium"] == "nvme,cxl:cxl-asic-ddr5,app-direct:optane-100-6dimm,dram");
  CHECK(flags.result_medium == "app-direct:optane-100-6dimm");
  const auto options = session_options(flags);
  REQUIRE(options.ok());
  CHECK(to_text(options->places) == "bid,ask=cxl:cxl-asic-ddr5; col3=cxl:cxl-fpga");
}

TEST_CASE("malformed values stay for their parsers") {
  AxisFlags flags;
  flags.words["medium"] = "dram,,floppy,";
  flags.places = {"bid", "", "=dram", "bid="};
  CHECK(resolve_media(flags, lacking).empty());
  CHECK(flags.words["medium"] == "dram,,floppy,");
  CHECK(flags.places == std::vector<std::string>{"bid", "", "=dram", "bid="});
  CHECK(flags.result_medium.empty());
}

}  // namespace
}  // namespace hdbench::bench
