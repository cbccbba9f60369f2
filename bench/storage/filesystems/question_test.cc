#include "bench/storage/filesystems/question.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

#include "bench/base/child_process.h"
#include "bench/base/interrupt.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

bool answered(std::string_view words) {
  Result<Channel> pipe = make_pipe();
  REQUIRE(pipe.ok());
  REQUIRE(write(pipe->second.descriptor(), words.data(), words.size()) ==
          static_cast<ssize_t>(words.size()));
  pipe->second = FileHandle();
  const Result<bool> agreed = is_agreed("Go on?", pipe->first.descriptor());
  REQUIRE(agreed.ok());
  return *agreed;
}

}  // namespace

TEST_CASE("no answer, and any other than y or yes, is a no") {
  CHECK(!answered(""));
  CHECK(!answered("\n"));
  CHECK(!answered("n\ny\n"));
  CHECK(!answered("yesterday\n"));
  CHECK(!answered(std::string(5000, 'y')));
  CHECK(answered("y\n"));
  CHECK(answered("yes \r\n"));
  CHECK(answered("y"));
}

TEST_CASE("a question without an answer ends on a signal") {
  Result<Channel> never = make_pipe();
  REQUIRE(never.ok());
  for (const int number : {SIGINT, SIGTERM}) {
    const pid_t child = fork();
    if (child == 0) {
      catch_interrupts();
      const Result<bool> agreed = is_agreed("Go on?", never->first.descriptor());
      _exit(!agreed.ok() && agreed.error().message == "interrupted" ? 7 : 1);
    }
    usleep(100000);
    kill(child, number);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    // One that came before it was caught has ended the child at once.
    const bool was_early = WIFSIGNALED(status) && WTERMSIG(status) == number;
    CHECK((was_early || (WIFEXITED(status) && WEXITSTATUS(status) == 7)));
  }
}

}  // namespace hdbench::bench
