// The exceptions that no one nearer has turned into an error: memory or threads that cannot be had,
// a library's refusal. Each becomes one line of our own and a status.
#pragma once

namespace hdbench {

// Within a catch block: reports the exception that is handled and gives the exit status: that of a
// limit where memory or threads are short, else of bad data. Needs no memory where there is none.
int report_stray_error() noexcept;

}  // namespace hdbench
