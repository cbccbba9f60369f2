#include "bench/report/views/forecast_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/base/number_text.h"
#include "bench/model/axes.h"
#include "bench/report/views/device_curves.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/report_pivot.h"
#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

std::string gb_of(std::uint64_t bytes) {
  return fmt::format("{:.4g}", static_cast<double>(bytes) * 1e-9);
}

std::string slower_text(double slowdown) {
  return fmt::format("{:+.1f} %", std::abs(slowdown) < 5e-4 ? 0.0 : slowdown * 100);
}

std::string of_setting(const ForecastSetting& setting) {
  return fmt::format("{}, {} of {}, {}, mode {}, {}, {} codes", setting.machine,
                     word(setting.layout), setting.database, attr_text(setting.attr),
                     word(setting.mode), threads_text(setting.threads), word(setting.codes));
}

std::uint64_t all_bytes(const Advice& advice) {
  std::uint64_t all = 0;
  for (const PlacedTier& tier : advice.tiers) all += tier.bytes;
  return all;
}

double percent_of_all(const Advice& advice, const PlacedTier& tier) {
  return 100 * static_cast<double>(tier.bytes) /
         static_cast<double>(std::max<std::uint64_t>(all_bytes(advice), 1));
}

// "trade: time, ex; quote: bid".
std::string tier_columns(const Advice& advice, std::size_t tier) {
  std::string text;
  const std::string* table = nullptr;
  for (const PlacedColumn& column : advice.columns) {
    if (column.tier != tier) continue;
    const bool is_same = table != nullptr && *table == column.table;
    text += is_same ? ", " : fmt::format("{}{}: ", text.empty() ? "" : "; ", column.table);
    text += column.column;
    table = &column.table;
  }
  return text.empty() ? "none" : text;
}

std::string rows_and_partitions(double rows, double partitions) {
  return fmt::format("{} rows in {}", with_commas(static_cast<std::uint64_t>(rows)),
                     counted(static_cast<std::uint64_t>(partitions), "partition"));
}

// A machine's own memory, as a prediction was made of it.
DeviceProfile host_profile(const Prediction& prediction) {
  DeviceProfile profile;
  profile.name = "this machine's DRAM";
  profile.about = prediction.setting.machine;
  const std::string source = "measured before the recording, on " + prediction.setting.machine;
  auto& curve = profile.curves[static_cast<int>(AccessKind::kRead)]
                              [static_cast<int>(AccessPattern::kSequential)];
  for (const std::vector<double>& point : prediction.host.read_gb_s)
    curve.points.push_back({point[0], point[1]});
  profile.latency.read_random_ns = prediction.host.chase_ns;
  profile.sources = {{"bandwidth.read.sequential", source}, {"latency.read_random", source}};
  return profile;
}

}  // namespace

std::vector<DeviceProfile> Forecasts::all_profiles(std::vector<std::string>& missing) const {
  std::vector<DeviceProfile> all = profiles;
  std::vector<std::string> media;
  for (const Advice& one : advice) {
    for (const std::size_t tier : tiers_by_price(one)) media.push_back(one.tiers[tier].medium);
  }
  for (const Prediction& one : predictions) {
    all.push_back(host_profile(one));
    media.insert(media.end(), one.media.begin(), one.media.end());
  }
  for (DeviceProfile& profile : profiles_of_media(media, missing)) {
    const bool is_given = std::ranges::any_of(
        profiles, [&](const DeviceProfile& given) { return given.name == profile.name; });
    if (!is_given) all.push_back(std::move(profile));
  }
  return all;
}

std::vector<std::size_t> tiers_by_price(const Advice& advice) {
  std::vector<std::size_t> order(advice.tiers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return advice.tiers[a].price_per_gb > advice.tiers[b].price_per_gb;
  });
  return order;
}

std::string price_text(double price) {
  constexpr double kWhole = 1000;
  constexpr double kMost = 1e15;
  if (price < kWhole || price > kMost) return fmt::format("{:.4g}", price);
  return with_commas(static_cast<std::uint64_t>(std::llround(price)));
}

std::string advice_sentence(const Advice& advice) {
  std::string parts;
  for (const PlacedTier& tier : advice.tiers) {
    if (tier.bytes == 0) continue;
    parts += fmt::format("{}{:.0f} % of the bytes in {}", parts.empty() ? "" : ", ",
                         percent_of_all(advice, tier), tier.name);
  }
  const double dram = advice.dram_price;
  return fmt::format(
      "{}: the queries take {:.1f} % longer than with all in DRAM, and the memory costs {} "
      "instead of {}{}.",
      parts, advice.slowdown * 100, price_text(advice.price), price_text(dram),
      dram > 0 ? fmt::format(" ({:+.0f} %)", (advice.price / dram - 1) * 100) : "");
}

std::string advice_question(const Advice& advice) {
  std::string asked = "the fastest placement";
  if (advice.asked.slowdown) {
    asked = fmt::format("the cheapest placement in which the queries take {:.3g} % longer at most",
                        *advice.asked.slowdown * 100);
  } else if (advice.asked.budget) {
    asked = fmt::format("the fastest placement of a price of {:.6g} at most", *advice.asked.budget);
  }
  if (advice.asked.times != 1)
    asked += fmt::format(", for {:.4g} times the data", advice.asked.times);
  if (advice.asked.newest != 0)
    asked += fmt::format(", where the newest {} may lie apart",
                         counted(advice.asked.newest, "partition"));
  return fmt::format("Asked for: {}. Recorded on {}.", asked, of_setting(advice.setting));
}

std::string advice_flags(const Advice& advice) {
  std::string flags = "--medium " + advice.run.medium;
  for (const std::string& place : advice.run.places) flags += " --place " + place;
  return flags;
}

ViewTable placement_table(const Advice& advice) {
  ViewTable table{"The placement: what lies on each tier, and what it costs",
                  {{"tier", true}, "GB", "of all", "price", {"columns", true}}};
  for (const std::size_t at : tiers_by_price(advice)) {
    const PlacedTier& tier = advice.tiers[at];
    table.rows.push_back({tier.name, gb_of(tier.bytes),
                          fmt::format("{:.0f} %", percent_of_all(advice, tier)),
                          price_text(tier.price), tier_columns(advice, at)});
  }
  table.rows.push_back({"together", gb_of(all_bytes(advice)), "", price_text(advice.price), ""});
  return table;
}

ViewTable advised_queries_table(const Advice& advice) {
  const bool is_measured = std::ranges::all_of(advice.queries, [](const AdvisedQuery& one) {
    return one.measured_ms && one.measured_dram_ms;
  });
  ViewTable table{"Times in ms, with all in DRAM and placed as above; all: by weight",
                  {{"query", true}, {"asks for", true}, "weight", "DRAM", "placed", "slower"}};
  if (is_measured)
    table.columns.insert(table.columns.end(), {"DRAM ran", "placed ran", "slower", "off by"});
  const auto change = [](double from, double to) {
    return from > 0 ? slower_text(to / from - 1) : std::string("none");
  };
  const auto add = [&](std::vector<ViewCell> row, double dram, double placed, double ran_in_dram,
                       double ran_placed) {
    row.insert(row.end(), {format_ms(dram), format_ms(placed), change(dram, placed)});
    if (is_measured) {
      row.insert(row.end(), {format_ms(ran_in_dram), format_ms(ran_placed),
                             change(ran_in_dram, ran_placed), change(ran_placed, placed)});
    }
    table.rows.push_back(std::move(row));
  };
  double ran_in_dram = 0, ran_placed = 0;
  for (const AdvisedQuery& query : advice.queries) {
    add({query_label(query.query), query.name, fmt::format("{:.6g}", query.weight)}, query.dram_ms,
        query.placed_ms, query.measured_dram_ms.value_or(0), query.measured_ms.value_or(0));
    ran_in_dram += query.weight * query.measured_dram_ms.value_or(0);
    ran_placed += query.weight * query.measured_ms.value_or(0);
  }
  add({"all", "", ""}, advice.dram_ms, advice.placed_ms, ran_in_dram, ran_placed);
  return table;
}

ViewTable frontier_table(const Advice& advice) {
  ViewTable table{"The frontier: what less time costs, and GB by tier", {"slower", "price"}};
  const std::vector<std::size_t> order = tiers_by_price(advice);
  for (const std::size_t tier : order) table.columns.push_back(advice.tiers[tier].name + ", GB");
  for (const FrontierPoint& point : advice.frontier) {
    table.rows.push_back({slower_text(point.slowdown), price_text(point.price)});
    for (const std::size_t tier : order) table.rows.back().push_back(gb_of(point.bytes[tier]));
  }
  return table;
}

ViewTable tiers_table(const Advice& advice) {
  ViewTable table{"The tiers that may be bought",
                  {{"tier", true},
                   {"medium", true},
                   "price a GB",
                   "price once",
                   "GB at most",
                   {"source of the price", true}}};
  for (const std::size_t at : tiers_by_price(advice)) {
    const PlacedTier& tier = advice.tiers[at];
    table.rows.push_back({tier.name, tier.medium, price_text(tier.price_per_gb),
                          price_text(tier.price_once),
                          tier.capacity_bytes ? gb_of(*tier.capacity_bytes) : "no limit",
                          tier.source.empty() ? "not told" : tier.source});
  }
  return table;
}

std::string short_medium(const std::string& medium) {
  return medium.substr(medium.find(':') + 1);  // all of it where there is no colon
}

std::string prediction_sentence(const Prediction& prediction) {
  std::vector<double> sums(prediction.media.size());
  for (const PredictedQuery& query : prediction.queries) {
    for (std::size_t m = 0; m < sums.size(); ++m) sums[m] += query.on[m].ms;
  }
  const std::string asked = rows_and_partitions(prediction.asked.rows, prediction.asked.partitions);
  const std::string recorded =
      rows_and_partitions(prediction.recorded.rows, prediction.recorded.partitions);
  std::string text =
      fmt::format("Predicted for {}, {}: ", asked,
                  asked == recorded ? "as recorded" : "from a recording of " + recorded);
  const std::size_t count = prediction.queries.size();
  text += count == 1 ? query_label(prediction.queries.front().query) + " takes "
                     : fmt::format("the {} queries together take ", count);
  const auto on = [&](std::size_t medium) {
    return fmt::format("{} on {}", time_text(sums[medium]), medium_title(prediction.media[medium]));
  };
  const auto [least, most] = std::minmax_element(sums.begin(), sums.end());
  const auto fastest = static_cast<std::size_t>(least - sums.begin());
  const auto slowest = static_cast<std::size_t>(most - sums.begin());
  if (fastest == slowest) return text + on(fastest) + ".";
  text += fmt::format("{}, the fastest, and {}, the slowest", on(fastest), on(slowest));
  if (*least > 0) text += fmt::format(": {} times as long", factor_text(*most / *least));
  return text + ".";
}

std::string prediction_question(const Prediction& prediction) {
  std::vector<std::string> asked;
  if (prediction.asked.columns)
    asked.push_back(fmt::format("{:.6g} columns", *prediction.asked.columns));
  if (prediction.asked.users > 1)
    asked.push_back(counted(prediction.asked.users, "user") + " at once");
  if (prediction.asked.cpus != 0) asked.push_back("on " + counted(prediction.asked.cpus, "CPU"));
  if (prediction.asked.beside_gb_s > 0)
    asked.push_back(fmt::format("beside {:.4g} GB/s of other reads", prediction.asked.beside_gb_s));
  std::vector<std::string> reads;
  for (const std::vector<double>& point : prediction.host.read_gb_s)
    reads.push_back(fmt::format("{:.4g} GB/s on {}", point[1],
                                threads_text(static_cast<std::size_t>(point[0]))));
  return fmt::format(
      "{}Recorded in DRAM on {}. Its memory, as measured: {}; {:.4g} ns for a read that depends on "
      "the one before; {} of last-level caches.",
      asked.empty() ? "" : fmt::format("Asked for: {}. ", fmt::join(asked, ", ")),
      of_setting(prediction.setting), listed(reads), prediction.host.chase_ns,
      memory_text(prediction.host.cache_bytes));
}

ViewTable predicted_times_table(const Prediction& prediction) {
  ViewTable table{"Milliseconds by medium, and from where to where they are to be expected",
                  {{"query", true}}};
  for (const std::string& medium : prediction.media)
    table.columns.emplace_back(medium_title(medium));
  for (const PredictedQuery& query : prediction.queries) {
    table.rows.push_back({{query_label(query.query), query.name}});
    for (const PredictedTime& time : query.on) {
      table.rows.back().emplace_back(
          format_ms(time.ms),
          fmt::format("{} to {}", format_ms(time.low_ms), format_ms(time.high_ms)));
    }
  }
  return table;
}

ViewTable predicted_parts_table(const Prediction& prediction) {
  ViewTable table{"Milliseconds, and the parts that they are made of",
                  {{"query", true},
                   {"medium", true},
                   "ms",
                   "from",
                   "to",
                   "work",
                   "bandwidth",
                   "latency",
                   "waiting"}};
  for (const PredictedQuery& query : prediction.queries) {
    for (std::size_t m = 0; m < query.on.size(); ++m) {
      const PredictedTime& time = query.on[m];
      table.rows.push_back(
          {{query_label(query.query), m == 0 ? query.name : ""}, prediction.media[m]});
      for (const double ms : {time.ms, time.low_ms, time.high_ms, time.work_ms, time.bandwidth_ms,
                              time.latency_ms, time.waiting_ms})
        table.rows.back().emplace_back(fmt::format("{:.4g}", ms));
    }
  }
  return table;
}

}  // namespace hdbench::bench
