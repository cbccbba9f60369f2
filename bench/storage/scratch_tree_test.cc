#include "bench/storage/scratch_tree.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "engine/base/catch.h"
#include "engine/testing/scratch_files.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a directory that is not there is named") {
  const auto trees = ScratchTrees::make({"/nowhere/at/all"});
  REQUIRE_FALSE(trees.ok());
  CHECK(trees.error().message ==
        "/nowhere/at/all: cannot make a directory in it: No such file or directory");
}

TEST_CASE("what was made is removed, and nothing else") {
  const ScratchDirectory place;
  std::ofstream(place / "theirs") << "x";
  {
    const auto trees = ScratchTrees::make({place.path(), place.path()});
    REQUIRE(trees.ok());
    REQUIRE(trees->paths().size() == 2);
    CHECK(trees->paths()[0] != trees->paths()[1]);
    std::ofstream(trees->paths()[0] / "file") << "y";
  }
  CHECK(fs::exists(place / "theirs"));
  CHECK(std::distance(fs::directory_iterator(place.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("what was moved is removed where it is, and what took its name stays") {
  const ScratchDirectory place;
  fs::create_directory(place / "before");
  {
    const auto trees = ScratchTrees::make({place / "before"});
    REQUIRE(trees.ok());
    std::ofstream(trees->paths()[0] / "file") << "y";
    fs::rename(place / "before", place / "after");
    fs::create_directories(trees->paths()[0]);
    std::ofstream(trees->paths()[0] / "theirs") << "x";
  }
  CHECK(fs::is_empty(place / "after"));
  REQUIRE_FALSE(fs::is_empty(place / "before"));
  const fs::path theirs = fs::directory_iterator(place / "before")->path();
  CHECK(fs::exists(theirs / "theirs"));
}

TEST_CASE("a process that is killed leaves nothing") {
  const ScratchDirectory place;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto trees = ScratchTrees::make({place.path()});
    std::ofstream(trees->paths()[0] / "file") << "y";
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  for (int k = 0; k < 500 && !fs::is_empty(place.path()); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK(fs::is_empty(place.path()));
}

}  // namespace
}  // namespace hdbench::bench
