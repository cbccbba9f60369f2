#include "bench/model/axes.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

Result<std::vector<std::string>> parse(const char* axis, const char* list) {
  return parse_axis(axis_of(axis), list, 3);
}

TEST_CASE("an empty list of an axis is refused, naming the flag") {
  CHECK(parse("layout", "").error().message == "--layout: an empty value in ''");
  CHECK(parse("mode", "3.6,,4.0").error().message == "--mode: an empty value in '3.6,,4.0'");
  CHECK(parse("mode", "3.6,").error().kind == ErrorKind::kUsage);
}

TEST_CASE("an unknown word is refused, naming the known ones") {
  CHECK(parse("layout", "splayed").error().message ==
        "--layout: unknown value 'splayed': known are partitioned, flat");
  CHECK(parse_word<OnLimit>("--on-limit", "stop").error().message ==
        "--on-limit: unknown value 'stop': known are abort, exit, spill");
  CHECK(parse("codes", "wide").error().message ==
        "--codes: unknown value 'wide': known are stored, narrow");
}

TEST_CASE("a limit's rule has what it spills to, which is a disk's files or memory") {
  struct Rule {
    const char* text;
    OnLimit what;
    const char* spill;
  };
  for (const Rule& one :
       {Rule{"abort", OnLimit::kAbort, ""}, Rule{"exit", OnLimit::kExit, ""},
        Rule{"spill", OnLimit::kSpill, "file"}, Rule{"spill=file", OnLimit::kSpill, "file"},
        Rule{"spill=cxl:cxl-fpga+interleave=3:1", OnLimit::kSpill, "cxl:cxl-fpga+interleave=3:1"},
        Rule{"spill=numa:1", OnLimit::kSpill, "numa:1"}}) {
    const auto rule = parse_limit_rule(one.text);
    REQUIRE(rule.ok());
    CHECK(rule->what == one.what);
    CHECK(rule->spill == one.spill);
  }
  for (const char* text : {"", "spill=", "spill=floppy", "spill=nvme", "spill=nvme:ebs-gp3",
                           "spill=abort", "abort=cxl", "spill:cxl", "spill=file:x"}) {
    const auto rule = parse_limit_rule(text);
    REQUIRE_FALSE(rule.ok());
    CHECK(rule.error().kind == ErrorKind::kUsage);
    CHECK(rule.error().message.starts_with("--on-limit"));
  }
  CHECK(parse_limit_rule("spill=nvme").error().message.find("spill=file") != std::string::npos);
}

TEST_CASE("a list keeps its order and drops what comes twice") {
  CHECK(*parse("attr", "parted,none,parted") == std::vector<std::string>{"parted", "none"});
  CHECK(*parse("threads", "2,0,all") == std::vector<std::string>{"2", "1", "3"});
}

TEST_CASE("0 and 1 secondary threads are one thread, all is every usable CPU") {
  CHECK(*parse_threads("0,1,4,all", 2) == std::vector<std::size_t>{1, 4, 2});
  CHECK(*parse_threads("1,all", 1) == std::vector<std::size_t>{1});
  CHECK(parse_threads("-1", 2).error().message ==
        "-s: '-1' is not a number from 0 to 4096, all, or a range such as 1..all");
  CHECK(!parse_threads("2x", 2).ok());
  CHECK(!parse_threads("99999", 2).ok());
}

TEST_CASE("a range of threads is every count, or up to all its first, powers of two, and all") {
  struct Case {
    const char* list;
    std::size_t all;
    std::vector<std::size_t> counts;
  };
  for (const Case& one :
       {Case{"1..4", 8, {1, 2, 3, 4}}, Case{"0..2,8,2..3", 4, {1, 2, 8, 3}}, Case{"all..4", 4, {4}},
        Case{"1..all", 1, {1}}, Case{"1..all", 6, {1, 2, 4, 6}},
        Case{"0..all", 64, {1, 2, 4, 8, 16, 32, 64}}, Case{"3..all", 9, {3, 4, 8, 9}}})
    CHECK(*parse_threads(one.list, one.all) == one.counts);
}

TEST_CASE("a range that goes down or lacks an end is refused") {
  CHECK(parse_threads("all..2", 4).error().message ==
        "-s: the range 'all..2' goes from 4 down to 2: give the fewest threads first");
  CHECK(parse_threads("1..", 4).error().message ==
        "-s: '' is not a number from 0 to 4096, all, or a range such as 1..all");
  CHECK(parse_threads("..4", 4).error().kind == ErrorKind::kUsage);
  CHECK(parse_threads("1...4", 4).error().message ==
        "-s: '.4' is not a number from 0 to 4096, all, or a range such as 1..all");
  CHECK(!parse_threads("1..5000", 4).ok());
}

TEST_CASE("a limit is a number of MiB that fits in bytes") {
  CHECK(*parse("limit", "0,512") == std::vector<std::string>{"0", "512"});
  CHECK(!parse("limit", "1.5").ok());
  CHECK(!parse("limit", "17592186044416").ok());
  CHECK(parse("limit", "17592186044415").ok());
}

TEST_CASE("what an axis says of a setting sets it") {
  Setting setting;
  setting.layout = Layout::kFlat;
  setting.limit_mib = 64;
  setting.prefetch = Prefetch::kOn;
  setting.volume = "gp3";
  Setting same;
  for (const Axis& axis : axes()) REQUIRE(axis.set(axis, same, axis.word(setting)).ok());
  CHECK(same == setting);
}

TEST_CASE("a cell is named as the design says") {
  Setting setting;
  setting.medium = "dram";
  setting.layout = Layout::kFlat;
  setting.threads = 2;
  CHECK(
      query_label(7) + "/" + setting_name(setting) ==
      "Q07/medium:dram/layout:flat/attr:parted/mode:4.0/threads:2/cache:warm/limit:0/codes:stored");
  CHECK(query_label(123) == "Q123");
  setting.codes = Codes::kNarrow;
  CHECK(setting_name(setting) ==
        "medium:dram/layout:flat/attr:parted/mode:4.0/threads:2/cache:warm/limit:0/codes:narrow");
  setting.prefetch = Prefetch::kOn;
  CHECK(setting_name(setting).ends_with("/codes:narrow/prefetch:on"));
  setting.place = "bid=cxl";
  setting.results = "numa:1";
  setting.volume = "gp3";
  setting.emulation = "model";
  setting.dataset = "paper-3y";
  CHECK(setting_name(setting).ends_with(
      "/prefetch:on/place:bid=cxl/results:numa:1/volume:gp3/emulation:model/data:paper-3y"));
}

}  // namespace
}  // namespace hdbench::bench
