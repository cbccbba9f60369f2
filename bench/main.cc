#include "bench/cli/commands.h"

int main(int argc, char** argv) { return hdbench::bench::run_command_line(argc, argv); }
