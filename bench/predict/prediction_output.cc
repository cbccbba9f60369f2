#include "bench/predict/prediction_output.h"

#include <fmt/format.h>

#include "bench/base/json_value.h"
#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/base/version.h"

namespace hdbench::bench {
namespace {

std::string ms_text(double ms) { return fmt::format("{:.4g}", ms); }

Json time_json(const std::string& medium, const PredictedTime& time) {
  return {{"medium", medium},
          {"ms", time.ms},
          {"low_ms", time.low_ms},
          {"high_ms", time.high_ms},
          {"work_ms", time.work_ms},
          {"bandwidth_ms", time.bandwidth_ms},
          {"latency_ms", time.latency_ms},
          {"waiting_ms", time.waiting_ms}};
}

}  // namespace

std::string prediction_text(const Prediction& prediction) {
  TextRows rows{{"query", "medium", "ms", "from", "to", "work", "bandwidth", "latency", "waiting"}};
  for (const PredictedQuery& query : prediction.queries) {
    for (std::size_t m = 0; m < query.on.size(); ++m) {
      const PredictedTime& time = query.on[m];
      std::vector<std::string> row{m == 0 ? query_label(query.id) : "", prediction.media[m]};
      for (const double ms : {time.ms, time.low_ms, time.high_ms, time.work_ms, time.bandwidth_ms,
                              time.latency_ms, time.waiting_ms})
        row.push_back(ms_text(ms));
      rows.push_back(std::move(row));
    }
  }
  std::string text = prediction.question_line + "\n\n" + aligned(rows, 2);
  text +=
      "\nms: the median of the recorded runs; from, to: where it is to be expected. It is made of "
      "work (a\ncore's own), of waits for bytes (bandwidth) and for single accesses (latency), and "
      "of threads\nthat wait for others.\n";
  for (const std::string& line : prediction.extrapolated) text += "extrapolated: " + line + "\n";
  return text;
}

std::string prediction_json(const Prediction& prediction) {
  Json json = Json::object();
  json["format"] = "hdbench-prediction-1";
  json["version"] = version();
  json["commit"] = commit();
  json["machine"] = prediction.machine;
  json["database"] = prediction.database;
  json["layout"] = word(prediction.setting.layout);
  json["attr"] = word(prediction.setting.attr);
  json["mode"] = word(prediction.setting.mode);
  json["threads"] = prediction.setting.threads;
  json["codes"] = word(prediction.setting.codes);
  json["recorded"] = {{"rows", prediction.recorded_rows},
                      {"partitions", prediction.recorded_partitions}};
  json["asked"] = {{"rows", prediction.asked_rows()},
                   {"partitions", prediction.asked_partitions()},
                   {"columns", or_null(prediction.question.columns)},
                   {"users", prediction.question.use.users},
                   {"cpus", prediction.question.use.cpus},
                   {"beside_gb_s", prediction.question.use.beside_gb_s}};
  Json reads = Json::array();
  for (const BandwidthPoint& point : prediction.host.calibration.read.points)
    reads.push_back({point.threads, point.gb_s});
  json["host"] = {{"read_gb_s", std::move(reads)},
                  {"chase_ns", prediction.host.calibration.chase_ns},
                  {"cache_bytes", prediction.host.cache_bytes}};
  json["media"] = prediction.media;
  json["queries"] = Json::array();
  for (const PredictedQuery& query : prediction.queries) {
    Json on = Json::array();
    for (std::size_t m = 0; m < query.on.size(); ++m)
      on.push_back(time_json(prediction.media[m], query.on[m]));
    json["queries"].push_back({{"query", query.id},
                               {"name", query.name},
                               {"rows_out", query.rows_out},
                               {"on", std::move(on)}});
  }
  json["extrapolated"] = prediction.extrapolated;
  return json_text(json);
}

}  // namespace hdbench::bench
