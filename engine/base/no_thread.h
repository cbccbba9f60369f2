// Thrown where the system starts no more threads.
#pragma once

#include <stdexcept>
#include <system_error>

namespace hdbench {

// The message is a whole line that says what to do.
class NoThread : public std::runtime_error {
 public:
  explicit NoThread(const std::error_code& why)
      : std::runtime_error("cannot start a thread: " + why.message() +
                           "; use fewer (-s), or raise the limit of processes (ulimit -u, the "
                           "control group's pids.max)") {}
};

}  // namespace hdbench
