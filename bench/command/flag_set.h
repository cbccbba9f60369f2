// The flags of one command. Thin, over CLI11, whose templates take seconds to compile: they are
// compiled in flag_set.cc and where the line is parsed, and not with every command.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hdbench {

// One flag or word of a command line: how its help shows it and what holds of it. Lives as long as
// the command line.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  // What its value is, in the help: WORD ... N, S, MIN and PCT are numbers from 0 up, DIR and FILE
  // are paths, and anything else given there, an empty path too, is refused.
  Flag& type_name(const std::string& name);
  Flag& required(bool is_required = true);
  // The help shows the value that it has by now.
  Flag& capture_default_str();
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
  explicit FlagSet(CLI::App& app) : app_(&app) {}

  FlagSet add_command(const std::string& name, const std::string& about);

  // names: "-s,--threads", or "DB" for a word that stands alone. The value must outlive parsing.
  // T: std::string, double, unsigned, std::size_t, std::vector<std::string>, and an optional int,
  // double or std::size_t.
  template <typename T>
  Flag add_option(const std::string& names, T& value, const std::string& about = {});
  Flag add_flag(const std::string& names, bool& value, const std::string& about);
  // Requires: there is one.
  Flag get_option(const std::string& name);

  void footer(const std::string& text);
  // Words that no flag takes are kept: remaining().
  void allow_extras();
  // Called when this is the command that the line names.
  void callback(std::function<void()> chosen);

  // After parsing: how often the flag was given; what no flag took.
  std::size_t count(const std::string& name) const;
  std::vector<std::string> remaining() const;

 private:
  CLI::App* app_;
};

}  // namespace hdbench
