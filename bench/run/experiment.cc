#include "bench/run/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "bench/base/toml_reader.h"
#include "bench/model/axes.h"
#include "bench/model/time_budget.h"
#include "engine/base/file_handle.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kExperimentBytesMax = std::size_t{1} << 20;

// budget = "1h30m", or a number of minutes, which older files call budget_minutes.
std::optional<double> budget_s(const TomlReader& reader, const toml::table& table) {
  if (const toml::node* const node = table.get("budget"); node != nullptr) {
    const Result<double> seconds = parse_duration("'budget'", reader.word(*node, "budget"));
    if (!seconds.ok()) reader.fail(*node, seconds.error().message);
    return *seconds;
  }
  const auto minutes = reader.number(table, "budget_minutes", 0.01, 10000);
  return minutes ? std::optional(60 * *minutes) : std::nullopt;
}

ExperimentDatabase database_of(const TomlReader& reader, const toml::table& table) {
  reader.check_names(table, {"name", "profile", "share", "parted", "columns", "seed", "compress"});
  ExperimentDatabase database;
  const std::string profile = reader.text(table, "profile", "paper");
  const auto parsed = datagen::parse_profile(profile);
  if (!parsed.ok()) reader.fail(table, parsed.error().message);
  database.spec.profile = *parsed;
  database.name = reader.text(table, "name", profile);
  database.share = reader.number(table, "share", 1e-6, 100).value_or(1);
  database.spec.parted = reader.text(table, "parted", "");
  const auto compression = parse_compression("compress", reader.text(table, "compress", "none"));
  if (!compression.ok()) reader.fail(table, compression.error().message);
  database.spec.compression = *compression;
  database.spec.columns = static_cast<std::uint32_t>(
      reader.count(table, "columns", 2, 1000).value_or(database.spec.columns));
  database.spec.seed = reader.count(table, "seed", 0, 1u << 30).value_or(1);
  const Status valid = datagen::validate(database.spec);
  if (!valid.ok()) reader.fail(table, valid.error().message);
  return database;
}

ExperimentMatrix matrix_of(const TomlReader& reader, const toml::table& table,
                           const std::vector<ExperimentDatabase>& databases) {
  std::vector<std::string_view> known;
  for (const Axis& axis : axes()) {
    if (!axis.flag.empty()) known.push_back(axis.name);
  }
  const std::vector<std::string_view> listed = known;
  known.insert(known.end(), {"database", "queries"});
  for (const auto& [name, words] : kUsersWords) known.push_back(name);
  reader.check_names(table, known);
  ExperimentMatrix matrix;
  matrix.database = reader.text(table, "database", "");
  const bool is_known = std::any_of(databases.begin(), databases.end(), [&](const auto& database) {
    return database.name == matrix.database;
  });
  if (!matrix.database.empty() && !is_known) {
    reader.fail(table, fmt::format("'{}' is no [[database]] of this file", matrix.database));
  }
  matrix.queries = reader.text(table, "queries", "");
  for (const std::string_view name : listed) {
    if (table.contains(name)) matrix.axes.emplace(name, reader.axis(table, name));
  }
  for (const auto& [name, words] : kUsersWords) {
    if (table.contains(name)) matrix.users.*words = reader.axis(table, name);
  }
  return matrix;
}

Experiment experiment_of(const TomlReader& reader, const toml::table& table) {
  reader.check_names(
      table, {"title", "scale", "repetitions", "repetitions_most", "precision_percent", "visits",
              "budget", "budget_minutes", "database", "matrix"});
  Experiment experiment;
  experiment.title = reader.text(table, "title", "");
  experiment.scale = reader.number(table, "scale", 1e-6, 100).value_or(1);
  experiment.repetitions = reader.count(table, "repetitions", 1, 1000);
  experiment.repetitions_most = reader.count(table, "repetitions_most", 1, 1000);
  experiment.precision_percent = reader.number(table, "precision_percent", 0, 100);
  experiment.visits = reader.count(table, "visits", 1, 1000);
  experiment.budget_s = budget_s(reader, table);
  for (const toml::table* one : reader.tables(table, "database")) {
    experiment.databases.push_back(database_of(reader, *one));
  }
  for (const toml::table* one : reader.tables(table, "matrix")) {
    experiment.matrices.push_back(matrix_of(reader, *one, experiment.databases));
  }
  if (experiment.matrices.empty()) reader.fail(table, "there is no [[matrix]]");
  return experiment;
}

std::filesystem::path experiments_directory() {
  std::error_code ignored;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", ignored);
  auto installed = (executable.parent_path() / "../share/hdbench/experiments").lexically_normal();
  if (std::filesystem::is_directory(installed, ignored)) return installed;
  return HDBENCH_EXPERIMENTS_DIR;
}

std::vector<std::string> known_experiments() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(experiments_directory(), ignored)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

Result<Experiment> parse_experiment(std::string_view text, const std::string& file) {
  return read_toml<Experiment>(text, file, experiment_of);
}

Result<Experiment> find_experiment(const std::string& name) {
  std::error_code error;
  std::filesystem::path path = name;
  if (!std::filesystem::is_regular_file(path, error)) {
    path = experiments_directory() / (name + ".toml");
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    return usage_error(fmt::format("--experiment: '{}' is no file, and none of {}", name,
                                   fmt::join(known_experiments(), ", ")));
  }
  HDB_ASSIGN(const std::string text, read_text(path, kExperimentBytesMax));
  return parse_experiment(text, path.filename().string());
}

}  // namespace hdbench::bench
