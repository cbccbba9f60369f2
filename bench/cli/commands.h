// One subcommand each: its flags, its help, and what runs when it is chosen. Each is in
// command_NAME.cc.
#pragma once

#include <functional>

#include "bench/cli/flag_set.h"

namespace hdbench {

// What the command line asks for, once it has been parsed; gives the exit status.
using ChosenCommand = std::function<int()>;

void add_gen_command(FlagSet& app, ChosenCommand& chosen);
void add_query_command(FlagSet& app, ChosenCommand& chosen);
void add_run_command(FlagSet& app, ChosenCommand& chosen);
void add_compare_command(FlagSet& app, ChosenCommand& chosen);
void add_limit_command(FlagSet& app, ChosenCommand& chosen);
void add_io_command(FlagSet& app, ChosenCommand& chosen);
void add_report_command(FlagSet& app, ChosenCommand& chosen);
void add_verify_command(FlagSet& app, ChosenCommand& chosen);
void add_profile_command(FlagSet& app, ChosenCommand& chosen);
void add_topo_command(FlagSet& app, ChosenCommand& chosen);

}  // namespace hdbench
