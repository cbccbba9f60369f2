#include "bench/model/param_words.h"

#include <fstream>

#include "engine/base/catch.h"
#include "engine/testing/files.h"

using namespace hdbench;
using namespace hdbench::bench;

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

TEST_CASE("a word that is no parameter is told with its flag") {
  const auto message = [](const std::vector<std::string>& words) {
    const auto params = read_query_params(words);
    return params.ok() ? std::string() : params.error().message;
  };
  CHECK(message({"few"}) == "--param: few: expected NAME=FILE or NAME=VALUE");
  CHECK(message({"=5"}) == "--param: =5: expected NAME=FILE or NAME=VALUE");
  CHECK(message({"a=1", "a=2"}) == "--param: a=2: this name has a value already");
  CHECK(message({"a=/nowhere"}).starts_with("--param: a=/nowhere: no such file, and as a value: "));
}
