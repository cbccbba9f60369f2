#include "bench/results/forecasts.h"

#include <fmt/format.h>

#include <new>

#include "bench/base/json_fields.h"
#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

// Not below 0; JSON has no infinities.
template <typename... T>
void check_from_zero(const char* what, T... values) {
  for (const double value : {values...}) {
    if (!(value >= 0)) throw BadField(fmt::format("{} is {}, expected 0 or more", what, value));
  }
}

void check_count(const std::string& what, std::size_t found, std::size_t expected, const char* of) {
  if (found == expected) return;
  throw BadField(
      fmt::format("'{}' has {} entries, expected the {} of '{}'", what, found, expected, of));
}

// A count of rows or partitions: what a 64-bit number surely holds.
void check_size(const char* what, double value) {
  constexpr double kMost = 1e18;
  if (value >= 0 && value <= kMost) return;
  throw BadField(fmt::format("'{}' is {}, expected 0 to 1e18", what, value));
}

template <typename T>
void check_any(const char* what, const std::vector<T>& list) {
  if (list.empty()) throw BadField(fmt::format("'{}' is empty, expected one or more", what));
}

}  // namespace

void fields(JsonFields& a, ForecastSetting& setting) {
  HDB_FIELDS(setting, version, commit, machine, database, layout, attr, mode, threads, codes);
}

void fields(JsonFields& a, PlacedTier& tier) {
  HDB_FIELDS(tier, name, medium, capacity_bytes, price_per_gb, price_once, source, bytes, price);
  check_from_zero("a price", tier.price_per_gb, tier.price_once, tier.price);
}

void fields(JsonFields& a, PlacedColumn& column) { HDB_FIELDS(column, table, column, bytes, tier); }

void fields(JsonFields& a, AdvisedQuery& query) {
  HDB_FIELDS(query, query, name, weight, dram_ms, placed_ms, measured_dram_ms, measured_ms);
  check_from_zero("a time or weight", query.weight, query.dram_ms, query.placed_ms,
                  query.measured_dram_ms.value_or(0), query.measured_ms.value_or(0));
}

void fields(JsonFields& a, FrontierPoint& point) {
  HDB_FIELDS(point, slowdown, price, bytes);
  check_from_zero("'price'", point.price);
}

void fields(JsonFields& a, Advice::Asked& asked) {
  HDB_FIELDS(asked, slowdown, budget, newest, times);
}

void fields(JsonFields& a, Advice::Run& run) { HDB_FIELDS(run, medium, places); }

void fields(JsonFields& a, Advice& advice) {
  fields(a, advice.setting);
  HDB_FIELDS(advice, asked, tiers, columns, queries, dram_ms, placed_ms, slowdown, price,
             dram_price, frontier, run);
  check_any("tiers", advice.tiers);
  check_any("queries", advice.queries);
  check_from_zero("a time or price", advice.dram_ms, advice.placed_ms, advice.price,
                  advice.dram_price);
  for (std::size_t i = 0; i < advice.columns.size(); ++i) {
    if (advice.columns[i].tier < advice.tiers.size()) continue;
    throw BadField(fmt::format("columns[{}]: 'tier' is {}, expected less than the {} of 'tiers'", i,
                               advice.columns[i].tier, advice.tiers.size()));
  }
  for (std::size_t i = 0; i < advice.frontier.size(); ++i) {
    check_count(fmt::format("frontier[{}].bytes", i), advice.frontier[i].bytes.size(),
                advice.tiers.size(), "tiers");
  }
}

void fields(JsonFields& a, PredictedTime& time) {
  HDB_FIELDS(time, medium, ms, low_ms, high_ms, work_ms, bandwidth_ms, latency_ms, waiting_ms);
  check_from_zero("a time", time.ms, time.low_ms, time.high_ms, time.work_ms, time.bandwidth_ms,
                  time.latency_ms, time.waiting_ms);
}

void fields(JsonFields& a, PredictedQuery& query) { HDB_FIELDS(query, query, name, rows_out, on); }

void fields(JsonFields& a, Prediction::Size& size) {
  HDB_FIELDS(size, rows, partitions);
  check_size("rows", size.rows);
  check_size("partitions", size.partitions);
}

void fields(JsonFields& a, Prediction::Asked& asked) {
  fields(a, static_cast<Prediction::Size&>(asked));
  HDB_FIELDS(asked, columns, users, cpus, beside_gb_s);
}

void fields(JsonFields& a, Prediction::Memory& host) {
  HDB_FIELDS(host, read_gb_s, chase_ns, cache_bytes);
  double threads = 0;
  for (const std::vector<double>& point : host.read_gb_s) {
    constexpr double kThreadsMax = 1e6;
    const bool is_right =
        point.size() == 2 && point[0] > threads && point[0] <= kThreadsMax && point[1] > 0;
    if (!is_right)
      throw BadField("'read_gb_s' is wrong, expected pairs of threads, rising, and GB/s above 0");
    threads = point[0];
  }
}

void fields(JsonFields& a, Prediction& prediction) {
  fields(a, prediction.setting);
  HDB_FIELDS(prediction, recorded, asked, host, media, queries, extrapolated);
  check_any("media", prediction.media);
  check_any("queries", prediction.queries);
  for (std::size_t i = 0; i < prediction.queries.size(); ++i) {
    check_count(fmt::format("queries[{}].on", i), prediction.queries[i].on.size(),
                prediction.media.size(), "media");
  }
}

namespace {

// Discarded: no JSON.
Json forecast_json(std::string_view text, bool has_comments) {
  if (text.size() > kForecastBytesMax || json_depth(text) > kJsonDepthMax)
    return {Json::value_t::discarded};
  return Json::parse(text, nullptr, false, has_comments);
}

template <typename T>
Result<T> parse_forecast(std::string_view text, const std::string& file, std::string_view format,
                         const char* command) {
  const std::string expected = fmt::format("what `hdbench {} --out` writes", command);
  Json json = forecast_json(text, false);
  if (!json.is_object())
    return data_error(fmt::format("{}: not JSON: expected {}", file, expected));
  T forecast;
  try {
    JsonFields reader(json, JsonFields::Way::kRead);
    std::string found;
    reader("format", found);
    if (found != format)
      throw BadField(fmt::format("'format' is \"{}\", expected \"{}\"", found, format));
    fields(reader, forecast);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& bad) {
    return data_error(fmt::format("{}: {}", file, bad.what()));
  }
  forecast.file = file;
  return forecast;
}

template <typename T>
std::string forecast_json_text(T forecast, std::string_view format) {
  Json json = Json::object();
  json["format"] = format;
  JsonFields writer(json, JsonFields::Way::kWrite);
  fields(writer, forecast);
  return json_text(json);
}

}  // namespace

std::string to_json_text(const Advice& advice) { return forecast_json_text(advice, kAdviceFormat); }

std::string to_json_text(const Prediction& prediction) {
  return forecast_json_text(prediction, kPredictionFormat);
}

Result<Advice> parse_advice(std::string_view text, const std::string& file) {
  return parse_forecast<Advice>(text, file, kAdviceFormat, "advise");
}

Result<Prediction> parse_prediction(std::string_view text, const std::string& file) {
  return parse_forecast<Prediction>(text, file, kPredictionFormat, "predict");
}

DocumentKind document_kind(std::string_view text) {
  const Json json = forecast_json(text, true);
  if (!json.is_object()) return DocumentKind::kOther;
  const auto format = json.find("format");
  if (format != json.end() && format->is_string()) {
    const std::string& name = format->get_ref<const std::string&>();
    if (name.starts_with("hdbench-advice")) return DocumentKind::kAdvice;
    if (name.starts_with("hdbench-prediction")) return DocumentKind::kPrediction;
  }
  for (const char* field : {"kind", "granularity", "bandwidth", "near_cache"}) {
    if (json.contains(field)) return DocumentKind::kProfile;
  }
  return DocumentKind::kOther;
}

}  // namespace hdbench::bench
