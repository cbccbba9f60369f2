#include "bench/cli/flag_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <type_traits>
#include <utility>

#include "bench/base/lines.h"
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

// "-o,--out", or what the help calls a word without a flag. The library has no name for what its
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

constexpr std::size_t kNameColumn = 2;
constexpr std::size_t kAboutColumn = 26;

std::string blanks(std::size_t count) { return std::string(count, ' '); }

class HelpFormat final : public CLI::Formatter {
 public:
  explicit HelpFormat(std::size_t columns) : columns_(columns) {}

  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* command) const override;
  std::string make_usage(const CLI::App* command, std::string name) const override;
  std::string make_footer(const CLI::App* command) const override;

 private:
  std::string entry(const std::string& name, const std::string& about) const;

  std::size_t columns_;
};

// "  name    about", the text below itself; a long name has a line of its own.
std::string HelpFormat::entry(const std::string& name, const std::string& about) const {
  std::string line =
      blanks(kNameColumn) + wrapped(name, columns_, blanks(kNameColumn + 2), kNameColumn);
  if (about.empty()) return line + '\n';
  const bool is_long = line.size() + 2 > kAboutColumn;
  line += is_long ? '\n' + blanks(kAboutColumn) : blanks(kAboutColumn - line.size());
  return line + wrapped(about, columns_, blanks(kAboutColumn), kAboutColumn) + '\n';
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(make_option_name(option, is_positional) + make_option_opts(option),
               make_option_desc(option));
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

std::string HelpFormat::make_description(const CLI::App* command) const {
  return folded(command->get_description(), columns_, {});
}

std::string HelpFormat::make_usage(const CLI::App* command, std::string name) const {
  constexpr std::size_t kUnderName = 7;  // "Usage: "
  std::string usage = CLI::Formatter::make_usage(command, std::move(name));
  while (!usage.empty() && usage.back() == '\n') usage.pop_back();
  return folded(usage, columns_, blanks(kUnderName));
}

// Each line keeps its own indentation, also where it goes on.
std::string HelpFormat::make_footer(const CLI::App* command) const {
  const std::string footer = command->get_footer();
  std::string text;
  for (std::size_t at = 0; at < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', at), footer.size());
    const std::string line = footer.substr(at, end - at);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string under = blanks(indent == 0 ? 0 : indent + 4);
    text += blanks(indent) + wrapped(line.substr(indent), columns_, under, indent) + '\n';
    at = end + 1;
  }
  return text;
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

Flag& Flag::required(bool is_required) {
  option_->required(is_required);
  return *this;
}

Flag& Flag::without_type() {
  option_->type_name("");
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

FlagSet FlagSet::add_command(const std::string& name, const std::string& about) {
  return FlagSet(*app_->add_subcommand(name, about), paths_);
}

template <typename T>
Flag FlagSet::add(const std::string& names, const std::string& type, T& value,
                  const std::string& about) {
  HDB_CHECK(type != "FILE" && type != "DIR", "a path says what is done with it");
  CLI::Option* const option = app_->add_option(names, value, about)->type_name(type);
  // Of nothing and of lists, the library would show brackets.
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
    option->capture_default_str();
  return Flag(*option);
}

template <typename T>
Flag FlagSet::add_path(const std::string& names, PathUse use, T& value, const std::string& about) {
  CLI::Option* const option = app_->add_option(names, value, about);
  option->type_name(is_directory_use(use) ? "DIR" : "FILE");
  option->check(CLI::Validator(why_no_path, ""));
  paths_->push_back({option, use});
  return Flag(*option);
}

using Text = const std::string&;
template Flag FlagSet::add(Text, Text, std::string&, Text);
template Flag FlagSet::add(Text, Text, double&, Text);
template Flag FlagSet::add(Text, Text, unsigned&, Text);
template Flag FlagSet::add(Text, Text, std::size_t&, Text);
template Flag FlagSet::add(Text, Text, std::vector<std::string>&, Text);
template Flag FlagSet::add(Text, Text, std::optional<std::string>&, Text);
template Flag FlagSet::add(Text, Text, std::optional<int>&, Text);
template Flag FlagSet::add(Text, Text, std::optional<double>&, Text);
template Flag FlagSet::add(Text, Text, std::optional<std::size_t>&, Text);
template Flag FlagSet::add_path(Text, PathUse, std::string&, Text);
template Flag FlagSet::add_path(Text, PathUse, std::vector<std::string>&, Text);

Flag FlagSet::add_flag(const std::string& names, bool& value, const std::string& about) {
  return Flag(*app_->add_flag(names, value, about));
}

Flag FlagSet::get_option(const std::string& name) { return Flag(*app_->get_option(name)); }

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

Status check_word(std::string_view flag, std::string_view word,
                  std::initializer_list<std::string_view> known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return ok_status();
  return usage_error(
      fmt::format("{}: unknown value '{}': known are {}", flag, word, fmt::join(known, ", ")));
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

std::shared_ptr<CLI::FormatterBase> help_format(std::size_t columns) {
  return std::make_shared<HelpFormat>(columns);
}

}  // namespace hdbench::bench
