// Handles SIGBUS, which a truncated mapped file or a failing disk raises: prints one line and exits
// with status 3.
#pragma once

#include <cstdint>
#include <string_view>

namespace hdbench::bench {

// From now on a bus error prints the file that the kernel has at the address and ends the program
// with the status of bad data.
void catch_bus_errors();

// The path that a line of /proc/self/maps gives for the address; empty where the line is of other
// addresses.
std::string_view mapped_path(std::string_view maps_line, std::uintptr_t address);

}  // namespace hdbench::bench
