// The command line: `hdbench COMMAND ...` (docs/commands.md).
#pragma once

namespace hdbench::bench {

// Gives the exit status: 0 fine, 1 limit, 2 usage, 3 data, 4 results that differ, 130 interrupted.
int run_command_line(int argc, char** argv);

}  // namespace hdbench::bench
