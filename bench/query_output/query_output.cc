#include "bench/query_output/query_output.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "bench/base/json_value.h"
#include "bench/query_output/print_result.h"

namespace hdbench::bench {
namespace {

using Json = nlohmann::ordered_json;

Json object_of(std::optional<int> id) {
  Json json = Json::object();
  if (id) json["id"] = *id;
  return json;
}

void show_line(const Json& json, TextSink& sink) {
  sink.text() += json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void show_row_count(const TimedRun& run, std::optional<int> id, TextSink& sink) {
  Json json = object_of(id);
  json["rows"] = run.table ? Json(run.table->rows) : Json();
  json["rows_in"] = run.stats.rows_in;
  json["time_ms"] = run.real_ms;
  json["bytes_read"] = run.stats.bytes_read;
  json["bytes_written"] = run.stats.bytes_written;
  json["bytes_unpacked"] = run.stats.bytes_unpacked;
  json["peak_workspace_bytes"] = run.peak_bytes;
  json["checksum"] = run.table ? Json(fmt::format("{:016x}", checksum(*run.table))) : Json();
  json["error"] = run.table ? Json() : Json(run.limit_message);
  show_line(json, sink);
}

std::string_view word(Explanation::Step::How how) {
  switch (how) {
    case Explanation::Step::How::kPrune: return "prune";
    case Explanation::Step::How::kIndex: return "index";
    case Explanation::Step::How::kScan: return "scan";
  }
  return {};
}

void add_explanation(const Explanation& explanation, Json& json) {
  json["parts_total"] = explanation.parts_total;
  json["parts_scanned"] = explanation.parts_scanned;
  json["rows_scanned"] = explanation.rows_scanned;
  json["steps"] = Json::array();
  for (const Explanation::Step& step : explanation.steps) {
    json["steps"].push_back({{"condition", step.condition},
                             {"how", word(step.how)},
                             {"note", step.note},
                             {"bytes", step.bytes}});
  }
  json["columns"] = Json::array();
  for (const Explanation::ColumnBytes& column : explanation.columns) {
    json["columns"].push_back({{"column", column.column}, {"bytes", column.bytes}});
  }
  if (!explanation.unreadable.empty()) json["unreadable"] = explanation.unreadable;
  if (explanation.leaves.empty()) return;
  json["tables"] = Json::array();
  for (const Explanation& leaf : explanation.leaves) {
    Json of_leaf = {{"table", leaf.table}};
    add_explanation(leaf, of_leaf);
    json["tables"].push_back(std::move(of_leaf));
  }
  json["then"] = explanation.steps_above;
}

}  // namespace

Result<OutputFormat> parse_format(std::string_view word) {
  if (word == "table") return OutputFormat::kTable;
  if (word == "csv") return OutputFormat::kCsv;
  if (word == "json") return OutputFormat::kJson;
  return usage_error(fmt::format("--format: unknown value '{}': known are table, csv, json", word));
}

Result<bool> is_json(std::string_view word) {
  if (word == "json" || word == "table") return word == "json";
  return usage_error(fmt::format("--format: unknown value '{}': known are table, json", word));
}

void show_result(const TimedRun& run, std::optional<int> id, const OutputOptions& options,
                 TextSink& sink) {
  constexpr std::uint64_t kHeadRows = 20;
  const bool is_json = options.format == OutputFormat::kJson;
  if (is_json && (options.rows_only || !run.table)) return show_row_count(run, id, sink);
  if (!run.table) {
    sink.text() += "0N\n";
  } else if (options.rows_only) {
    sink.text() += fmt::format("{}\n", run.table->rows);
  } else if (is_json) {
    print_json(*run.table, id ? fmt::format("\"id\": {}, ", *id) : "", sink);
  } else if (options.format == OutputFormat::kCsv) {
    print_csv(*run.table, sink);
  } else {
    print_table(*run.table,
                options.all_rows ? std::numeric_limits<std::uint64_t>::max() : kHeadRows,
                options.columns_max, sink);
  }
}

void show_count(std::optional<std::uint64_t> rows, std::optional<int> id, OutputFormat format,
                TextSink& sink) {
  if (format != OutputFormat::kJson) {
    sink.text() += rows ? fmt::format("{}\n", *rows) : "0N\n";
    return;
  }
  Json json = object_of(id);
  json["rows"] = or_null(rows);
  show_line(json, sink);
}

void show_explanation(const Explanation& explanation, std::optional<int> id, OutputFormat format,
                      TextSink& sink) {
  if (format != OutputFormat::kJson) {
    sink.text() += to_text(explanation);
    return;
  }
  Json json = object_of(id);
  add_explanation(explanation, json);
  show_line(json, sink);
}

}  // namespace hdbench::bench
