#include "bench/cli/axis_flags.h"

#include <CLI/CLI.hpp>

#include "bench/model/column_places.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

AxisFlags parse(AxisForm form, const std::string& arguments) {
  CLI::App app;
  FlagSet command(app);
  AxisFlags flags;
  add_axis_flags(command, form, flags);
  app.parse(arguments);
  return flags;
}

TEST_CASE("one query runs on nvme as it is, with p#, as 4.0, on all threads") {
  const AxisFlags flags = parse(AxisForm::kOne, "db");
  CHECK(flags.words.at("cache").empty());
  const auto setting = one_setting(flags, 3);
  REQUIRE(setting.ok());
  CHECK(setting_name(*setting) ==
        "medium:nvme/layout:partitioned/attr:parted/mode:4.0/threads:3/cache:warm/limit:0/"
        "codes:stored");
}

TEST_CASE("weights are searched for where a word of --medium says so, not where a name has it") {
  const auto searched = [](const std::string& media) {
    return searches_interleaves(parse(AxisForm::kLists, "db --medium " + media));
  };
  CHECK(searched("dram,cxl:cxl-cz122+interleave=auto"));
  CHECK(searched("cxl:interleave=auto"));
  CHECK_FALSE(searched("dram,cxl:./auto.json,cxl:cxl-cz122+interleave=3:1"));
  CHECK_FALSE(searched("cxl:./interleave=auto.json"));
  CHECK_FALSE(searched("dram,,cxl:interleave=auto"));
}

TEST_CASE("a matrix is the paper's unless flags say otherwise") {
  const auto lists = axis_lists(parse(AxisForm::kLists, "db").words, 3);
  REQUIRE(lists.ok());
  CHECK(lists->of("medium") == std::vector<std::string>{"nvme", "dram"});
  CHECK(lists->of("layout").empty());
  CHECK(lists->of("attr") == std::vector<std::string>{"none", "parted"});
  CHECK(lists->threads() == std::vector<std::size_t>{1, 3});
  CHECK(lists->of("cache") == std::vector<std::string>{"cold", "warm"});
  CHECK(lists->of("limit") == std::vector<std::string>{"0"});
  CHECK(lists->of("codes") == std::vector<std::string>{"stored"});
}

TEST_CASE("a matrix takes lists where one query takes a value") {
  const auto lists = axis_lists(
      parse(AxisForm::kLists, "db -w 0,64 --layout flat -s 1 --codes stored,narrow").words, 3);
  REQUIRE(lists.ok());
  CHECK(lists->of("codes") == std::vector<std::string>{"stored", "narrow"});
  CHECK(lists->of("limit") == std::vector<std::string>{"0", "64"});
  CHECK(lists->of("layout") == std::vector<std::string>{"flat"});
  const auto setting = one_setting(parse(AxisForm::kOne, "db -w 0,64"), 3);
  CHECK(setting.error().message == "-w: one value is expected here, not a list");
}

TEST_CASE("the search for a limit has no limit of its own") {
  CHECK_THROWS_AS(parse(AxisForm::kSearch, "db -w 5"), CLI::ParseError);
  CHECK(one_setting(parse(AxisForm::kSearch, "db"), 3)->limit_mib == 0);
}

TEST_CASE("session options carry directories and the policy") {
  const auto options =
      session_options(parse(AxisForm::kOne, "db --scratch-dir /s --pmem-dir /p --on-limit spill"));
  REQUIRE(options.ok());
  CHECK(options->database == "db");
  CHECK(options->media.scratch_dir == "/s");
  CHECK(options->media.pmem_dir == "/p");
  CHECK(options->limit_rule.what == OnLimit::kSpill);
  CHECK(options->limit_rule.spill == "file");
  CHECK_FALSE(options->lenient);
  for (const AxisForm form : {AxisForm::kOne, AxisForm::kLists, AxisForm::kSearch})
    CHECK(session_options(parse(form, "db --lenient"))->lenient);
  CHECK_FALSE(session_options(parse(AxisForm::kOne, "db --on-limit stop")).ok());
}

// A machine without persistent memory and CXL.
PresentMedium lacking(const std::string& word) {
  if (word == "cxl") return {"cxl:cxl-asic-ddr5", "note: cxl: none"};
  if (word == "app-direct") return {"app-direct:optane-100-6dimm", "note: app-direct: none"};
  return {word, {}};
}

TEST_CASE("what goes beyond -w is named by what the machine has") {
  AxisFlags flags;
  flags.on_limit = "spill=cxl";
  CHECK(resolve_media(flags, lacking) == std::vector<std::string>{"note: cxl: none"});
  CHECK(flags.on_limit == "spill=cxl:cxl-asic-ddr5");
  for (const char* same : {"abort", "spill=file", "spill=numa:0", "spill=floppy", "spill="}) {
    flags.on_limit = same;
    CHECK(resolve_media(flags, lacking).empty());
    CHECK(flags.on_limit == same);
  }
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
