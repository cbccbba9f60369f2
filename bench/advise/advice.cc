#include "bench/advise/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "bench/advise/placement_problem.h"
#include "bench/predict/query_recordings.h"
#include "bench/run/needed_columns.h"
#include "bench/run/placement_notes.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kFrontierPoints = 12;
constexpr int kTightenings = 4;

// Items by table and column, and by whether they are of the newest partitions.
struct Items {
  std::vector<PlacedItem> items;
  std::vector<std::pair<std::size_t, std::size_t>> newer;
  std::vector<std::size_t> item_of_place;  // kNone: lies in no column
};
constexpr std::size_t kNone = SIZE_MAX;

bool is_newest(const Table& table, std::size_t part, std::size_t newest) {
  return part + newest >= table.part_count();
}

std::uint64_t scaled_bytes(std::uint64_t bytes, double size) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(bytes) * size));
}

Items items_of(const QueryRecordings& recordings, const AdviceQuestion& question) {
  Items items;
  std::map<std::pair<std::string, std::string>, std::size_t> number;  // "table", "column@last20"
  const std::string suffix =
      question.newest > 0 ? fmt::format("@last{}", question.newest) : std::string();
  for (const Table* const table : recordings.tables()) {
    NeededColumns needed(*table);
    for (const auto& [id, query] : recordings.bound()) needed.add(*query.table, *query.plan);
    std::uint64_t newest_rows = 0;
    const std::uint64_t rows = std::max<std::uint64_t>(1, rows_of(*table));
    for (std::size_t part = 0; part < table->part_count(); ++part) {
      const auto of_part = table->rows(part);
      if (of_part.ok() && is_newest(*table, part, question.newest)) newest_rows += *of_part;
    }
    for (const ColumnNeed& need : column_needs(*table, needed)) {
      const std::uint64_t bytes = scaled_bytes(need.bytes, question.size);
      const auto newest_bytes =
          static_cast<std::uint64_t>(static_cast<double>(bytes) * static_cast<double>(newest_rows) /
                                     static_cast<double>(rows));
      const bool is_split = question.newest > 0 && table->schema().partitioned && newest_rows > 0 &&
                            newest_rows < rows;
      if (is_split) {
        number[{need.table, need.column + suffix}] = items.items.size();
        items.items.push_back({need.table, need.column + suffix, newest_bytes});
        items.newer.emplace_back(items.items.size() - 1, items.items.size());
      }
      number[{need.table, need.column}] = items.items.size();
      items.items.push_back({need.table, need.column, bytes - (is_split ? newest_bytes : 0)});
    }
  }
  for (const TracePlace& place : recordings.places()) {
    const Table* const table = recordings.table(place.table);
    auto found = number.end();
    if (table != nullptr && is_newest(*table, place.part, question.newest))
      found = number.find({place.table, place.column + suffix});
    if (found == number.end()) found = number.find({place.table, place.column});
    items.item_of_place.push_back(found == number.end() ? kNone : found->second);
  }
  return items;
}

struct Replayer {
  QueryRecordings& recordings;
  const Items& items;
  const std::vector<std::size_t>& device_of_tier;
  double size = 1;

  // Milliseconds of a query with each item on a tier, of the trace in the middle.
  double ms(const RecordedQuery& query, const std::vector<std::size_t>& tier_of_item) const {
    std::vector<std::size_t> devices(items.item_of_place.size(), kHostDevice);
    for (std::size_t place = 0; place < devices.size(); ++place) {
      const std::size_t item = items.item_of_place[place];
      if (item != kNone) devices[place] = device_of_tier[tier_of_item[item]];
    }
    return recordings.middle_ms(query, devices, {size, 1});
  }
};

WeighedQuery weigh(const Replayer& replayer, const RecordedQuery& query, double weight,
                   std::size_t dram, std::size_t tiers) {
  const std::size_t count = replayer.items.items.size();
  WeighedQuery weighed;
  weighed.id = query.id;
  weighed.weight = weight;
  std::vector<std::size_t> all_in_dram(count, dram);
  weighed.dram_ms = replayer.ms(query, all_in_dram);
  weighed.added_ms.assign(count, std::vector<double>(tiers, 0));
  weighed.busy_ms.assign(count, std::vector<double>(tiers, 0));
  std::vector<bool> is_read(count, false);
  for (const std::size_t place : query.places_read()) {
    if (const std::size_t item = replayer.items.item_of_place[place]; item != kNone)
      is_read[item] = true;
  }
  for (std::size_t item = 0; item < count; ++item) {
    if (!is_read[item]) continue;
    for (std::size_t tier = 0; tier < tiers; ++tier) {
      if (tier == dram) continue;
      std::vector<std::size_t> one_away = all_in_dram;
      one_away[item] = tier;
      const double ms = replayer.ms(query, one_away);
      weighed.added_ms[item][tier] = std::max(0.0, ms - weighed.dram_ms);
      weighed.busy_ms[item][tier] =
          std::min(ms, replayer.recordings.busy_ms(replayer.device_of_tier[tier], ms));
    }
  }
  return weighed;
}

std::vector<std::uint64_t> bytes_by_tier(const PlacementProblem& problem,
                                         const std::vector<std::size_t>& tier_of_item) {
  std::vector<std::uint64_t> bytes(problem.tiers.size(), 0);
  for (std::size_t i = 0; i < problem.items.size(); ++i)
    bytes[tier_of_item[i]] += problem.items[i].bytes;
  return bytes;
}

// Why no placement holds the limit: by how much the best one misses it.
Error too_tight(const PlacementProblem& problem, const PlacementLimit& limit) {
  if (limit.price) {
    const auto cheapest = best_placement(problem, {HUGE_VAL, {}});
    if (!cheapest.ok()) return cheapest.error();
    if (*cheapest) {
      const double least = problem.price(**cheapest);
      return usage_error(
          fmt::format("--budget {:.6g}: the cheapest placement costs {:.6g}, {:.6g} more",
                      *limit.price, least, least - *limit.price));
    }
  } else {
    const auto fastest = best_placement(problem, {{}, HUGE_VAL});
    if (!fastest.ok()) return fastest.error();
    if (*fastest) {
      const double least = problem.time_ms(**fastest) / problem.dram_ms() - 1;
      return usage_error(
          fmt::format("--slowdown {:.3g}%: the capacities allow {:.3g} % at best, {:.3g} more",
                      (*limit.time_ms / problem.dram_ms() - 1) * 100, least * 100,
                      (least - *limit.time_ms / problem.dram_ms() + 1) * 100));
    }
  }
  std::uint64_t bytes = 0;
  for (const PlacedItem& item : problem.items) bytes += item.bytes;
  std::uint64_t room = 0;
  for (const Tier& tier : problem.tiers) room += tier.capacity_bytes.value_or(bytes);
  return usage_error(fmt::format(
      "--tiers: the columns take {:.3f} GB, and the tiers hold {:.3f} GB together: {:.3f} GB more "
      "are needed",
      static_cast<double>(bytes) * 1e-9, static_cast<double>(room) * 1e-9,
      bytes > room ? static_cast<double>(bytes - room) * 1e-9 : 0));
}

Result<std::vector<FrontierPoint>> frontier_of(const PlacementProblem& problem) {
  std::vector<FrontierPoint> points;
  const auto add = [&](const std::vector<std::size_t>& tier_of_item) {
    const FrontierPoint point{problem.time_ms(tier_of_item) / problem.dram_ms() - 1,
                              problem.price(tier_of_item), bytes_by_tier(problem, tier_of_item)};
    const bool is_same = !points.empty() && points.back().price == point.price;
    if (!is_same) points.push_back(point);
  };
  HDB_ASSIGN(const auto fastest, best_placement(problem, {{}, HUGE_VAL}));
  HDB_ASSIGN(const auto cheapest, best_placement(problem, {HUGE_VAL, {}}));
  if (!fastest || !cheapest) return points;
  const double dearest = problem.price(*fastest);
  const double least = problem.price(*cheapest);
  add(*fastest);
  for (std::size_t k = 1; k + 1 < kFrontierPoints; ++k) {
    const double share = static_cast<double>(k) / (kFrontierPoints - 1);
    HDB_ASSIGN(const auto placed,
               best_placement(problem, {{}, dearest + (least - dearest) * share}));
    if (placed) add(*placed);
  }
  add(*cheapest);
  return points;
}

}  // namespace

Result<Advice> advise(Session& session, const std::vector<ListedQuery>& queries,
                      const Setting& setting, const AdviceQuestion& question) {
  for (const auto& [id, weight] : question.weights) {
    const bool is_known = std::any_of(queries.begin(), queries.end(),
                                      [&](const ListedQuery& one) { return one.id == id; });
    if (!is_known) return usage_error(fmt::format("--weights: there is no query {}", id));
  }
  std::vector<std::string> media;
  for (const Tier& tier : question.tiers) media.push_back(tier.medium);
  HDB_ASSIGN(const auto recordings,
             QueryRecordings::make(session, queries, setting, media, question.repetitions));
  const Items items = items_of(*recordings, question);
  const Replayer replayer{*recordings, items, recordings->devices(), question.size};
  const auto dram =
      static_cast<std::size_t>(std::find(media.begin(), media.end(), "dram") - media.begin());
  Advice advice;
  advice.setting = forecast_setting(session, setting);
  advice.asked = {question.slowdown, question.budget, question.newest, question.size};
  PlacementProblem problem{question.tiers, items.items, {}, items.newer};
  HDB_ASSIGN(const std::vector<RecordedQuery> recorded,
             recordings->record(queries, SizeFactors{question.size, 1}));
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const auto weight = question.weights.find(queries[q].id);
    problem.queries.push_back(weigh(replayer, recorded[q],
                                    weight == question.weights.end() ? 1 : weight->second, dram,
                                    media.size()));
    advice.queries.push_back({queries[q].id,
                              queries[q].name,
                              problem.queries.back().weight,
                              problem.queries.back().dram_ms,
                              0,
                              {},
                              {}});
  }
  advice.dram_ms = problem.dram_ms();
  PlacementLimit limit{{}, question.budget};
  const double wanted_ms = advice.dram_ms * (1 + question.slowdown.value_or(0));
  if (!question.budget) limit.time_ms = wanted_ms;
  // What the sums leave out (a tier shared by columns that are read at once) shows when the answer
  // is replayed: where that takes too long, the limit is drawn in by as much.
  std::vector<std::size_t> tier_of_item;
  for (int k = 0; k < kTightenings; ++k) {
    HDB_ASSIGN(const auto placed, best_placement(problem, limit));
    if (!placed && k == 0) return too_tight(problem, limit);
    if (!placed) break;
    tier_of_item = *placed;
    advice.placed_ms = 0;
    for (std::size_t q = 0; q < recorded.size(); ++q) {
      advice.queries[q].placed_ms = replayer.ms(recorded[q], *placed);
      advice.placed_ms += advice.queries[q].weight * advice.queries[q].placed_ms;
    }
    if (question.budget || advice.placed_ms <= wanted_ms) break;
    *limit.time_ms *= wanted_ms / advice.placed_ms;
  }
  advice.slowdown = advice.placed_ms / advice.dram_ms - 1;
  const std::vector<std::uint64_t> bytes = bytes_by_tier(problem, tier_of_item);
  for (std::size_t t = 0; t < problem.tiers.size(); ++t)
    advice.tiers.push_back({problem.tiers[t], bytes[t], price_of(problem.tiers[t], bytes[t])});
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    const PlacedItem& item = problem.items[i];
    advice.columns.push_back({item.table, item.column, item.bytes, tier_of_item[i]});
  }
  advice.price = problem.price(tier_of_item);
  advice.dram_price = problem.price(std::vector<std::size_t>(problem.items.size(), dram));
  HDB_ASSIGN(advice.frontier, frontier_of(problem));
  advice.run = run_of(advice);
  return advice;
}

Advice::Run run_of(const Advice& advice) {
  const auto holds_most =
      std::ranges::max_element(advice.tiers, {}, [](const PlacedTier& tier) { return tier.bytes; });
  const auto most = static_cast<std::size_t>(holds_most - advice.tiers.begin());
  Advice::Run run{holds_most->medium, {}};
  // The newest partitions of a column that stays with the rest are named where its others are.
  std::vector<std::string> lists(advice.tiers.size());
  for (std::size_t i = 0; i < advice.columns.size(); ++i) {
    const PlacedColumn& column = advice.columns[i];
    const bool is_newest_part = column.column.find('@') != std::string::npos;
    const bool follows_older = is_newest_part && advice.columns[i + 1].tier == column.tier;
    if (follows_older || (column.tier == most && !is_newest_part)) continue;
    std::string& list = lists[column.tier];
    list += fmt::format("{}{}.{}", list.empty() ? "" : ",", column.table, column.column);
  }
  for (std::size_t t = 0; t < lists.size(); ++t) {
    if (!lists[t].empty())
      run.places.push_back(fmt::format("{}={}", lists[t], advice.tiers[t].medium));
  }
  return run;
}

}  // namespace hdbench::bench
