#include "bench/storage/io_run.h"

#include "engine/base/catch.h"
#include "engine/testing/column_files.h"

namespace hdbench::bench {
namespace {

IoOptions quick(const std::filesystem::path& target, const std::string& tests) {
  IoOptions options;
  options.targets = {target};
  options.quick = true;
  options.tests = tests;
  return options;
}

TEST_CASE("the list writes nothing and names every process count") {
  IoOptions options = quick("/nowhere", "hcount");
  options.processes = {1, 3};
  CHECK(*list_io(options) == std::vector<std::string>{"io/hcount/engine:calls/processes:1",
                                                      "io/hcount/engine:calls/processes:3"});
}

TEST_CASE("a spent budget leaves out repetitions, not tests") {
  const ScratchDirectory place;
  IoOptions options = quick(place.path(), "hcount|open-close");
  options.reps = 50;
  options.budget_s = 1e-6;
  const auto run = run_io(options, [](std::size_t, std::size_t, std::string_view) { return true; });
  REQUIRE(run.ok());
  CHECK_FALSE(run->complete);
  REQUIRE(run->results.size() == 2);
  CHECK(run->results.front().samples.size() == 1);
}

}  // namespace
}  // namespace hdbench::bench
