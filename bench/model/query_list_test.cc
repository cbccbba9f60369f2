#include "bench/model/query_list.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"
#include "engine/testing/files.h"

namespace hdbench::bench {
namespace {

std::filesystem::path query_file(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("hdbench_query_list_" + std::to_string(getpid()) + ".q");
  std::ofstream(path) << text;
  return path;
}

TEST_CASE("a text error shows its place below the message") {
  CHECK(show_place(text_error("'bud", 7), "select bud from quote").place ==
        "select bud from quote\n       ^");
  CHECK(show_place(text_error("end", 99), "ab").place == "ab\n  ^");
  CHECK_FALSE(show_place(text_error("end", 1), "ab").caret);
}

TEST_CASE("a caret stands under characters, not under bytes") {
  CHECK(show_place(text_error("here", 4), "\tc\xC3\xA9x").place == "\tc\xC3\xA9x\n\t  ^");
  CHECK(show_place(text_error("here", 1), "\ax").place == "\\u0007x\n      ^");
}

TEST_CASE("an error without a place stays as it is") {
  CHECK(show_place(data_error("broken"), "select").place.empty());
}

TEST_CASE("a file's queries keep their numbers, and one can be requested") {
  const auto path = query_file("/ 3\nselect from quote\n/ 7\nselect from trade\n");
  const auto all = queries_of_file(path, std::nullopt);
  REQUIRE(all.ok());
  REQUIRE(all->size() == 2);
  CHECK(tables_of(*all) == std::vector<std::string>{"quote", "trade"});
  const auto seventh = queries_of_file(path, 7);
  REQUIRE(seventh.ok());
  CHECK(seventh->front().id == 7);
  const auto absent = queries_of_file(path, 4);
  REQUIRE_FALSE(absent.ok());
  CHECK(absent.error().kind == ErrorKind::kUsage);
  CHECK(absent.error().message == path.string() + ": no query 4: it has 3, 7");
  std::filesystem::remove(path);
}

}  // namespace

TEST_CASE("a parameter is the lines of a file, or a value") {
  const testing::TemporaryDirectory folder;
  const std::string file = (folder.path() / "few.txt").string();
  std::ofstream(file) << "AAPL\nMSFT\n";
  const auto params = read_query_params({"few=" + file, "day=2020.01.07", "two=`a`b"});
  REQUIRE(params.ok());
  CHECK(params->at("few").atoms.size() == 2);
  CHECK(params->at("day").type == QType::kDate);
  CHECK(params->at("two").is_list);
}

}  // namespace hdbench::bench
