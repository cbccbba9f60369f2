// Ends that no command has foreseen: exceptions that nothing nearer has turned into an error
// (memory or threads that cannot be had, a library's refusal), and bus errors, which a truncated
// mapped file or a failing disk raises. Each becomes one line and a status.
#pragma once

#include <cstdint>
#include <string_view>

namespace hdbench::bench {

// Within a catch block: reports the exception that is handled and gives the exit status: that of a
// limit where memory or threads are short, else of bad data. Needs no memory where there is none.
int report_stray_error() noexcept;

// From now on this process ends with the same line and the status of a limit when memory is refused
// where nothing may be thrown (destructors, and steps of std::filesystem that are noexcept), rather
// than by a signal. Nothing is unwound then; guard.h undoes what was changed on the machine. A
// forked child says nothing: its parent reports how it ended. Other ends of the kind still abort.
void end_without_memory_as_limit();

// From now on a bus error prints the file that the kernel has at the address and ends the program
// with the status of bad data.
void catch_bus_errors();

// The path that a line of /proc/self/maps gives for the address; empty where the line is of other
// addresses.
std::string_view mapped_path(std::string_view maps_line, std::uintptr_t address);

}  // namespace hdbench::bench
