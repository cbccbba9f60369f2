#include "bench/base/json_value.h"
#include "bench/results/comparison.h"

namespace hdbench::bench {
namespace {

Json percent_of(const std::optional<double>& share) { return share ? Json(100 * *share) : Json(); }

Json noise_json(const std::optional<SideNoise>& noise, std::size_t files) {
  if (!noise) return {};
  return {{"of", files > 1 ? "files" : "halves of the only file"},
          {"middle_percent", 100 * noise->middle},
          {"most_percent", 100 * noise->most}};
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json cells = Json::array();
  for (const ComparedCell& cell : comparison.cells) {
    const Judgement& judged = cell.judged;
    const auto& interval = judged.ratio.interval;
    cells.push_back({{"name", cell.name},
                     {"a_ms", judged.a_ms},
                     {"b_ms", judged.b_ms},
                     {"ratio", judged.ratio.value},
                     {"interval", interval ? Json{interval->low, interval->high} : Json()},
                     {"best_possible_ratio", or_null(cell.best_possible_ratio)},
                     {"noise_a_percent", percent_of(judged.noise_a)},
                     {"noise_b_percent", percent_of(judged.noise_b)},
                     {"verdict", word(judged.verdict)},
                     {"regression", judged.regression},
                     {"same_result", cell.same_result}});
  }
  Json files = Json::array();
  for (const ComparedFile& one : comparison.files) {
    files.push_back(
        {{"side", one.label}, {"file", one.file}, {"commit", one.commit}, {"date", one.date}});
  }
  Json other_queries = Json::array();
  for (const OtherQuery& one : comparison.other_queries) {
    Json texts = Json::array();
    for (const QueryText* of : {&one.one, &one.other})
      texts.push_back({{"side", of->label}, {"text", of->text}});
    other_queries.push_back(
        {{"query", one.query}, {"cells", one.cells}, {"texts", std::move(texts)}});
  }
  Json json = Json::object();
  json["threshold_percent"] = comparison.threshold_percent;
  json["by"] = comparison.held_by == HeldBy::kTime ? "time" : "ceiling";
  json["files"] = std::move(files);
  json["geometric_mean"] = or_null(comparison.geometric_mean);
  json["maximum"] = or_null(comparison.maximum);
  json["best_possible_geometric_mean"] = or_null(comparison.best_possible_mean);
  json["noise_a"] = noise_json(comparison.noise_a, comparison.files_of_a);
  json["noise_b"] = noise_json(comparison.noise_b, comparison.files_of_b);
  for (const Verdict verdict :
       {Verdict::kFaster, Verdict::kSlower, Verdict::kSame, Verdict::kInconclusive}) {
    json[std::string(word(verdict))] = comparison.count(verdict);
  }
  json["not_judged"] = comparison.not_judged();
  json["regressions"] = comparison.regressions;
  json["different_results"] = comparison.different_results;
  json["cells"] = std::move(cells);
  json["only_a"] = comparison.only_a;
  json["only_b"] = comparison.only_b;
  json["no_figure"] = comparison.no_figure;
  json["other_queries"] = std::move(other_queries);
  json["notes"] = comparison.notes;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hdbench::bench
