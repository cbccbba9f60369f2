#include "bench/run/experiment.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "bench/model/axes.h"
#include "bench/model/time_budget.h"
#include "engine/base/file_handle.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kExperimentBytesMax = std::size_t{1} << 20;

// Thrown within this file only: parse_experiment() makes an Error of it.
struct BadExperiment : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void fail(const toml::node& node, const std::string& message) const {
    fail(node.source(), message);
  }
  [[noreturn]] void fail(const toml::source_region& place, const std::string& message) const {
    throw BadExperiment(fmt::format("{}:{}: {}", file_, place.begin.line, message));
  }

  void check_names(const toml::table& table, const std::vector<std::string_view>& known) const {
    for (const auto& [key, node] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      fail(node,
           fmt::format("'{}' is no name here: known are {}", key.str(), fmt::join(known, ", ")));
    }
  }

  std::string text(const toml::table& table, std::string_view name,
                   const std::string& otherwise) const {
    const toml::node* const node = table.get(name);
    if (node == nullptr) return otherwise;
    if (const auto* const value = node->as_string()) return value->get();
    fail(*node, fmt::format("'{}': expected a text in quotes", name));
  }

  std::optional<double> number(const toml::table& table, std::string_view name, double least,
                               double most) const {
    const toml::node* const node = table.get(name);
    if (node == nullptr) return std::nullopt;
    const std::optional<double> value = node->value<double>();
    if (!node->is_number() || !value || !(*value >= least) || *value > most) {
      fail(*node, fmt::format("'{}': expected a number from {} to {}", name, least, most));
    }
    return value;
  }

  // budget = "1h30m", or a number of minutes, which older files call budget_minutes.
  std::optional<double> budget_s(const toml::table& table) const {
    if (const toml::node* const node = table.get("budget"); node != nullptr) {
      const Result<double> seconds = parse_duration("'budget'", word(*node, "budget"));
      if (!seconds.ok()) fail(*node, seconds.error().message);
      return *seconds;
    }
    const auto minutes = number(table, "budget_minutes", 0.01, 10000);
    return minutes ? std::optional(60 * *minutes) : std::nullopt;
  }

  std::optional<std::size_t> count(const toml::table& table, std::string_view name,
                                   std::size_t least, std::size_t most) const {
    const toml::node* const node = table.get(name);
    if (node == nullptr) return std::nullopt;
    const auto* const value = node->as_integer();
    if (value != nullptr && value->get() >= static_cast<std::int64_t>(least) &&
        value->get() <= static_cast<std::int64_t>(most)) {
      return static_cast<std::size_t>(value->get());
    }
    fail(*node, fmt::format("'{}': expected a whole number from {} to {}", name, least, most));
  }

  // "a" or ["a", "b"] or [1, "all"], as the flags' comma lists. A mode is written 4.0, as text or
  // number.
  std::string axis(const toml::table& table, std::string_view name) const {
    const toml::node& node = *table.get(name);
    const auto* const list = node.as_array();
    if (list == nullptr) return word(node, name);
    if (list->empty()) fail(node, fmt::format("'{}': an empty list", name));
    std::vector<std::string> words;
    for (const toml::node& one : *list) words.push_back(word(one, name));
    return fmt::format("{}", fmt::join(words, ","));
  }

  // The tables of [[name]].
  std::vector<const toml::table*> tables(const toml::table& table, std::string_view name) const {
    std::vector<const toml::table*> found;
    const toml::node* const node = table.get(name);
    if (node == nullptr) return found;
    const auto* const list = node->as_array();
    if (list == nullptr) fail(*node, fmt::format("'{}': expected [[{}]]", name, name));
    for (const toml::node& one : *list) {
      if (!one.is_table()) fail(one, fmt::format("'{}': expected [[{}]]", name, name));
      found.push_back(one.as_table());
    }
    return found;
  }

 private:
  std::string word(const toml::node& node, std::string_view name) const {
    if (const auto* const value = node.as_string()) return value->get();
    if (const auto* const value = node.as_integer()) return std::to_string(value->get());
    if (const auto* const value = node.as_floating_point()) {
      return fmt::format("{:.1f}", value->get());
    }
    fail(node, fmt::format("'{}': expected a word, a number or a list of them", name));
  }

  std::string file_;
};

ExperimentDatabase database_of(const Reader& reader, const toml::table& table) {
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

ExperimentMatrix matrix_of(const Reader& reader, const toml::table& table,
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

Experiment experiment_of(const Reader& reader, const toml::table& table) {
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
  experiment.budget_s = reader.budget_s(table);
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

// The tables of a name with dots are nested, and toml++, which bounds values, does not bound these.
constexpr std::ptrdiff_t kDotsMax = 32;

// The first line, from 1, with more dots than that, other than a comment; 0: there is none.
std::size_t line_of_long_key(std::string_view text) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t first = line.find_first_not_of(" \t");
    const bool is_comment = first != line.npos && line[first] == '#';
    if (!is_comment && std::ranges::count(line, '.') > kDotsMax) return number;
  }
  return 0;
}

}  // namespace

Result<Experiment> parse_experiment(std::string_view text, const std::string& file) {
  if (const std::size_t line = line_of_long_key(text); line != 0) {
    return usage_error(fmt::format("{}:{}: more than {} dots, expected names of fewer parts", file,
                                   line, kDotsMax));
  }
  try {
    const toml::table table = toml::parse(text, file);
    return experiment_of(Reader(file), table);
  } catch (const toml::parse_error& bad) {
    return usage_error(fmt::format("{}:{}: {}", file, bad.source().begin.line, bad.description()));
  } catch (const BadExperiment& bad) {
    return usage_error(bad.what());
  }
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
