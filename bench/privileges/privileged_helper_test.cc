#include "bench/privileges/privileged_helper.h"

#include <linux/capability.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "bench/base/interrupt.h"
#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "engine/testing/child.h"
#include "pmem/base/capabilities.h"
#include "pmem/memory/cache_state.h"

namespace hdbench::bench {
namespace {

Result<std::string> echo(std::string_view request) {
  if (request == "fail") return data_error("it failed");
  if (request == "stop") return usage_error("interrupted");
  if (request == "who") return std::to_string(getpid());
  if (request == "may") return std::to_string(read_capabilities().permitted);
  if (request == "throw") throw std::runtime_error("thrown");
  if (request == "end") _exit(3);
  return "<" + std::string(request) + ">";
}

template <std::size_t N>
Result<RootHelpers> started(const std::array<const char*, N>& words) {
  return RootHelpers::start(static_cast<int>(words.size()), words.data());
}

TEST_CASE("a helper answers, one request after another, and gives its errors as they are") {
  const auto helper = PrivilegedHelper::start("hdbench-test", 0, echo);
  REQUIRE(helper.ok());
  CHECK((*helper)->ask("").value() == "<>");
  CHECK((*helper)->ask("x").value() == "<x>");
  const std::string longer(3 << 20, 'y');
  CHECK((*helper)->ask(longer).value() == "<" + longer + ">");
  CHECK((*helper)->ask("fail").error().message == "it failed");
  CHECK((*helper)->ask("stop").error().kind == ErrorKind::kUsage);
  CHECK((*helper)->ask("throw").error().message == "thrown");
  CHECK((*helper)->ask("x").ok());
}

TEST_CASE("a helper that has ended is an error, not a wait") {
  const auto helper = PrivilegedHelper::start("hdbench-test", 0, echo);
  REQUIRE(helper.ok());
  CHECK((*helper)->ask("end").error().message == "hdbench-test: this process has ended");
  CHECK(!(*helper)->ask("x").ok());
}

TEST_CASE("a helper has the capabilities that it was given, at most") {
  const std::uint64_t wanted = capability_bit(CAP_SYS_PTRACE);
  const auto helper = PrivilegedHelper::start("hdbench-test", wanted, echo);
  REQUIRE(helper.ok());
  CHECK((*helper)->ask("may").value() == std::to_string(read_capabilities().permitted & wanted));
}

TEST_CASE("a helper ends with its program, though that is killed and its child lives on") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto helper = PrivilegedHelper::start("hdbench-test", 0, echo);
    if (!helper.ok()) _exit(1);
    const std::string who = (*helper)->ask("who").value();
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      sleep(20);
      _exit(0);
    }
    const pid_t both[2] = {static_cast<pid_t>(std::stol(who)), grandchild};
    (void)!write(ends[1], both, sizeof both);
    raise(SIGKILL);
  }
  pid_t both[2] = {0, 0};
  REQUIRE(read(ends[0], both, sizeof both) == sizeof both);
  waitpid(child, nullptr, 0);
  bool is_there = true;
  for (int k = 0; k < 500 && is_there; ++k) {
    usleep(10000);
    // One that nobody waits for is still listed: as a zombie, with no command line.
    std::ifstream words("/proc/" + std::to_string(both[0]) + "/cmdline");
    is_there = words.get() != std::ifstream::traits_type::eof();
  }
  CHECK(!is_there);
  kill(both[1], SIGKILL);
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("an interrupted program tells its helper, and gets its answer") {
  CHECK(testing::status_of_child([] {
          catch_interrupts();
          const auto helper =
              PrivilegedHelper::start("hdbench-test", 0, [](auto) -> Result<std::string> {
                for (int k = 0; k < 1000 && !interrupted().load(); ++k) usleep(10000);
                return std::string(interrupted().load() ? "told" : "late");
              });
          if (!helper.ok()) return 1;
          std::thread later([] {
            usleep(100000);
            (void)kill(getpid(), SIGINT);
          });
          const Result<std::string> said = (*helper)->ask("wait");
          later.join();
          return said.ok() && *said == "told" ? 0 : 2;
        }) == 0);
}

TEST_CASE("a command that needs no helper has none") {
  const auto helpers = started(std::array{"hdbench", "verify", "db"});
  REQUIRE(helpers.ok());
  CHECK(!privileged_tasks().drop_page_cache);
  CHECK(!privileged_tasks().find_holders);
  CHECK(started(std::array{"hdbench"}).ok());
}

TEST_CASE("root's helpers do their tasks, and go with the command") {
  if (read_capabilities().permitted == 0) return;
  {
    const auto helpers = started(std::array{"hdbench", "run", "db"});
    REQUIRE(helpers.ok());
    CHECK(!privileged_tasks().drop_page_cache);
    REQUIRE(privileged_tasks().find_holders);
    CHECK(privileged_tasks().find_holders({}).empty());
  }
  CHECK(!privileged_tasks().find_holders);
}

}  // namespace
}  // namespace hdbench::bench
