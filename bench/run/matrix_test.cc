#include "bench/run/matrix.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

AxisLists paper_lists() {
  AxisLists lists;
  lists.words["medium"] = {"nvme", "dram"};
  lists.words["attr"] = {"none", "parted"};
  lists.words["mode"] = {"3.6", "4.0"};
  lists.words["threads"] = {"1", "2"};
  lists.words["cache"] = {"warm", "cold"};
  lists.words["limit"] = {"0"};
  return lists;
}

TEST_CASE("a disk is run cold first, then warm") {
  const PlacementCells cells = expand(paper_lists(), {"nvme", Layout::kPartitioned, true, true});
  REQUIRE(cells.settings.size() == 16);
  CHECK(cells.left_out.empty());
  CHECK(setting_name(cells.settings.front()) ==
        "medium:nvme/layout:partitioned/attr:none/mode:3.6/threads:1/cache:cold/limit:0/"
        "codes:stored");
  CHECK(setting_name(cells.settings.back()) ==
        "medium:nvme/layout:partitioned/attr:parted/mode:4.0/threads:2/cache:warm/limit:0/"
        "codes:stored");
}

TEST_CASE("memory is only warm, whatever caches are requested") {
  AxisLists lists = paper_lists();
  lists.words["cache"] = {"cold"};
  const PlacementCells cells = expand(lists, {"dram", Layout::kFlat, false, true});
  REQUIRE(cells.settings.size() == 8);
  for (const Setting& setting : cells.settings) CHECK(setting.cache == Cache::kWarm);
}

TEST_CASE("without a parted column attr:parted is left out, with the reason") {
  const PlacementCells cells = expand(paper_lists(), {"nvme", Layout::kPartitioned, true, false});
  CHECK(cells.settings.size() == 8);
  CHECK(cells.left_out ==
        std::vector<std::string>{"attr:parted, layout:partitioned: no column of it carries p#"});
}

TEST_CASE("a disk is read ahead of where that is requested, memory never, with the reason") {
  AxisLists lists = paper_lists();
  lists.words["prefetch"] = {"off", "on"};
  CHECK(expand(lists, {"nvme", Layout::kPartitioned, true, true}).settings.size() == 32);
  const PlacementCells memory = expand(lists, {"dram", Layout::kFlat, false, true});
  CHECK(memory.settings.size() == 8);
  for (const Setting& setting : memory.settings) CHECK(setting.prefetch == Prefetch::kOff);
  CHECK(memory.left_out ==
        std::vector<std::string>{
            "prefetch:on, medium:dram: it has no device behind it to read ahead from"});
}

TEST_CASE("cells have the codes that their placement has") {
  const auto narrow =
      expand(paper_lists(), {"dram", Layout::kFlat, false, true, Codes::kNarrow}).settings;
  const auto stored = expand(paper_lists(), {"dram", Layout::kFlat, false, true}).settings;
  REQUIRE(narrow.size() == stored.size());
  for (const Setting& setting : narrow) CHECK(setting.codes == Codes::kNarrow);
  for (const Setting& setting : stored) CHECK(setting.codes == Codes::kStored);
}

TEST_CASE("by default a disk holds partitions and memory both layouts") {
  CHECK(default_layouts(true) == std::vector<std::string>{"partitioned"});
  CHECK(default_layouts(false) == std::vector<std::string>{"partitioned", "flat"});
}

}  // namespace

}  // namespace hdbench::bench
