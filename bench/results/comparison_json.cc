#include "bench/base/json_value.h"
#include "bench/results/comparison.h"

namespace hdbench {

std::string comparison_json(const Comparison& comparison, double threshold_percent) {
  Json cells = Json::array();
  for (const ComparedCell& cell : comparison.cells) {
    const auto& interval = cell.ratio.interval;
    cells.push_back({{"name", cell.name},
                     {"a_ms", cell.a_ms},
                     {"b_ms", cell.b_ms},
                     {"ratio", cell.ratio.value},
                     {"interval", interval ? Json{interval->low, interval->high} : Json()},
                     {"floor_ratio", or_null(cell.floor_ratio)},
                     {"verdict", word(cell.verdict)},
                     {"regression", cell.regression},
                     {"same_result", cell.same_result}});
  }
  Json json;
  json["threshold_percent"] = threshold_percent;
  json["by"] = comparison.held_by == HeldBy::kTime ? "time" : "ceiling";
  json["geometric_mean"] = or_null(comparison.geometric_mean);
  json["maximum"] = or_null(comparison.maximum);
  json["floors_geometric_mean"] = or_null(comparison.floors_mean);
  json["regressions"] = comparison.regressions;
  json["different_results"] = comparison.different_results;
  json["cells"] = std::move(cells);
  json["only_a"] = comparison.only_a;
  json["only_b"] = comparison.only_b;
  json["no_figure"] = comparison.no_figure;
  json["notes"] = comparison.notes;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hdbench
