#include "pmem/base/sysfs_text.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

TEST_CASE("a file that is absent, empty or not a figure reads as nothing") {
  const TemporaryDirectory root;
  const auto file = root.path() / "figure";
  CHECK(first_line(file).empty());
  CHECK_FALSE(read_figure(file).has_value());
  for (const std::string text : {"", "\n", "x", "12x", "0x", "-1", "99999999999999999999"}) {
    INFO(text);
    write_text(file, text);
    CHECK_FALSE(read_figure(file).has_value());
  }
  CHECK_FALSE(read_int(file).has_value());
  CHECK(names_below(root.path() / "absent").empty());
  CHECK(numbered(root.path() / "absent", "node").empty());
  CHECK(link_name(file).empty());
}

TEST_CASE("figures are decimal, hexadecimal behind 0x, and negative where that is requested") {
  const TemporaryDirectory root;
  write_text(root.path() / "a", " 4096 \n");
  write_text(root.path() / "b", "0x10000000\n");
  write_text(root.path() / "c", "-1\n");
  CHECK(read_figure(root.path() / "a") == 4096u);
  CHECK(read_figure(root.path() / "b") == 0x10000000u);
  CHECK(read_int(root.path() / "c") == -1);
}

TEST_CASE("numbered directories come by number, others are left out") {
  const TemporaryDirectory root;
  for (const std::string name : {"node10", "node2", "node", "nodes3", "node4x", "other1"}) {
    std::filesystem::create_directories(root.path() / name);
  }
  const auto found = numbered(root.path(), "node");
  REQUIRE(found.size() == 2);
  CHECK(found[0].first == 2);
  CHECK(found[1].first == 10);
  CHECK(found[1].second == root.path() / "node10");
}

TEST_CASE("lists of CPUs and nodes are read as the kernel writes them") {
  CHECK(parse_list("").empty());
  CHECK(parse_list("x").empty());
  CHECK(parse_list("7") == std::vector<int>{7});
  CHECK(parse_list("0-3,8") == std::vector<int>{0, 1, 2, 3, 8});
  CHECK(parse_list("0,2-") == std::vector<int>{0});
  CHECK(parse_list("0-2000000000").empty());
}

TEST_CASE("the word in brackets is the chosen one") {
  CHECK(chosen_word("").empty());
  CHECK(chosen_word("] [").empty());
  CHECK(chosen_word("none [mq-deadline] kyber") == "mq-deadline");
}

}  // namespace
}  // namespace hdbench::pmem
