#include "bench/cli/axis_flags.h"

#include <CLI/CLI.hpp>

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

TEST_CASE("codes are as stored unless a flag says that they are to be narrow") {
  CHECK(one_setting(parse(AxisForm::kOne, "db"), 3)->codes == Codes::kStored);
  CHECK(one_setting(parse(AxisForm::kOne, "db --codes narrow"), 3)->codes == Codes::kNarrow);
  CHECK(one_setting(parse(AxisForm::kSearch, "db --codes narrow"), 3)->codes == Codes::kNarrow);
  CHECK(one_setting(parse(AxisForm::kOne, "db --codes stored,narrow"), 3).error().message ==
        "--codes: one value is expected here, not a list");
}

TEST_CASE("a column that is missing is an error unless a flag says null") {
  for (const AxisForm form : {AxisForm::kOne, AxisForm::kLists, AxisForm::kSearch}) {
    CHECK_FALSE(session_options(parse(form, "db"))->reading.missing_as_null);
    CHECK(session_options(parse(form, "db --missing null"))->reading.missing_as_null);
  }
  CHECK(session_options(parse(AxisForm::kOne, "db --missing 0")).error().message ==
        "--missing: unknown value '0': known are error, null");
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
  CHECK(options->on_limit == OnLimit::kSpill);
  CHECK_FALSE(options->lenient);
  for (const AxisForm form : {AxisForm::kOne, AxisForm::kLists, AxisForm::kSearch})
    CHECK(session_options(parse(form, "db --lenient"))->lenient);
  CHECK_FALSE(session_options(parse(AxisForm::kOne, "db --on-limit stop")).ok());
}

}  // namespace
}  // namespace hdbench::bench
