#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/capability.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "bench/base/interrupt.h"
#include "bench/base/layers.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/base/version.h"
#include "bench/cli/abnormal_ends.h"
#include "bench/cli/commands.h"
#include "bench/cli/flag_set.h"
#include "bench/machine/kernel_tiering.h"
#include "bench/privileges/privileged_helper.h"
#include "bench/privileges/privileges.h"
#include "bench/ranks/rank_job.h"
#include "bench/ranks/rank_opening.h"
#include "engine/base/text.h"
#include "pmem/base/capabilities.h"

namespace hdbench::bench {
namespace {

constexpr const char* kFooter =
    "Exit status: 0 fine; 1 a query reached -w under --on-limit exit, memory is not there, or "
    "compare found a regression; 2 bad usage or query text; 3 bad data; 4 a result that differs; 5 "
    "compare "
    "--strict "
    "left cells unjudged; 130 interrupted.";

// "unknown command 'x': known are gen, query, ..." where the first word is no command.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  const auto begin = argv + 1;
  const auto end = argv + argc;
  const auto first = std::find_if(begin, end, [](const char* word) { return word[0] != '-'; });
  if (first == end) return {};
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == *first) return {};
    known.push_back(command->get_name());
  }
  return fmt::format("unknown command '{}': known are {}{}", *first, fmt::join(known, ", "),
                     did_you_mean(*first, known));
}

int usage_status(const std::string& message) {
  tell("hdbench: " + message);
  return kUsageStatus;
}

std::string why_no_number(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && end == text.data() + text.size() && number >= 0 &&
                         std::isfinite(number);
  return is_number ? "" : fmt::format("'{}' is no number from 0 up", text);
}

// The library would take -1 for the largest number, and say "could not convert" of a word.
void check_values(CLI::App& app) {
  const std::array<std::string, 3> units = {"N", "S", "PCT"};
  const auto is_one_of = [](const auto& names, const CLI::Option* option) {
    return std::find(names.begin(), names.end(), option->get_type_name()) != names.end();
  };
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options()) {
      if (is_one_of(units, option)) option->check(CLI::Validator(why_no_number, ""));
    }
  }
}

// `compare A1 A2 -- B1 B2`: the library would drop where the second side begins.
std::vector<const char*> with_named_sides(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc < 2 || std::string_view(words[1]) != "compare") return words;
  const auto is_bare = [](const char* word) { return std::string_view(word) == "--"; };
  std::replace_if(words.begin(), words.end(), is_bare, "--against");
  return words;
}

// Of a command whose words stand before a last one: the flags first, as the library wants them
// there, wherever they were.
std::vector<const char*> with_flags_first(const CLI::App& app, std::vector<const char*> words) {
  if (words.size() < 2) return words;
  const auto is_chosen = [&](const CLI::App* command) { return command->get_name() == words[1]; };
  const auto commands = app.get_subcommands(is_chosen);
  if (commands.empty() || !commands.front()->get_positionals_at_end()) return words;
  std::vector<const char*> flags(words.begin(), words.begin() + 2);
  std::vector<const char*> others;
  for (auto word = words.begin() + 2; word != words.end(); ++word) {
    const std::string_view text = *word;
    if (text == "--") {  // after it are only words, and before it none is left that is a flag
      flags.push_back(*word);
      others.insert(others.end(), word + 1, words.end());
      break;
    }
    if (text.size() < 2 || text.front() != '-') {
      others.push_back(*word);
      continue;
    }
    flags.push_back(*word);
    const CLI::Option* const option = commands.front()->get_option_no_throw(std::string(text));
    const bool takes_value = option != nullptr && option->get_items_expected_min() > 0;
    if (takes_value && word + 1 != words.end()) flags.push_back(*++word);
  }
  flags.insert(flags.end(), others.begin(), others.end());
  return flags;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Where the command writes; nothing where that is not known from its line: `io` and `profile`,
// whose opening of files is measured, `run` with other engines or with the databases of an
// experiment.
std::optional<std::vector<std::filesystem::path>> places_of_writing(const CLI::App& command,
                                                                    const GivenPaths& given) {
  const std::string& name = command.get_name();
  const bool is_run = name == "run";
  if (name == "io" || name == "profile") return std::nullopt;
  if (is_run && command.count("--peers") + command.count("--experiment") > 0) return std::nullopt;
  std::vector<std::filesystem::path> places = places_of(given.writes);
  // A database's manifest lies beside it, and what is spilled, on its disk.
  if (is_one_of(name, {"gen", "import", "query", "limit", "run"})) {
    for (const auto& database : given.databases) {
      std::error_code error;
      const auto whole = std::filesystem::weakly_canonical(database, error);
      if (!error) places.push_back(places_of({whole.parent_path()}).front());
    }
  }
  if (is_run && command.count("--volume") > 0) places.emplace_back("/sys/fs/cgroup");
  if (command.get_option_no_throw("--tiering") != nullptr && command.count("--tiering") > 0) {
    for (const auto& file : HeldTiering::files()) places.push_back(file);
  }
  return places;
}

// What the command does not need of root's power goes before a file that the line names is opened.
Status limit_power(const CLI::App& command, const PathFlags& paths) {
  const std::string& name = command.get_name();
  const GivenPaths given = given_paths(paths);
  PrivilegeNeeds needs{given.reads, given.writes};
  needs.proves_caches = is_one_of(name, {"query", "run", "limit"});
  // Where scratch files go that no flag has a place for.
  std::error_code error;
  const auto temporary = std::filesystem::temp_directory_path(error);
  if (needs.proves_caches && !error) needs.writes.push_back(temporary);
  const auto has = [&](const char* flag) {
    return command.get_option_no_throw(flag) != nullptr && command.count(flag) > 0;
  };
  if (has("--compare")) needs.for_set_up |= capability_bit(CAP_SYS_ADMIN);
  if (has("--tiering")) needs.for_set_up |= capability_bit(CAP_SYS_ADMIN);
  // The kernel's directories of control groups may be written by nobody.
  if (has("--volume")) needs.for_set_up |= capability_bit(CAP_DAC_OVERRIDE);
  HDB_TRY(give_up_privileges(needs));
  if (geteuid() != 0) return ok_status();
  const auto places = places_of_writing(command, given);
  return places ? confine_writes(*places) : ok_status();
}

// What `hdbench flags` prints.
struct FlagTable {
  const CLI::App* app = nullptr;
  const PathFlags* paths = nullptr;
};

Result<int> print_flag_table(const FlagSet&, FlagTable& table) {
  std::fputs(flag_table(*table.app, *table.paths).c_str(), stdout);
  return kFine;
}

Result<int> run_chosen(const CLI::App& command, Commands& commands) {
  const PathFlags& paths = commands.app().path_flags();
  HDB_TRY(limit_power(command, paths));
  HDB_TRY(check_written_paths(paths));
  return commands.run_chosen();
}

// An error that ends this rank of an MPI job, where others wait for it: rank 0 has the words, where
// it is there to say them.
void tell_other_ranks(RankJob& job, const Error& error, bool opens) {
  if (job.rank() != 0) job.last_words = error.message;
  if (job.openings != 0 || !opens) return;
  job.rank() == 0 ? abandon_opening(job, error.kind) : report_before_opening(job, error);
}

int usage_status_of_rank(const std::string& message) {
  if (RankJob* const job = RankJob::of_process(); job != nullptr && job->rank() != 0)
    job->last_words = message;
  return usage_status(message);
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("What a memory tier is worth to a historical tick database", "hdbench");
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("hdbench {} ({})", version(), commit()));
  app.formatter(help_format(output_look(80).columns));
  app.footer(kFooter);
  Commands commands{FlagSet(app)};
  add_gen_command(commands);
  add_import_command(commands);
  add_query_command(commands);
  add_run_command(commands);
  add_compare_command(commands);
  add_limit_command(commands);
  add_report_command(commands);
  add_io_command(commands);
  add_describe_command(commands);
  add_verify_command(commands);
  add_predict_command(commands);
  add_advise_command(commands);
  add_profile_command(commands);
  add_topo_command(commands);
  auto [flags_command, table] = commands.add<FlagTable>(
      "flags", "Every flag of every command, for completion and tests", print_flag_table);
  table = {&app, &commands.app().path_flags()};
  flags_command.examples(
      {"hdbench flags", "hdbench flags | cut -f 1,2", "hdbench flags | grep writes"});
  // Last, as commands begin with a copy of the footer that there is.
  commands.app().examples({"hdbench gen /tmp/hdb --scale 0.05 --parted col3",
                           "hdbench run /tmp/hdb --medium nvme,dram --out results.json",
                           "hdbench report results.json -o report.html"});
  check_values(app);
  if (argc < 2) {
    std::fputs(app.help().c_str(), stderr);
    return kUsageStatus;
  }
  const std::string unknown = unknown_command(app, argc, argv);
  if (!unknown.empty()) return usage_status_of_rank(unknown);
  try {
    const auto words = with_flags_first(app, with_named_sides(argc, argv));
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ExtrasError&) {
    CLI::App& command = *app.get_subcommands().front();
    const std::string word = app.remaining(true).front();
    return usage_status_of_rank(fmt::format("{}: '{}' was not expected (see hdbench {} --help){}",
                                            command.get_name(), word, command.get_name(),
                                            FlagSet(command).did_you_mean_flag(word)));
  } catch (const CLI::ParseError& error) {
    // Help and the version come as errors of status 0.
    if (error.get_exit_code() == 0) return app.exit(error);
    return usage_status_of_rank(error.what());
  }
  RankJob* const job = RankJob::of_process();
  const std::string& chosen = app.get_subcommands().front()->get_name();
  const bool opens = is_one_of(chosen, {"query", "run"});
  if (job != nullptr && !opens && chosen != "io") {
    return usage_status(
        fmt::format("mpirun: several ranks do not run {}, only query, run and io", chosen));
  }
  const Result<int> status = run_chosen(*app.get_subcommands().front(), commands);
  if (job != nullptr) {
    job->ends_well = status.ok();
    if (!status.ok()) tell_other_ranks(*job, status.error(), opens);
  }
  return status.ok() ? *status : report_error(status.error());
}

}  // namespace

int run_command_line(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the write
  catch_interrupts();
  catch_bus_errors();
  end_without_memory_as_limit();
  std::unique_ptr<RankJob> job;  // after what it ends with was said
  try {
    const Result<RootHelpers> helpers = RootHelpers::start(argc, argv);
    if (!helpers.ok()) return report_error(helpers.error());
    Result<std::unique_ptr<RankJob>> joined = RankJob::join();
    if (!joined.ok()) return report_error(joined.error());
    job = std::move(*joined);
    set_telling(job == nullptr || job->rank() == 0);
    return parse_and_run(argc, argv);
  } catch (...) {
    if (job != nullptr && job->rank() != 0) set_telling(true, job->name(job->rank()));
    return report_stray_error();
  }
}

}  // namespace hdbench::bench
