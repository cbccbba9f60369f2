#include "bench/cli/run_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

#include "bench/base/lines.h"
#include "bench/base/report_error.h"
#include "bench/cli/axis_flags.h"
#include "bench/model/column_places.h"
#include "bench/model/query_check.h"
#include "bench/model/query_list.h"
#include "bench/model/time_budget.h"
#include "bench/run/experiment.h"
#include "bench/run/made_database.h"
#include "pmem/base/medium_spec.h"
#include "queries/query_file.h"

namespace hdbench::bench {
namespace {

void add_repetition_flags(FlagSet& command, RunFlags& flags) {
  command.group("Repetition");
  command.add(
      "--reps", "N", flags.repetitions,
      "repetitions of each cell, at least, shared by the visits (rounded up); its figure is "
      "their median; default 5");
  command.add("--precision", "PCT", flags.precision_percent,
              "more repetitions (in the first visit, and as many in others) until the median's "
              "95 % interval is within +-PCT of it; 0: as many as --reps; default 5, or 0 where "
              "--reps is given");
  command.add(
      "--reps-most", "N", flags.repetitions_most,
      "and no more than these, shared by the visits (rounded up), or as many as --reps where "
      "that is more; default 25");
  command.add("--visits", "N", flags.visits,
              "how often each medium and layout is loaded anew, over the whole run; they share "
              "the repetitions, and intervals are of all of them; default 1");
  command.add("--budget", "TIME", flags.budget,
              "what the run may take (90s, 5m, 1h30m; a bare number is minutes): repetitions "
              "are left out, placements are not; default: none");
  command.add("--order-seed", "N", flags.order_seed, "of the cells' random order in a round");
}

void add_experiment_flags(FlagSet& command, RunFlags& flags) {
  command.add(
      "--experiment", "NAME", flags.experiment,
      "a TOML file that holds the axes: one of bench/experiments (paper, tiers, "
      "threads, limit, quick, aggregates, desk, compression, users) or a path; without DB its "
      "databases are "
      "generated");
  command.add("--scale", "S", flags.scale, "of the databases that an experiment generates");
  command.add_path("--data-dir", PathUse::kWritesIntoDirectory, flags.data_dir,
                   "where these are made and kept; default: hdbench in the user's cache directory");
}

void add_users_flags(FlagSet& command, UsersWords& words) {
  command.group("Users");
  command.add("--users", "LIST", words.users,
              "so many users at once beside the single queries, each asking again when it has its "
              "answer (a closed loop): 1,10,50");
  command.add("--arrivals", "LIST", words.arrivals,
              "queries that arrive by a clock, so many a second, whether or not earlier ones are "
              "answered (an open loop): 20,50/s");
  command.add("--processes", "LIST", words.processes,
              "the pool that answers them, each process with -s threads and -w; default: as many "
              "as the CPUs run at once");
  command.add_path("--mix", PathUse::kReadsFile, words.mix,
                   "how often each query is put: lines such as '3 Q01'; default: all alike");
  command.add("--seconds", "S", words.seconds,
              "that are measured for each of these cells, at least, in three rounds; default 10");
}

Status check_numbers(const RunFlags& flags) {
  const auto check = [](const char* flag, const std::optional<std::size_t>& value) -> Status {
    if (!value || (*value >= 1 && *value <= 1000)) return ok_status();
    return usage_error(fmt::format("{}: {} is not a number from 1 to 1000", flag, *value));
  };
  HDB_TRY(check("--reps", flags.repetitions));
  HDB_TRY(check("--reps-most", flags.repetitions_most));
  HDB_TRY(check("--visits", flags.visits));
  const auto& precision = flags.precision_percent;
  if (precision && !(*precision >= 0 && *precision <= 100)) {
    return usage_error(fmt::format("--precision: {} is not from 0 to 100 per cent", *precision));
  }
  if (flags.scale && !(*flags.scale > 0)) {
    return usage_error(fmt::format("--scale: {} is not above 0", *flags.scale));
  }
  return ok_status();
}

// What one process alone can do.
Status check_under_ranks(const RunFlags& flags) {
  if (RankJob::of_process() == nullptr) return ok_status();
  const char* alone = nullptr;
  if (!flags.peers.empty()) alone = "--peers";
  if (!flags.machine.volume.empty()) alone = "--volume";
  if (alone == nullptr) return ok_status();
  return usage_error(fmt::format("{}: not by several ranks: leave it out, or mpirun", alone));
}

Status check_together(const RunFlags& flags) {
  HDB_TRY(check_machine_flags(flags.machine));
  HDB_TRY(check_under_ranks(flags));
  const bool experiment = !flags.experiment.empty();
  if (experiment && !flags.axis_words.empty()) {
    return usage_error(fmt::format("{}: the axes are the experiment's: leave one of both out",
                                   flags.axis_words.front()));
  }
  if (!experiment && flags.axes.database.empty()) {
    return usage_error("DB is missing: a kdb+ database, or --experiment NAME");
  }
  if (!experiment && (flags.scale || !flags.data_dir.empty())) {
    return usage_error("--scale and --data-dir are about --experiment's databases");
  }
  if (flags.resume && flags.out.empty()) {
    return usage_error("--resume: --out FILE is missing: the results to go on from");
  }
  return ok_status();
}

// A flag over the experiment's word over the default.
RepetitionRule rule_of(const RunFlags& flags, const Experiment& experiment) {
  const auto or_else = [](const auto& a, const auto& b) { return a ? a : b; };
  RepetitionRule rule;
  const auto least = or_else(flags.repetitions, experiment.repetitions);
  const auto most = or_else(flags.repetitions_most, experiment.repetitions_most);
  const auto precision =
      or_else(flags.precision_percent,
              flags.repetitions ? std::optional(0.0) : experiment.precision_percent);
  rule.least = least.value_or(rule.least);
  rule.most = std::max(rule.least, most.value_or(rule.most));
  if (precision) rule.precision = *precision / 100;
  return rule;
}

Result<std::filesystem::path> query_file_of(const std::string& name) {
  std::error_code error;
  if (!name.empty() && std::filesystem::exists(name, error)) return std::filesystem::path(name);
  return find_query_file(name.empty() ? "paper.q" : name);
}

// Two numbers that people wrote, multiplied: 0.05 * 0.1 is 0.005, in the database's name too.
double product_as_written(double a, double b) { return std::stod(fmt::format("{:.12g}", a * b)); }

class Planner {
 public:
  Planner(const RunFlags& flags, const Experiment& experiment)
      : flags_(flags), experiment_(experiment) {}

  Result<RunPlan> plan() {
    plan_.title = experiment_.title;
    plan_.repetitions = rule_of(flags_, experiment_);
    plan_.reloads = (flags_.visits ? flags_.visits : experiment_.visits).value_or(1);
    if (plan_.reloads > 1 && !flags_.peers.empty()) {
      return usage_error(fmt::format(
          "--peers: an engine loads its table once: found {} visits, expected --visits 1",
          plan_.reloads));
    }
    plan_.budget_s = experiment_.budget_s;
    if (flags_.budget) {
      HDB_ASSIGN(plan_.budget_s, parse_duration("--budget", *flags_.budget));
    }
    plan_.order_seed = flags_.order_seed;
    plan_.volume = flags_.machine.volume_word();
    plan_.tiering = flags_.axes.tiering;
    plan_.benchmark_context = flags_.google.context;
    HDB_ASSIGN(plan_.filter, NamePattern::make("--benchmark_filter", flags_.google.filter));
    HDB_ASSIGN(plan_.peers, peer_options(flags_.peers, flags_.peers_python));
    HDB_TRY(add_datasets());
    for (std::size_t at = 0; at < plan_.datasets.size(); ++at) {
      for (const ExperimentMatrix& matrix : experiment_.matrices) {
        if (name_of(matrix) == names_[at]) HDB_TRY(add_parts(at, matrix));
      }
    }
    for (const std::string& note : notes_) tell(note);
    return std::move(plan_);
  }

 private:
  std::string name_of(const ExperimentMatrix& matrix) const {
    return matrix.database.empty() ? names_.front() : matrix.database;
  }

  Status add_datasets() {
    const auto& databases = experiment_.databases;
    const std::string& given = flags_.axes.database;
    if (!given.empty()) {
      names_ = {databases.empty() ? "" : databases.front().name};
      plan_.datasets.push_back({"", given, {}, 1});
      for (std::size_t at = 1; at < databases.size(); ++at) {
        plan_.left_out.push_back(
            fmt::format("database:{}: the run is of {} (without DB both would be generated)",
                        databases[at].name, given));
      }
      return ok_status();
    }
    if (databases.empty()) {
      return usage_error("DB is missing: the experiment names no [[database]] to generate");
    }
    const std::filesystem::path directory =
        flags_.data_dir.empty() ? database_cache() : std::filesystem::path(flags_.data_dir);
    for (const ExperimentDatabase& database : databases) {
      datagen::Spec spec = database.spec;
      spec.scale = product_as_written(flags_.scale.value_or(experiment_.scale), database.share);
      const std::string label = databases.size() > 1 ? database.name : "";
      names_.push_back(database.name);
      plan_.datasets.push_back({label, directory / database_name(spec), spec, database.share});
    }
    return ok_status();
  }

  // A part for each placement of columns.
  Status add_parts(std::size_t dataset, const ExperimentMatrix& matrix) {
    HDB_ASSIGN(const auto placements, place_lists(flags_.axes.places));
    for (const auto& places : placements) HDB_TRY(add_part(dataset, matrix, places));
    return ok_status();
  }

  Status add_part(std::size_t dataset, const ExperimentMatrix& matrix,
                  const std::vector<std::string>& places) {
    AxisFlags axes = flags_.axes;
    axes.places = places;
    axes.database = plan_.datasets[dataset].directory.string();
    for (const auto& [name, words] : matrix.axes) axes.words[name] = words;
    // Cells are named after what their media mean here.
    for (const std::string& note : resolve_media(axes)) add_once(notes_, note);
    RunPart part;
    part.dataset = dataset;
    HDB_ASSIGN(part.session, session_options(axes));
    HDB_ASSIGN(part.query_file,
               query_file_of(flags_.queries.empty() ? matrix.queries : flags_.queries));
    HDB_TRY(search_weights(part, axes));
    part.axes = std::move(axes.words);
    UsersWords users = matrix.users;
    for (const auto& [name, word] : kUsersWords) {
      if (!(flags_.users.*word).empty()) users.*word = flags_.users.*word;
    }
    HDB_ASSIGN(part.users, plan_users(users, flags_.order_seed));
    if (part.users.is_any() && !flags_.peers.empty())
      return usage_error("--peers: they answer one query at a time: leave out --users, --arrivals");
    plan_.parts.push_back(std::move(part));
    return ok_status();
  }

  Status search_weights(const RunPart& part, AxisFlags& axes) const {
    if (!searches_interleaves(axes)) return ok_status();
    if (flags_.axes.database.empty())
      return usage_error(
          "--medium: interleave=auto is searched for in a database that is there: DB");
    std::vector<std::string> left_out;
    HDB_ASSIGN(std::vector<ListedQuery> queries,
               queries_of_file(part.query_file, std::nullopt, part.session.params, &left_out));
    HDB_ASSIGN(const auto database, Database::open(axes.database));
    HDB_ASSIGN(queries, runnable_queries(std::move(queries), *database, left_out));
    return search_interleaves(axes, queries);
  }

  const RunFlags& flags_;
  const Experiment& experiment_;
  std::vector<std::string> names_;  // the experiment's, of each dataset
  std::vector<std::string> notes_;  // of resolve_media()
  RunPlan plan_;
};

Result<std::size_t> count_of(std::string_view name, std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc{} && end == text.data() + text.size() && count >= 1) return count;
  return usage_error(fmt::format("{}: '{}' is not a number from 1 up", name, text));
}

bool is_true(std::string_view text) { return text == "true" || text == "1" || text.empty(); }

struct GoogleFlag {
  std::string_view name;
  std::string_view value;
};

GoogleFlag split_google_flag(std::string_view argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return {argument, {}};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

Error not_taken(std::string_view name) {
  std::string_view instead =
      "taken are --benchmark_filter, _list_tests, _repetitions, _format, _out, _out_format and "
      "_context";
  if (name == "--benchmark_min_time") {
    instead = "a cell is called once a repetition: --reps and --precision say how often";
  } else if (name.ends_with("_aggregates_only")) {
    instead = "a cell is one entry, with its median and all its times";
  }
  return usage_error(fmt::format("{}: not here: {}", name, instead));
}

}  // namespace

void add_run_flags(FlagSet& command, RunFlags& flags) {
  add_axis_flags(command, AxisForm::kLists, flags.axes);
  command.get_option("DB").required(false);
  command.group("Settings");
  command.add_path(
      "--queries", PathUse::kReadsFile, flags.queries,
      "a query file, or one of hdbench's own: paper.q (the paper's eleven, as printed; "
      "the default), paper-counted.q, aggregates.q");
  add_experiment_flags(command, flags);
  add_volume_flags(command, flags.machine);
  add_repetition_flags(command, flags);
  command.group("Output");
  command.add_path(
      "--out", PathUse::kWritesFile, flags.out,
      "write results.json here (Google Benchmark's shape), after each visit to a medium and "
      "layout; FILE.partial keeps each round between");
  command.add_path("--benchmark_out", PathUse::kWritesFile, flags.google_out, "").hide();
  command.add_flag("--force", flags.force, kForceHelp);
  command.add_flag(
      "--resume", flags.resume,
      "take the cells that --out FILE (or FILE.partial) has finished from it, and run the "
      "others");
  add_users_flags(command, flags.users);
  command.group("Peers");
  command.add("--peers", "LIST", flags.peers,
              "other engines in the same run, for the queries of paper.q, aggregates.q or "
              "desk.q: of duckdb, polars, chdb, datafusion (see bench/peers/run)");
  command.add_path("--peers-python", PathUse::kReadsFile, flags.peers_python,
                   "the Python that has them; default: build/peers-venv's");
  command.allow_extras();
  command.footer(
      "Google Benchmark's flags: --benchmark_filter=REGEX, --benchmark_list_tests, "
      "--benchmark_repetitions=N, --benchmark_out=FILE, --benchmark_out_format=json, "
      "--benchmark_format=json, --benchmark_context=KEY=VALUE.");
  command.examples(
      {"hdbench run --experiment quick --out results.json",
       "hdbench run /data/hdb --queries mine.q --medium nvme,dram --cache cold,warm",
       "hdbench run /data/hdb --medium dram,cxl:cxl-asic-ddr5+interleave=3:1 -s 1..all",
       "hdbench run /data/hdb --medium dram --place 'none; bid,ask=cxl' --out results.json",
       "mpirun -n 4 --host a,b,c,d hdbench run /data/hdb --medium dram --out ranks.json"});
}

Status finish_run_flags(const FlagSet& command, RunFlags& flags) {
  std::vector<std::string> google;
  for (const std::string& word : command.remaining()) {
    if (!word.starts_with("--benchmark_")) {
      return usage_error(fmt::format("run: '{}' was not expected (see hdbench run --help){}", word,
                                     command.did_you_mean_flag(word)));
    }
    google.push_back(word);
  }
  HDB_ASSIGN(flags.google, parse_google_flags(google));
  for (const Axis& axis : axes()) {
    const std::string flag(axis.flag);
    if (!flag.empty() && command.count(flag) != 0) flags.axis_words.push_back(flag);
  }
  if (flags.google.repetitions && !flags.repetitions) flags.repetitions = flags.google.repetitions;
  if (flags.out.empty()) flags.out = flags.google_out;
  HDB_TRY(check_numbers(flags));
  return check_together(flags);
}

Result<RunPlan> plan_run(const RunFlags& flags) {
  Experiment experiment;
  if (flags.experiment.empty()) {
    experiment.matrices.emplace_back();
  } else {
    HDB_ASSIGN(experiment, find_experiment(flags.experiment));
  }
  return Planner(flags, experiment).plan();
}

Result<GoogleFlags> parse_google_flags(const std::vector<std::string>& arguments) {
  GoogleFlags flags;
  for (const std::string& argument : arguments) {
    const GoogleFlag flag = split_google_flag(argument);
    if (flag.name == "--benchmark_filter") {
      flags.filter = flag.value == "all" ? "" : flag.value;
    } else if (flag.name == "--benchmark_list_tests") {
      flags.list = is_true(flag.value);
    } else if (flag.name == "--benchmark_repetitions") {
      HDB_ASSIGN(flags.repetitions, count_of(flag.name, flag.value));
    } else if (flag.name == "--benchmark_format") {
      if (flag.value != "json" && flag.value != "console") {
        return usage_error(fmt::format("{}: '{}': known are json and console (report gives csv)",
                                       flag.name, flag.value));
      }
      flags.json = flag.value == "json";
    } else if (flag.name == "--benchmark_out_format") {
      if (flag.value != "json") {
        return usage_error(fmt::format("{}: '{}': --benchmark_out writes json (report gives csv)",
                                       flag.name, flag.value));
      }
    } else if (flag.name == "--benchmark_context") {
      const GoogleFlag entry = split_google_flag(flag.value);
      if (entry.name.empty() || entry.name.size() == flag.value.size()) {
        return usage_error(fmt::format("{}: '{}': expected KEY=VALUE", flag.name, flag.value));
      }
      flags.context.emplace_back(entry.name, entry.value);
    } else {
      return not_taken(flag.name);
    }
  }
  return flags;
}

}  // namespace hdbench::bench
