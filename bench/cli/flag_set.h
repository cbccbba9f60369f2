// The flags of one command. A thin layer over CLI11, whose templates are slow to compile: they are
// compiled in flag_set.cc and where the line is parsed only.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace CLI {
class App;
class FormatterBase;
class Option;
}  // namespace CLI

namespace hdbench::bench {

// What a command does with a path. All but the first two write, and pass the write guard
// (engine/base/write_guard.h) when the line is parsed.
enum class PathUse {
  kReadsFile,
  kReadsDirectory,
  kWritesFile,           // makes or replaces it
  kWritesIntoDirectory,  // makes files or directories in it
  kMeasuresDirectory,    // the same, and its value may be a word that is no path
  kMakesDirectory,       // makes it, or completes what it made
  kOverwritesDevice,     // a block device
};
std::string_view path_use_name(PathUse use);

// A flag of a command whose value is a path.
struct PathFlag {
  CLI::Option* option = nullptr;
  PathUse use = PathUse::kReadsFile;
};
using PathFlags = std::vector<PathFlag>;

// One flag or word of a command line: how its help shows it and which values it takes. Lives as
// long as the command line.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  Flag& required(bool is_required = true);
  // Of a word without a flag whose help names it well enough.
  Flag& without_type();
  // Not in the help.
  Flag& hide();
  // Each use takes one value; may be used again.
  Flag& one_value_each();

 private:
  CLI::Option* option_;
};

// A reference to one command's flags: copies add to the same.
class FlagSet {
 public:
  explicit FlagSet(CLI::App& app);

  FlagSet add_command(const std::string& name, const std::string& about);

  // names: "-s,--threads", or "DB" for a word without a flag. type: what its value is, in the
  // help: WORD; for N, S and PCT any value but a number from 0 up is refused. The help shows the
  // value that it has by now, unless that is empty. The value must outlive parsing. T: std::string,
  // double, unsigned, std::size_t, std::vector<std::string>, and an optional int, double,
  // std::size_t or std::string.
  template <typename T>
  Flag add(const std::string& names, const std::string& type, T& value, const std::string& about);
  // Its values are paths, shown as FILE or DIR; an empty one is refused. T: std::string or
  // std::vector<std::string>.
  template <typename T>
  Flag add_path(const std::string& names, PathUse use, T& value, const std::string& about);
  Flag add_flag(const std::string& names, bool& value, const std::string& about);
  // Requires: there is one.
  Flag get_option(const std::string& name);

  // The flags added from here on stand below this heading in the help: "Media".
  void group(const std::string& heading);
  // Command lines at the help's end, after what footer() says.
  void examples(const std::vector<std::string>& lines);
  void footer(const std::string& text);
  // Several words may stand before a last one that has a name of its own: `FILES... DB`.
  void words_before_a_last_one();
  // Words that no flag takes are kept: remaining().
  void allow_extras();
  // Called when this is the command that the line names.
  void callback(std::function<void()> chosen);

  // After parsing: how often the flag was given; what no flag took.
  std::size_t count(const std::string& name) const;
  std::vector<std::string> remaining() const;
  // "; did you mean --medium?" of a word that no flag took; empty: none is near.
  std::string did_you_mean_flag(const std::string& word) const;

  // The path flags of this command and of all commands added to it.
  const PathFlags& path_flags() const { return *paths_; }

 private:
  FlagSet(CLI::App& app, std::shared_ptr<PathFlags> paths);
  CLI::App* app_;
  std::shared_ptr<PathFlags> paths_;
};

// Errors: kUsage where the flag's word is none of the known ones, which are named.
Status check_word(std::string_view flag, std::string_view word,
                  std::initializer_list<std::string_view> known);

// Holds every path that the parsed line says is written against the write guard. Errors: kUsage:
// it lies in a database.
Status check_written_paths(const PathFlags& flags);

// The paths that the parsed line names.
struct GivenPaths {
  std::vector<std::filesystem::path> reads;
  std::vector<std::filesystem::path> writes;     // a database that is made is read, too
  std::vector<std::filesystem::path> databases;  // read or made
};
GivenPaths given_paths(const PathFlags& flags);

// Every flag of every command, one a line: command, flag, kind of value, use of a path;
// tab-separated. Used by completion and tests.
std::string flag_table(const CLI::App& app, const PathFlags& flags);

// How --help looks: groups of flags, text wrapped to lines of at most `columns` bytes unless one
// word is longer, examples last.
std::shared_ptr<CLI::FormatterBase> help_format(std::size_t columns);

}  // namespace hdbench::bench
