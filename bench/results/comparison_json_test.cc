#include <nlohmann/json.hpp>

#include "bench/results/comparison.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

nlohmann::json json_of(const Comparison& comparison) {
  return nlohmann::json::parse(comparison_json(comparison));
}

}  // namespace

TEST_CASE("what is not known is null in a comparison's JSON") {
  const auto json = json_of({});
  for (const char* name :
       {"geometric_mean", "maximum", "best_possible_geometric_mean", "noise_a"}) {
    INFO(name);
    CHECK(json[name].is_null());
  }
  CHECK(json["by"] == "time");
  CHECK(json["cells"].empty());
  CHECK(json["not_judged"] == 0);
}

TEST_CASE("a compared cell's JSON has its interval, noise in per cent and verdict") {
  Comparison comparison;
  comparison.held_by = HeldBy::kCeiling;
  comparison.files = {{"B2", "b2.json", "c", "d"}};
  comparison.files_of_b = 2;
  comparison.noise_a = SideNoise{0.01, 0.02};
  comparison.noise_b = SideNoise{0.03, 0.04};
  comparison.only_b = {"Q09"};
  ComparedCell cell;
  cell.name = "Q01";
  cell.judged.ratio = {0.5, Interval{0.4, 0.6}};
  cell.judged.verdict = Verdict::kFaster;
  cell.judged.noise_a = 0.25;
  comparison.cells = {cell};

  const auto json = json_of(comparison);
  CHECK(json["by"] == "ceiling");
  CHECK(json["files"][0]["side"] == "B2");
  CHECK(json["noise_a"]["of"] == "halves of the only file");
  CHECK(json["noise_b"]["of"] == "files");
  CHECK(json["noise_b"]["most_percent"] == 4.0);
  CHECK(json["cells"][0]["interval"] == nlohmann::json{0.4, 0.6});
  CHECK(json["cells"][0]["noise_a_percent"] == 25.0);
  CHECK(json["cells"][0]["noise_b_percent"].is_null());
  CHECK(json["cells"][0]["verdict"] == "faster");
  CHECK(json["faster"] == 1);
  CHECK(json["not_judged"] == 1);
}

}  // namespace hdbench::bench
