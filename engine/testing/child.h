// For tests: work in a process of its own.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/catch.h"

namespace hdbench::testing {

// What a child's work gives, as its exit status; minus the signal that ended it.
template <typename Work>
int status_of_child(const Work& work) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(work());
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace hdbench::testing
