#include "bench/advise/advice_output.h"

#include <fmt/format.h>

#include "bench/base/json_value.h"
#include "bench/base/lines.h"
#include "bench/base/version.h"
#include "bench/model/axes.h"
#include "bench/model/recommendation.h"

namespace hdbench::bench {
namespace {

std::string gb_text(std::uint64_t bytes) {
  return fmt::format("{:.3f}", static_cast<double>(bytes) * 1e-9);
}

std::string columns_on(const Advice& advice, std::size_t tier) {
  std::string columns;
  for (std::size_t i = 0; i < advice.problem.items.size(); ++i) {
    if (advice.tier_of_item[i] != tier) continue;
    const PlacedItem& item = advice.problem.items[i];
    columns += fmt::format("{}{}.{}", columns.empty() ? "" : " ", item.table, item.column);
  }
  return columns.empty() ? "nothing" : columns;
}

}  // namespace

std::string advice_text(const Advice& advice) {
  const PlacementProblem& problem = advice.problem;
  Recommendation recommendation{{}, advice.slowdown(), advice.price, advice.dram_price};
  for (std::size_t t = 0; t < problem.tiers.size(); ++t)
    recommendation.bytes_by_tier.emplace_back(problem.tiers[t].name, advice.bytes_by_tier[t]);
  std::string text = recommendation_text(recommendation) + "\n\n";
  TextRows tiers{{"tier", "medium", "GB", "price"}};
  std::string placed;
  for (std::size_t t = 0; t < problem.tiers.size(); ++t) {
    tiers.push_back({problem.tiers[t].name, problem.tiers[t].medium,
                     gb_text(advice.bytes_by_tier[t]),
                     fmt::format("{:.6g}", price_of(problem.tiers[t], advice.bytes_by_tier[t]))});
    placed += folded(problem.tiers[t].name + ": " + columns_on(advice, t), 100, "  ");
  }
  text += aligned(tiers, 2) + "\n" + placed;
  TextRows queries{{"query", "weight", "DRAM ms", "placed ms", "slower"}};
  if (advice.verified) queries[0].insert(queries[0].end(), {"DRAM ran", "placed ran", "off"});
  for (const AdvisedQuery& query : advice.queries) {
    queries.push_back({query_label(query.id), fmt::format("{:.6g}", query.weight),
                       fmt::format("{:.3f}", query.dram_ms), fmt::format("{:.3f}", query.placed_ms),
                       fmt::format("{:+.1f} %", (query.placed_ms / query.dram_ms - 1) * 100)});
    if (!query.measured_ms) continue;
    for (const double ms : {*query.measured_dram_ms, *query.measured_ms})
      queries.back().push_back(fmt::format("{:.3f}", ms));
    queries.back().push_back(
        fmt::format("{:+.1f} %", (query.placed_ms / *query.measured_ms - 1) * 100));
  }
  text += "\n" + aligned(queries, 1);
  if (advice.verified) {
    text += fmt::format(
        "\nrun, emulated: {:.1f} % longer than in DRAM ({:.3f} ms and {:.3f} ms); the prediction "
        "of {:.3f} ms was off by {:+.1f} %\n",
        advice.verified->slowdown() * 100, advice.verified->placed_ms, advice.verified->dram_ms,
        advice.placed_ms, (advice.placed_ms / advice.verified->placed_ms - 1) * 100);
  }
  TextRows frontier{{"slower", "price"}};
  for (const Tier& tier : problem.tiers) frontier[0].push_back(tier.name + " GB");
  for (const FrontierPoint& point : advice.frontier) {
    frontier.push_back(
        {fmt::format("{:.1f} %", point.slowdown * 100), fmt::format("{:.6g}", point.price)});
    for (const std::uint64_t bytes : point.bytes_by_tier) frontier.back().push_back(gb_text(bytes));
  }
  text += "\nthe frontier: what less time costs\n" + aligned(frontier, 0);
  const PlaceFlags flags = place_flags(advice);
  text += "\nto run it: --medium " + flags.medium;
  for (const std::string& place : flags.places) text += fmt::format(" --place {}", place);
  return text + "\n";
}

std::string advice_json(const Advice& advice) {
  const PlacementProblem& problem = advice.problem;
  Json json = Json::object();
  json["format"] = "hdbench-advice-1";
  json["version"] = version();
  json["commit"] = commit();
  json["machine"] = advice.machine;
  json["database"] = advice.database;
  json["layout"] = word(advice.setting.layout);
  json["attr"] = word(advice.setting.attr);
  json["mode"] = word(advice.setting.mode);
  json["threads"] = advice.setting.threads;
  json["codes"] = word(advice.setting.codes);
  json["asked"] = {{"slowdown", or_null(advice.question.slowdown)},
                   {"budget", or_null(advice.question.budget)},
                   {"newest", advice.question.newest},
                   {"times", advice.question.size}};
  json["tiers"] = Json::array();
  for (std::size_t t = 0; t < problem.tiers.size(); ++t) {
    const Tier& tier = problem.tiers[t];
    json["tiers"].push_back({{"name", tier.name},
                             {"medium", tier.medium},
                             {"capacity_bytes", or_null(tier.capacity_bytes)},
                             {"price_per_gb", tier.price_per_gb},
                             {"price_once", tier.price_once},
                             {"source", tier.source},
                             {"bytes", advice.bytes_by_tier[t]},
                             {"price", price_of(tier, advice.bytes_by_tier[t])}});
  }
  json["columns"] = Json::array();
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    const PlacedItem& item = problem.items[i];
    json["columns"].push_back({{"table", item.table},
                               {"column", item.column},
                               {"bytes", item.bytes},
                               {"tier", advice.tier_of_item[i]}});
  }
  json["queries"] = Json::array();
  for (const AdvisedQuery& query : advice.queries) {
    json["queries"].push_back({{"query", query.id},
                               {"name", query.name},
                               {"weight", query.weight},
                               {"dram_ms", query.dram_ms},
                               {"placed_ms", query.placed_ms},
                               {"measured_dram_ms", or_null(query.measured_dram_ms)},
                               {"measured_ms", or_null(query.measured_ms)}});
  }
  json["dram_ms"] = advice.dram_ms;
  json["placed_ms"] = advice.placed_ms;
  json["slowdown"] = advice.slowdown();
  json["measured_slowdown"] = advice.verified ? Json(advice.verified->slowdown()) : Json();
  json["price"] = advice.price;
  json["dram_price"] = advice.dram_price;
  json["frontier"] = Json::array();
  for (const FrontierPoint& point : advice.frontier) {
    json["frontier"].push_back(
        {{"slowdown", point.slowdown}, {"price", point.price}, {"bytes", point.bytes_by_tier}});
  }
  const PlaceFlags flags = place_flags(advice);
  json["run"] = {{"medium", flags.medium}, {"places", flags.places}};
  return json_text(json);
}

}  // namespace hdbench::bench
