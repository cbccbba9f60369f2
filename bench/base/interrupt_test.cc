#include "bench/base/interrupt.h"

#include <csignal>

#include "engine/base/catch.h"
#include "engine/testing/child.h"

namespace hdbench::bench {
namespace {

// What is seen, a bit a step; all of them are set where all is well.
int steps_of_an_interrupt() {
  int steps = interrupted().load() ? 0 : 1;
  catch_interrupts();
  std::raise(SIGINT);
  if (interrupted().load()) steps |= 2;
  struct sigaction action = {};
  if (sigaction(SIGINT, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) steps |= 4;
  return steps;
}

// In a process of its own: the flag stays set, and other tests run in this one.
TEST_CASE("the first interrupt sets the flag and hands the next one back to the system") {
  CHECK(testing::status_of_child(steps_of_an_interrupt) == 7);
  CHECK_FALSE(interrupted().load());
}

}  // namespace
}  // namespace hdbench::bench
