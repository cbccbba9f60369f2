#include "bench/storage/io_run.h"

#include "engine/base/catch.h"
#include "engine/testing/scratch_files.h"

namespace hdbench::bench {
namespace {

const auto kGoOn = [](std::size_t, std::size_t, std::string_view) { return true; };

IoOptions quick(const std::filesystem::path& target, const std::string& tests) {
  IoOptions options;
  options.targets = {target};
  options.quick = true;
  options.reps = 2;
  options.tests = tests;
  return options;
}

std::size_t files_in(const std::filesystem::path& path) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path),
                                                std::filesystem::directory_iterator()));
}

TEST_CASE("a target that is not there, and tests that are not, are errors") {
  CHECK(run_io(quick("/nowhere", ""), kGoOn).error().message ==
        "/nowhere: No such file or directory");
  CHECK(run_io(quick("/dev/null", ""), kGoOn).error().message == "/dev/null: is not a directory");
  const ScratchDirectory place;
  CHECK(run_io(quick(place.path(), "^nothing$"), kGoOn).error().message ==
        "--tests: no test's name matches '^nothing$'");
}

TEST_CASE("the list writes nothing and names every process count") {
  IoOptions options = quick("/nowhere", "hcount");
  options.processes = {1, 3};
  CHECK(*list_io(options) == std::vector<std::string>{"io/hcount/engine:calls/processes:1",
                                                      "io/hcount/engine:calls/processes:3"});
}

TEST_CASE("tests run in as many processes as asked for and leave nothing") {
  const ScratchDirectory place;
  IoOptions options = quick(place.path(), "/set/vector:tiny.*none|reread|io/append/|/(max|asc)/");
  options.processes = {2};
  const auto run = run_io(options, kGoOn);
  REQUIRE(run.ok());
  CHECK(run->results.size() == 15);  // max and asc: of two vectors, three types
  for (const IoResult& result : run->results) {
    CHECK(result.checked);
    CHECK(result.samples.size() == 2);
    CHECK(result.operations >= 4);
    CHECK(result.median > 0);
  }
  CHECK(run->targets.size() == 1);
  CHECK(files_in(place.path()) == 0);
}

TEST_CASE("an interrupt ends a run between two steps and leaves nothing") {
  const ScratchDirectory place;
  const auto run =
      run_io(quick(place.path(), "hcount"),
             [](std::size_t done, std::size_t, std::string_view) { return done == 0; });
  REQUIRE_FALSE(run.ok());
  CHECK(run.error().message == "interrupted");
  CHECK(files_in(place.path()) == 0);
}

TEST_CASE("a spent budget leaves out repetitions, not tests") {
  const ScratchDirectory place;
  IoOptions options = quick(place.path(), "hcount|open-close");
  options.reps = 50;
  options.budget_s = 1e-6;
  const auto run = run_io(options, kGoOn);
  REQUIRE(run.ok());
  CHECK_FALSE(run->complete);
  REQUIRE(run->results.size() == 2);
  CHECK(run->results.front().samples.size() == 1);
}

}  // namespace
}  // namespace hdbench::bench
