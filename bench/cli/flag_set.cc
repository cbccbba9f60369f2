#include "bench/cli/flag_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/text.h"
#include "engine/base/write_guard.h"

namespace hdbench::bench {
namespace {

bool is_directory_use(PathUse use) {
  return use == PathUse::kReadsDirectory || use == PathUse::kWritesIntoDirectory ||
         use == PathUse::kMakesDirectory;
}

std::string why_no_path(const std::string& text) {
  return text.empty() ? "expected a path, found nothing" : "";
}

// "-o,--out", or what the help calls a word that stands alone. The library has no name for what its
// help does not show.
std::string names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names.empty() ? option.get_name(true) : fmt::format("{}", fmt::join(names, ","));
}

Status check_written(const std::string& flag, PathUse use, const std::filesystem::path& path) {
  switch (use) {
    case PathUse::kReadsFile:
    case PathUse::kReadsDirectory: return ok_status();
    // What is there already may be the database itself, which its maker completes.
    case PathUse::kMakesDirectory: {
      HDB_ASSIGN(const ResolvedPath resolved, resolve_path(path));
      return check_outside_databases(flag, resolved.path.parent_path());
    }
    case PathUse::kMeasuresDirectory: {
      std::error_code error;
      const bool is_path = std::filesystem::is_directory(path, error);
      return is_path ? check_outside_databases(flag, path) : ok_status();
    }
    case PathUse::kWritesFile:
    case PathUse::kWritesIntoDirectory:
    case PathUse::kOverwritesDevice: return check_outside_databases(flag, path);
  }
  return ok_status();
}

}  // namespace

std::string_view path_use_name(PathUse use) {
  switch (use) {
    case PathUse::kReadsFile: return "reads-file";
    case PathUse::kReadsDirectory: return "reads-directory";
    case PathUse::kWritesFile: return "writes-file";
    case PathUse::kWritesIntoDirectory: return "writes-into";
    case PathUse::kMeasuresDirectory: return "measures-directory";
    case PathUse::kMakesDirectory: return "makes-directory";
    case PathUse::kOverwritesDevice: return "overwrites-device";
  }
  return "";
}

Flag::Flag(CLI::Option& option, std::shared_ptr<PathFlags> paths)
    : option_(&option), paths_(std::move(paths)) {}

Flag& Flag::type_name(const std::string& name) {
  HDB_CHECK(name != "FILE" && name != "DIR", "a path says what is done with it");
  option_->type_name(name);
  return *this;
}

Flag& Flag::path(PathUse use) {
  path_without_type(use);
  option_->type_name(is_directory_use(use) ? "DIR" : "FILE");
  return *this;
}

Flag& Flag::path_without_type(PathUse use) {
  paths_->push_back({option_, use});
  option_->type_name("");
  option_->check(CLI::Validator(why_no_path, ""));
  return *this;
}

Flag& Flag::required(bool is_required) {
  option_->required(is_required);
  return *this;
}

Flag& Flag::capture_default_str() {
  option_->capture_default_str();
  return *this;
}

Flag& Flag::hide() {
  option_->group("");
  return *this;
}

Flag& Flag::one_value_each() {
  option_->allow_extra_args(false);
  return *this;
}

FlagSet::FlagSet(CLI::App& app) : FlagSet(app, std::make_shared<PathFlags>()) {}

FlagSet::FlagSet(CLI::App& app, std::shared_ptr<PathFlags> paths)
    : app_(&app), paths_(std::move(paths)) {}

Flag FlagSet::flag_of(CLI::Option& option) { return Flag(option, paths_); }

FlagSet FlagSet::add_command(const std::string& name, const std::string& about) {
  return FlagSet(*app_->add_subcommand(name, about), paths_);
}

template <typename T>
Flag FlagSet::add_option(const std::string& names, T& value, const std::string& about) {
  return flag_of(*app_->add_option(names, value, about));
}

template Flag FlagSet::add_option(const std::string&, std::string&, const std::string&);
template Flag FlagSet::add_option(const std::string&, double&, const std::string&);
template Flag FlagSet::add_option(const std::string&, unsigned&, const std::string&);
template Flag FlagSet::add_option(const std::string&, std::size_t&, const std::string&);
template Flag FlagSet::add_option(const std::string&, std::vector<std::string>&,
                                  const std::string&);
template Flag FlagSet::add_option(const std::string&, std::optional<std::string>&,
                                  const std::string&);
template Flag FlagSet::add_option(const std::string&, std::optional<int>&, const std::string&);
template Flag FlagSet::add_option(const std::string&, std::optional<double>&, const std::string&);
template Flag FlagSet::add_option(const std::string&, std::optional<std::size_t>&,
                                  const std::string&);

Flag FlagSet::add_flag(const std::string& names, bool& value, const std::string& about) {
  return flag_of(*app_->add_flag(names, value, about));
}

Flag FlagSet::get_option(const std::string& name) { return flag_of(*app_->get_option(name)); }

void FlagSet::group(const std::string& heading) { app_->option_defaults()->group(heading); }

void FlagSet::examples(const std::vector<std::string>& lines) {
  std::string text = app_->get_footer();
  text += text.empty() ? "Examples:" : "\n\nExamples:";
  for (const std::string& line : lines) text += "\n    " + line;
  app_->footer(text);
}

void FlagSet::footer(const std::string& text) { app_->footer(text); }

void FlagSet::words_before_a_last_one() { app_->positionals_at_end(); }

void FlagSet::allow_extras() { app_->allow_extras(); }

void FlagSet::callback(std::function<void()> chosen) { app_->callback(std::move(chosen)); }

std::size_t FlagSet::count(const std::string& name) const { return app_->count(name); }

std::vector<std::string> FlagSet::remaining() const { return app_->remaining(); }

std::string FlagSet::did_you_mean_flag(const std::string& word) const {
  std::vector<std::string> known;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  if (!word.starts_with("-")) return {};
  return did_you_mean(word.substr(0, word.find('=')), known);
}

Status check_written_paths(const PathFlags& flags) {
  for (const PathFlag& flag : flags) {
    for (const std::string& value : flag.option->results()) {
      HDB_TRY(check_written(names_of(*flag.option), flag.use, value));
    }
  }
  return ok_status();
}

GivenPaths given_paths(const PathFlags& flags) {
  GivenPaths given;
  for (const PathFlag& flag : flags) {
    const bool reads = flag.use == PathUse::kReadsFile || flag.use == PathUse::kReadsDirectory;
    for (const std::string& value : flag.option->results()) {
      std::error_code error;
      if (flag.use == PathUse::kMeasuresDirectory && !std::filesystem::is_directory(value, error)) {
        continue;
      }
      (reads ? given.reads : given.writes).emplace_back(value);
      if (flag.use == PathUse::kMakesDirectory) given.reads.emplace_back(value);
      if (flag.use == PathUse::kMakesDirectory || flag.use == PathUse::kReadsDirectory) {
        given.databases.emplace_back(value);
      }
    }
  }
  return given;
}

std::string flag_table(const CLI::App& app, const PathFlags& flags) {
  std::string table;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (const CLI::Option* option : command->get_options()) {
      const auto path = std::find_if(flags.begin(), flags.end(),
                                     [&](const PathFlag& flag) { return flag.option == option; });
      table +=
          fmt::format("{}\t{}\t{}\t{}\n", command->get_name(), names_of(*option),
                      option->get_type_name(), path == flags.end() ? "" : path_use_name(path->use));
    }
  }
  return table;
}

}  // namespace hdbench::bench
