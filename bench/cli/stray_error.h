// The exceptions that no one nearer has turned into an error: memory or threads that cannot be had,
// a library's refusal. Each becomes one line of our own and a status.
#pragma once

namespace hdbench::bench {

// Within a catch block: reports the exception that is handled and gives the exit status: that of a
// limit where memory or threads are short, else of bad data. Needs no memory where there is none.
int report_stray_error() noexcept;

// From now on this process ends with the same line and the status of a limit when memory is refused
// where nothing may be thrown (destructors, and steps of std::filesystem that are noexcept), rather
// than by a signal. Nothing is unwound then; guard.h undoes what was changed on the machine. A
// forked child says nothing: its parent reports how it ended. Other ends of the kind still abort.
void end_without_memory_as_limit();

}  // namespace hdbench::bench
