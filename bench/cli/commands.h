// The command line: `hdbench COMMAND ...` (docs/commands.md), and how a command joins it.
//
// Each command is in command_NAME.cc: its flags, its help and what it does.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bench/cli/flag_set.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Gives the exit status: 0 fine, 1 limit, 2 usage, 3 data, 4 results that differ, 130 interrupted.
int run_command_line(int argc, char** argv);

class Commands {
 public:
  explicit Commands(FlagSet app) : app_(std::move(app)) {}

  template <typename Flags>
  struct Added {
    FlagSet command;
    Flags& flags;  // of the values that the command's flags set; lives as long as the line
  };
  // Adds a command that runs `run` when the line names it; `run` gives the exit status.
  template <typename Flags>
  Added<Flags> add(const std::string& name, const std::string& about,
                   Result<int> (*run)(const FlagSet& command, Flags& flags)) {
    FlagSet command = app_.add_command(name, about);
    const auto flags = std::make_shared<Flags>();
    command.callback([this, command, flags, run] {
      chosen_ = [command, flags, run] { return run(command, *flags); };
    });
    return {command, *flags};
  }

  // Runs the command that the parsed line names. Requires: it names one.
  Result<int> run_chosen() const { return chosen_(); }
  FlagSet& app() { return app_; }

 private:
  FlagSet app_;
  std::function<Result<int>()> chosen_;
};

void add_gen_command(Commands& commands);
void add_import_command(Commands& commands);
void add_query_command(Commands& commands);
void add_run_command(Commands& commands);
void add_compare_command(Commands& commands);
void add_limit_command(Commands& commands);
void add_io_command(Commands& commands);
void add_report_command(Commands& commands);
void add_describe_command(Commands& commands);
void add_verify_command(Commands& commands);
void add_predict_command(Commands& commands);
void add_advise_command(Commands& commands);
void add_profile_command(Commands& commands);
void add_topo_command(Commands& commands);

}  // namespace hdbench::bench
