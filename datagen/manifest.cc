#include "datagen/manifest.h"

#include <fmt/format.h>

#include <new>
#include <nlohmann/json.hpp>

#include "datagen/layout.h"
#include "datagen/paper_symbols.h"
#include "engine/base/file_handle.h"
#include "engine/base/text.h"
#include "engine/column/format_value.h"

namespace hdbench::datagen {
namespace {

constexpr std::size_t kManifestBytesMax = std::size_t{256} << 20;

using Json = nlohmann::ordered_json;

// Raised whenever the same spec gives other bytes.
int format_of(Profile profile) { return profile == Profile::kTaq ? 2 : 1; }

Json spec_json(const Spec& spec) {
  Json json = {{"profile", profile_name(spec.profile)}, {"scale", spec.scale}};
  if (spec.profile != Profile::kTaq) json["columns"] = spec.columns;
  json["parted"] = parted_column(spec);
  json["seed"] = spec.seed;
  if (spec.compression.algorithm != 0) json["compressed"] = to_text(spec.compression);
  if (spec.synthetic) json["synthetic"] = true;
  return json;
}

Json column_names(const TablePlan& table) {
  Json names = Json::array();
  for (const ColumnPlan& column : table.columns) names.push_back(column.name);
  return names;
}

// Of several tables: each with its rows and columns.
Json tables_json(const Manifest& manifest, const std::vector<TablePlan>& tables) {
  Json json = Json::array();
  for (const TablePlan& table : tables) {
    std::uint64_t rows = 0;
    for (const PartitionEntry& entry : manifest.partitions) rows += table.day_of(entry.day).rows();
    json.push_back({{"name", table.name}, {"rows", rows}, {"stored_columns", column_names(table)}});
  }
  return json;
}

// JSON numbers beyond 2^53 are not safe in every reader, so checksums are hexadecimal text.
Json partition_json(const PartitionEntry& partition, const std::vector<TablePlan>& tables) {
  Json json = {{"date", partition_name(QType::kDate, partition.day.date)},
               {"rows", rows_of(tables, partition.day)}};
  if (tables.size() == 1) json["selected"] = partition.day.selected;
  json["complete"] = partition.sum.has_value();
  if (partition.sum) {
    json["bytes"] = partition.sum->bytes;
    json["checksum"] = fmt::format("{:016x}", partition.sum->checksum);
  }
  return json;
}

Json to_json(const Manifest& manifest) {
  const bool is_paper = manifest.spec.profile != Profile::kTaq;
  const auto tables = table_plans(manifest.spec);
  Json json = {{"format", format_of(manifest.spec.profile)},
               {"state", manifest.complete() ? "complete" : "incomplete"},
               {"spec", spec_json(manifest.spec)}};
  if (is_paper) json["table"] = tables.front().name;
  json["rows"] = manifest.rows();
  json["bytes"] = manifest.bytes();
  json["partitions_complete"] = manifest.partitions_complete();
  if (is_paper) {
    json["stored_columns"] = column_names(tables.front());
  } else {
    json["tables"] = tables_json(manifest, tables);
  }
  json["partitions"] = Json::array();
  for (const PartitionEntry& partition : manifest.partitions) {
    json["partitions"].push_back(partition_json(partition, tables));
  }
  if (!is_paper) return json;
  json["queries"] = Json::array();
  for (const QueryCount& query : manifest.queries) {
    json["queries"].push_back({{"id", query.id},
                               {"rows_as_printed", query.as_printed},
                               {"rows_as_counted", query.as_counted}});
  }
  return json;
}

Spec spec_of(const Json& json) {
  Spec spec;
  spec.profile = parse_profile(json.at("profile").get<std::string>()).value();
  json.at("scale").get_to(spec.scale);
  if (spec.profile != Profile::kTaq) json.at("columns").get_to(spec.columns);
  json.at("parted").get_to(spec.parted);
  json.at("seed").get_to(spec.seed);
  if (json.contains("compressed")) {
    spec.compression =
        parse_compression("compressed", json.at("compressed").get<std::string>()).value();
  }
  spec.synthetic = json.value("synthetic", false);
  return spec;
}

// Takes the sums of the partitions that `json` lists; everything else follows from the spec.
void take_sums(Manifest& manifest, const Json& json) {
  for (const Json& entry : json) {
    if (!entry.at("complete").get<bool>()) continue;
    const auto date = entry.at("date").get<std::string>();
    for (PartitionEntry& partition : manifest.partitions) {
      if (partition_name(QType::kDate, partition.day.date) != date) continue;
      partition.sum = {entry.at("bytes").get<std::uint64_t>(),
                       std::stoull(entry.at("checksum").get<std::string>(), nullptr, 16)};
    }
  }
}

struct DateRange {
  std::int32_t first = 0;
  std::int32_t last = 0;
};

struct Totals {
  std::uint64_t days = 0;
  std::uint64_t selected = 0;
};

Totals totals(std::span<const DayCount> days, DateRange range) {
  Totals sum;
  for (const DayCount& day : days) {
    if (day.date < range.first || day.date > range.last) continue;
    ++sum.days;
    sum.selected += day.selected;
  }
  return sum;
}

}  // namespace

std::array<QueryCount, 11> paper_query_counts(std::span<const DayCount> days) {
  constexpr std::uint64_t kEnds = 2;
  const Totals one = totals(days, {date_of(2020, 1, 7), date_of(2020, 1, 7)});
  const Totals january = totals(days, {date_of(2020, 1, 3), date_of(2020, 1, 31)});
  const Totals all = totals(days, {date_of(2019, 11, 1), date_of(2020, 1, 31)});
  return {{{1, kCol1OfVal1, kCol1OfVal1},
           {2, january.days * kCol1OfVal1, kEnds * kCol1OfVal1},
           {3, all.days * kCol1OfVal1, kEnds * kCol1OfVal1},
           {4, one.selected, one.selected},
           {5, kPairsOfSelected, kPairsOfSelected},
           {6, january.days * kPairsOfSelected, kEnds * kPairsOfSelected},
           {7, all.days * kPairsOfSelected, kEnds * kPairsOfSelected},
           {8, kCol1OfVal1Val2, kCol1OfVal1Val2},
           {9, all.days * kCol1OfVal1Val2, kEnds * kCol1OfVal1Val2},
           {10, january.selected, january.selected},
           {11, all.selected, all.selected}}};
}

std::size_t Manifest::partitions_complete() const {
  std::size_t count = 0;
  for (const PartitionEntry& partition : partitions) count += partition.sum.has_value();
  return count;
}

std::uint64_t Manifest::rows() const {
  const auto tables = table_plans(spec);
  std::uint64_t sum = 0;
  for (const PartitionEntry& partition : partitions) sum += rows_of(tables, partition.day);
  return sum;
}

std::uint64_t Manifest::bytes() const {
  std::uint64_t sum = 0;
  for (const PartitionEntry& partition : partitions) {
    if (partition.sum) sum += partition.sum->bytes;
  }
  return sum;
}

Manifest new_manifest(const Spec& spec) {
  Manifest manifest;
  manifest.spec = spec;
  const auto days = day_counts(spec);
  for (const DayCount& day : days) manifest.partitions.push_back({day, {}});
  if (spec.profile != Profile::kTaq) {
    const auto queries = paper_query_counts(days);
    manifest.queries.assign(queries.begin(), queries.end());
  }
  return manifest;
}

std::string manifest_text(const Manifest& manifest) { return to_json(manifest).dump(1) + "\n"; }

Result<Manifest> parse_manifest(const std::string& text, const std::filesystem::path& source) {
  try {
    if (json_depth(text) > kJsonDepthMax) {
      return data_error(fmt::format("{}: not a manifest: nested more than {} deep", source.string(),
                                    kJsonDepthMax));
    }
    const Json json = Json::parse(text);
    const int format = json.at("format").get<int>();
    const Json& spec_fields = json.at("spec");
    const auto profile = spec_fields.at("profile").get<std::string>();
    if (!parse_profile(profile).ok()) {
      return data_error(fmt::format("{}: unknown profile {}", source.string(), profile));
    }
    const Spec spec = spec_of(spec_fields);
    if (format != format_of(spec.profile)) {
      return data_error(fmt::format("{}: format {}, expected {}", source.string(), format,
                                    format_of(spec.profile)));
    }
    if (const Status good = validate(spec); !good.ok()) {
      return data_error(fmt::format("{}: {}", source.string(), good.error().message));
    }
    Manifest manifest = new_manifest(spec);
    take_sums(manifest, json.at("partitions"));
    return manifest;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& failure) {
    return data_error(fmt::format("{}: not a manifest: {}", source.string(), failure.what()));
  }
}

Result<Manifest> read_manifest(const std::filesystem::path& path) {
  HDB_ASSIGN(const std::string text, read_text(path, kManifestBytesMax));
  return parse_manifest(text, path);
}

Status check_same_spec(const Spec& found, const Spec& wanted, const std::filesystem::path& source) {
  if (found.compression != wanted.compression) {
    return usage_error(
        fmt::format("{}: made with --compress {}, not {}: --resume needs the same "
                    "spec",
                    source.string(), to_text(found.compression), to_text(wanted.compression)));
  }
  if (found.synthetic != wanted.synthetic) {
    return usage_error(fmt::format("{}: made {} --synthetic: --resume needs the same spec",
                                   source.string(), found.synthetic ? "with" : "without"));
  }
  const Json have = spec_json(found);
  const Json want = spec_json(wanted);
  for (const auto& [field, value] : want.items()) {
    if (have.at(field) == value) continue;
    return usage_error(fmt::format("{}: made with {} {}, not {}: --resume needs the same spec",
                                   source.string(), field, have.at(field).dump(), value.dump()));
  }
  return ok_status();
}

}  // namespace hdbench::datagen
