#include "bench/storage/filesystems/spare_device.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

#include "bench/base/child_process.h"
#include "bench/base/interrupt.h"
#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

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

TEST_CASE("what is no block device is refused by name") {
  const testing::TemporaryDirectory folder;
  const std::string file = (folder.path() / "file").string();
  const auto absent = allow_device(file, true);
  REQUIRE(!absent.ok());
  CHECK(testing::contains(absent.error().message, "No such file"));
  testing::write_text(file, "x");
  const auto plain = allow_device(file, true);
  REQUIRE(!plain.ok());
  CHECK(plain.error().message == "--device: " + file + " is no block device");
  CHECK(plain.error().kind == ErrorKind::kUsage);
}

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
