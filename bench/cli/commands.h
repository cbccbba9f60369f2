// The subcommands: the flags, help and action of each. Each is in command_NAME.cc.
#pragma once

#include <functional>

#include "bench/cli/flag_set.h"

namespace hdbench::bench {

// The action that the parsed command line asks for; returns the exit status.
using ChosenCommand = std::function<int()>;

void add_gen_command(FlagSet& app, ChosenCommand& chosen);
void add_import_command(FlagSet& app, ChosenCommand& chosen);
void add_query_command(FlagSet& app, ChosenCommand& chosen);
void add_run_command(FlagSet& app, ChosenCommand& chosen);
void add_compare_command(FlagSet& app, ChosenCommand& chosen);
void add_limit_command(FlagSet& app, ChosenCommand& chosen);
void add_io_command(FlagSet& app, ChosenCommand& chosen);
void add_report_command(FlagSet& app, ChosenCommand& chosen);
void add_describe_command(FlagSet& app, ChosenCommand& chosen);
void add_verify_command(FlagSet& app, ChosenCommand& chosen);
void add_profile_command(FlagSet& app, ChosenCommand& chosen);
void add_topo_command(FlagSet& app, ChosenCommand& chosen);

}  // namespace hdbench::bench
