#include "bench/base/child_process.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {

TEST_CASE("no process has ended, and a fork ends with its work") {
  ChildProcess none;
  CHECK(!none.is_running());
  none.end();
  auto child = ChildProcess::fork("a child", [] { _exit(3); });
  REQUIRE(child.ok());
  child->wait();
  CHECK(child->how_it_ended() == "status 3");
  CHECK(child->signal() == 0);
}

TEST_CASE("an exception in a fork destroys nothing of the parent's") {
  const auto sockets = make_sockets(SOCK_STREAM);
  REQUIRE(sockets.ok());
  struct Told {
    int socket = 0;
    ~Told() { static_cast<void>(::write(socket, "x", 1)); }
  };
  const pid_t parent = ::getpid();
  const auto fork_below = [&] {
    const Told told{sockets->second.descriptor()};
    auto child = ChildProcess::fork("a child", [] { throw std::bad_alloc(); });
    if (::getpid() != parent) _exit(0);
    REQUIRE(child.ok());
    child->wait();
    CHECK(child->how_it_ended() == "status 1");
  };
  try {
    fork_below();
  } catch (const std::bad_alloc&) {
    _exit(0);  // the copy, unwound: the parent sees its byte
  }
  char bytes[4];
  CHECK(::recv(sockets->first.descriptor(), bytes, sizeof(bytes), MSG_DONTWAIT) == 1);
}

TEST_CASE("a process that does not end is ended") {
  auto child = ChildProcess::fork("a child", [] { ::pause(); });
  REQUIRE(child.ok());
  CHECK(child->is_running());
  child->end(std::chrono::milliseconds(1));
  CHECK(child->signal() == SIGKILL);
  CHECK(child->how_it_ended() == "signal 9");
}

TEST_CASE("a command takes a variable in place of this program's own") {
  auto pipe = make_pipe();
  REQUIRE(pipe.ok());
  const int writer = pipe->second.descriptor();
  auto child = ChildProcess::start({"sh", "-c", "echo $HOME; env | grep -c ^HOME="},
                                   {STDIN_FILENO, writer, writer}, "HOME=/y");
  REQUIRE(child.ok());
  child->wait();
  char said[64];
  const ssize_t bytes = ::read(pipe->first.descriptor(), said, sizeof(said));
  CHECK(std::string(said, static_cast<std::size_t>(std::max<ssize_t>(bytes, 0))) == "/y\n1\n");
}

TEST_CASE("a program that is nowhere is not found") {
  CHECK(!has_command("hdbench-no-such-program"));
  const auto said = run_command({"/hdbench-no-such-program"});
  REQUIRE(!said.ok());
  CHECK(testing::contains(said.error().message, "/hdbench-no-such-program: status 127: "));
}

TEST_CASE("a program's words reach it whole, and what it writes comes back") {
  CHECK(has_command("sh"));
  const auto said = run_command({"printf", "%s", "it's $HOME; *"});
  REQUIRE(said.ok());
  CHECK(*said == "it's $HOME; *");
}

TEST_CASE("a program that fails is named with its status and last words") {
  const auto said = run_command({"sh", "-c", "echo one; echo two >&2; echo; exit 7"});
  REQUIRE(!said.ok());
  CHECK(said.error().message == "sh: status 7: two");
}

TEST_CASE("a program that takes too long is ended, whether it writes or not") {
  for (const char* script : {"sleep 60", "exec >&- 2>&-; sleep 60"}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto said = run_command({"sh", "-c", script}, std::chrono::milliseconds(100));
    REQUIRE(!said.ok());
    CHECK(said.error().message == "sh: not over after 100 ms");
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  }
}

}  // namespace hdbench::bench
