#include "bench/cli/axis_flags.h"

#include <CLI/CLI.hpp>

#include "engine/base/catch.h"

namespace hdbench {
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
  CHECK(flags.cache.empty());
  const auto setting = one_setting(flags, 3);
  REQUIRE(setting.ok());
  CHECK(setting_name(*setting) ==
        "medium:nvme/layout:partitioned/attr:parted/mode:4.0/threads:3/cache:warm/limit:0/"
        "codes:stored");
}

TEST_CASE("a matrix is the paper's unless flags say otherwise") {
  const auto lists = axis_lists(parse(AxisForm::kLists, "db"), 3);
  REQUIRE(lists.ok());
  CHECK(lists->media == std::vector<std::string>{"nvme", "dram"});
  CHECK_FALSE(lists->layouts);
  CHECK(lists->attrs == std::vector<AttrUse>{AttrUse::kNone, AttrUse::kParted});
  CHECK(lists->threads == std::vector<std::size_t>{1, 3});
  CHECK(lists->caches == std::vector<Cache>{Cache::kCold, Cache::kWarm});
  CHECK(lists->limits_mib == std::vector<std::uint64_t>{0});
  CHECK(lists->codes == std::vector<Codes>{Codes::kStored});
}

TEST_CASE("a matrix takes lists where one query takes a value") {
  const auto lists =
      axis_lists(parse(AxisForm::kLists, "db -w 0,64 --layout flat -s 1 --codes stored,narrow"), 3);
  REQUIRE(lists.ok());
  CHECK(lists->codes == std::vector<Codes>{Codes::kStored, Codes::kNarrow});
  CHECK(lists->limits_mib == std::vector<std::uint64_t>{0, 64});
  CHECK(lists->layouts == std::vector<Layout>{Layout::kFlat});
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
  CHECK_FALSE(session_options(parse(AxisForm::kOne, "db --on-limit stop")).ok());
}

}  // namespace
}  // namespace hdbench
