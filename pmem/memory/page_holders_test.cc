#include "pmem/memory/page_holders.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("the processes that map a file are named, others and this one are not") {
  const testing::TemporaryDirectory directory;
  MachinePaths paths;
  paths.procfs = directory.path() / "proc";
  const auto column = directory.path() / "db" / "bid";
  testing::write_text(column, "bid");
  const std::string line = "7f0000000000-7f0000001000 r--s 00000000 fe:00 42  ";
  const auto add = [&](const std::string& process, const std::string& mapped) {
    testing::write_text(paths.procfs / process / "maps",
                        "400000-401000 r-xp 0 0:0 0\n" + line + mapped + "\n");
    testing::write_text(paths.procfs / process / "comm", "q\n");
  };
  CHECK(processes_that_map({column}, paths).empty());
  add("4711", std::filesystem::canonical(column).string());
  add("12", "/elsewhere/bid");
  add("self", std::filesystem::canonical(column).string());
  CHECK(processes_that_map({column}, paths) == std::vector<std::string>{"q (process 4711)"});
  CHECK(processes_that_map({directory.path() / "gone"}, paths).empty());
  for (int i = 0; i < 5; ++i) {
    add(std::to_string(5000 + i), std::filesystem::canonical(column).string());
  }
  const auto many = processes_that_map({column}, paths);
  REQUIRE(many.size() == 5);
  CHECK(many.back() == "and 2 more");
}

}  // namespace
}  // namespace hdbench::pmem
