#include "bench/run/experiment.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::string error_of(const std::string& text) {
  const auto experiment = parse_experiment(text, "e.toml");
  REQUIRE_FALSE(experiment.ok());
  CHECK(experiment.error().kind == ErrorKind::kUsage);
  return experiment.error().message;
}

TEST_CASE("a name of very many parts is refused, whose tables would take all of the stack") {
  std::string name = "a";
  for (int part = 0; part < 100000; ++part) name += ".a";
  CHECK(error_of("# " + std::string(99, '.') + "\n" + name + " = 1\n") ==
        "e.toml:2: more than 32 dots, expected names of fewer parts");
}

TEST_CASE("lists, words and numbers become what the flags take") {
  const auto experiment = parse_experiment(R"(
title = "tiers"
scale = 0.05
repetitions = 7
budget_minutes = 1.5
[[database]]
name = "paper"
parted = "col3"
[[matrix]]
database = "paper"
queries = "paper-counted.q"
medium = ["nvme", "app-direct:optane-100-6dimm"]
mode = [3.6, "4.0"]
threads = [1, "all"]
cache = "cold"
)",
                                           "e.toml");
  INFO((experiment.ok() ? "" : experiment.error().message));
  REQUIRE(experiment.ok());
  CHECK(experiment->title == "tiers");
  CHECK(experiment->scale == 0.05);
  CHECK(experiment->repetitions == 7u);
  CHECK(experiment->budget_s == 90);
  CHECK(experiment->databases[0].spec.parted == "col3");
  const ExperimentMatrix& matrix = experiment->matrices[0];
  CHECK(matrix.queries == "paper-counted.q");
  CHECK(matrix.axes.at("medium") == "nvme,app-direct:optane-100-6dimm");
  CHECK(matrix.axes.at("mode") == "3.6,4.0");
  CHECK(matrix.axes.at("threads") == "1,all");
  CHECK(matrix.axes.at("cache") == "cold");
}

TEST_CASE("a budget is a time with units, or minutes") {
  for (const char* const text : {"budget = '1h30m'", "budget = 90", "budget_minutes = 90"}) {
    const auto experiment = parse_experiment(std::string(text) + "\n[[matrix]]\n", "e.toml");
    INFO(text);
    REQUIRE(experiment.ok());
    CHECK(experiment->budget_s == 5400);
  }
  CHECK(error_of("budget = 'soon'\n[[matrix]]\n").find("e.toml:1: 'budget': 'soon' is no time") ==
        0);
  CHECK(error_of("budget = []\n[[matrix]]\n").find("e.toml:1: 'budget'") == 0);
}

TEST_CASE("what is wrong is reported with its line") {
  CHECK(error_of("title = \n").find("e.toml:1: ") == 0);
  CHECK(error_of("[[matrix]]\nmedia = \"nvme\"\n").find("e.toml:2: 'media' is no name here") == 0);
  CHECK(error_of("repetitions = 0\n[[matrix]]\n").find("e.toml:1: 'repetitions'") == 0);
  CHECK(error_of("scale = \"big\"\n[[matrix]]\n").find("e.toml:1: 'scale'") == 0);
  CHECK(error_of("[[matrix]]\nmedium = []\n").find("an empty list") != std::string::npos);
  CHECK(error_of("matrix = 1\n").find("expected [[matrix]]") != std::string::npos);
  CHECK(error_of("[[matrix]]\ndatabase = \"x\"\n").find("is no [[database]]") != std::string::npos);
  CHECK(error_of("[[database]]\nprofile = \"x\"\n[[matrix]]\n").find("e.toml:1: ") == 0);
  CHECK(error_of("[[database]]\nprofile = \"taq\"\ncolumns = 12\n[[matrix]]\n")
            .find("e.toml:1: columns: not for profile taq") == 0);
}

TEST_CASE("the experiments that come with the program can be read, and an unknown one lists them") {
  for (const char* name :
       {"paper", "threads", "limit", "tiers", "quick", "aggregates", "compression"}) {
    const auto experiment = find_experiment(name);
    INFO(name << (experiment.ok() ? "" : ": " + experiment.error().message));
    REQUIRE(experiment.ok());
    CHECK_FALSE(experiment->title.empty());
  }
  const auto unknown = find_experiment("charts");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().message.find(
            "aggregates, compression, desk, limit, paper, quick, threads, tiers") !=
        std::string::npos);
}

}  // namespace
}  // namespace hdbench::bench
