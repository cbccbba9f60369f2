#include "bench/interrupt.h"

#include <csignal>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("the first interrupt sets the flag and hands the next one back to the system") {
  CHECK_FALSE(interrupted().load());
  catch_interrupts();
  std::raise(SIGINT);
  CHECK(interrupted().load());
  struct sigaction action = {};
  REQUIRE(sigaction(SIGINT, nullptr, &action) == 0);
  CHECK(action.sa_handler == SIG_DFL);
}

}  // namespace
}  // namespace hdbench
