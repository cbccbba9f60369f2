#include "bench/storage/io_results.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

IoResult result_of(const char* name, const char* unit, std::vector<double> samples) {
  IoResult result;
  result.name = name;
  result.unit = unit;
  result.samples = std::move(samples);
  result.median = result.samples[result.samples.size() / 2];
  return result;
}

SavedIo sample() {
  SavedIo saved;
  saved.run.targets.push_back({});
  saved.run.complete = true;
  saved.run.results = {result_of("io/random-read", "MB/s", {190, 200, 210}),
                       result_of("io/hcount", "ms", {0.002})};
  return saved;
}

Comparison compare_one(const SavedIo& a, const SavedIo& b) {
  return compare_io(std::span(&a, 1), std::span(&b, 1), 5);
}

TEST_CASE("half the rate is twice the time, and a regression") {
  SavedIo slower = sample();
  slower.run.results[0].samples = {40, 41, 42};
  slower.run.results.pop_back();
  const Comparison comparison = compare_one(sample(), slower);
  REQUIRE(comparison.cells.size() == 1);
  CHECK(comparison.cells[0].judged.ratio.value == Approx(200.0 / 41));
  CHECK(comparison.cells[0].judged.verdict == Verdict::kSlower);
  CHECK(comparison.regressions == 1);
  CHECK(comparison.only_a == std::vector<std::string>{"io/hcount"});
  CHECK(comparison.notes.empty());
}

TEST_CASE("what a side was warned of, and that it was ended early, is reported") {
  SavedIo other = sample();
  other.commit = "abc";
  other.run.preflight = {"preflight: load: busy"};
  other.run.complete = false;
  CHECK(compare_one(sample(), other).notes ==
        std::vector<std::string>{"commit: A , B abc", "B was ended before its last test",
                                 "B was warned: preflight: load: busy"});
}

TEST_CASE("several files a side, and a result that one of them lacks") {
  SavedIo flagged = sample();
  flagged.run.results[0].above_ceiling = true;
  const std::vector<SavedIo> a{sample(), sample()};
  const std::vector<SavedIo> b{sample(), flagged};
  const Comparison comparison = compare_io(a, b, 5);
  REQUIRE(comparison.cells.size() == 1);
  CHECK(comparison.cells[0].name == "io/hcount");
  CHECK(comparison.no_figure == std::vector<std::string>{"io/random-read: no result in B"});
  CHECK(comparison.files.size() == 4);
}

}  // namespace
}  // namespace hdbench::bench
