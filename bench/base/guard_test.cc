#include "bench/base/guard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/base/catch.h"
#include "engine/storage/test_files.h"

namespace hdbench {
namespace {

void touch(const std::filesystem::path& path) { std::ofstream(path) << "x"; }

bool goes_within_seconds(const std::filesystem::path& path) {
  for (int k = 0; k < 500; ++k) {
    if (!std::filesystem::exists(path)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// A command that makes a file in a directory, tells its guard, and then does `end`.
template <typename End>
pid_t command_that(const ScratchDirectory& folder, End end) {
  const pid_t child = fork();
  if (child != 0) return child;
  Result<std::unique_ptr<Guard>> guard = Guard::start();
  if (!guard.ok()) _exit(1);
  const auto directory = folder / "d";
  if (!(*guard)->add({Undo::kRemove, directory.string()}).ok()) _exit(1);
  std::filesystem::create_directory(directory);
  if (!(*guard)->add({Undo::kRemove, (directory / "file").string()}).ok()) _exit(1);
  touch(directory / "file");
  end(**guard);
  _exit(0);
}

}  // namespace

TEST_CASE("nothing to undo is no failure") {
  CHECK(undo_all({}).empty());
  Result<std::unique_ptr<Guard>> guard = Guard::start();
  REQUIRE(guard.ok());
  CHECK((*guard)->finish().ok());
  CHECK((*guard)->finish().ok());
}

TEST_CASE("what is gone already counts as undone") {
  const ScratchDirectory folder;
  const std::string path = (folder / "never").string();
  CHECK(undo_all({{Undo::kRemove, path},
                  {Undo::kUnmount, path},
                  {Undo::kRemoveGroup, path, path},
                  {Undo::kRemoveTree, path, path},
                  {Undo::kRemoveZram, "no such number"}})
            .empty());
}

TEST_CASE("actions are undone from the last to the first") {
  const ScratchDirectory folder;
  std::filesystem::create_directory(folder / "d");
  touch(folder / "d/file");
  CHECK(undo_all({{Undo::kRemove, (folder / "d").string()},
                  {Undo::kRemove, (folder / "d/file").string()}})
            .empty());
  CHECK(!std::filesystem::exists(folder / "d"));
}

TEST_CASE("a setting is written back, to what it was before the first change") {
  const ScratchDirectory folder;
  const std::string file = (folder / "setting").string();
  std::ofstream(file) << "16\n";
  CHECK(undo_all({{Undo::kRestore, file, "128"},
                  {Undo::kRestore, file, "64"},
                  {Undo::kRestore, (folder / "gone").string(), "1"}})
            .empty());
  std::string text;
  std::ifstream(file) >> text;
  CHECK(text == "128");
}

TEST_CASE("a failure is named and does not stop the others") {
  const ScratchDirectory folder;
  std::filesystem::create_directory(folder / "full");
  touch(folder / "full/file");
  touch(folder / "other");
  Result<std::unique_ptr<Guard>> guard = Guard::start();
  REQUIRE(guard.ok());
  REQUIRE((*guard)->add({Undo::kRemove, (folder / "other").string()}).ok());
  REQUIRE((*guard)->add({Undo::kRemove, (folder / "full").string()}).ok());
  const Status status = (*guard)->finish();
  REQUIRE(!status.ok());
  CHECK(status.error().message ==
        "left behind: " + (folder / "full").string() + ": cannot be removed: Directory not empty");
  CHECK(!std::filesystem::exists(folder / "other"));
}

TEST_CASE("a command that ends without a word leaves nothing") {
  const ScratchDirectory folder;
  const pid_t child = command_that(folder, [](Guard&) {});
  waitpid(child, nullptr, 0);
  CHECK(goes_within_seconds(folder / "d"));
}

TEST_CASE("a tree is removed where it is, and what took its name stays") {
  const ScratchDirectory folder;
  std::filesystem::create_directories(folder / "before/deep");
  touch(folder / "before/deep/file");
  const int held = open((folder / "before").c_str(), O_PATH | O_DIRECTORY);
  REQUIRE(held >= 0);
  Result<std::unique_ptr<Guard>> guard = Guard::start();
  REQUIRE(guard.ok());
  REQUIRE((*guard)
              ->add({Undo::kRemoveTree, (folder / "before").string(),
                     "/proc/self/fd/" + std::to_string(held)})
              .ok());
  std::filesystem::rename(folder / "before", folder / "after");
  touch(folder / "before");
  CHECK((*guard)->finish().ok());
  CHECK(!std::filesystem::exists(folder / "after"));
  CHECK(std::filesystem::exists(folder / "before"));
  close(held);
}

TEST_CASE("a command that is killed leaves nothing, though its child lives on") {
  const ScratchDirectory folder;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = command_that(folder, [&](Guard&) {
    // The grandchild inherits the guard's socket.
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      sleep(20);
      _exit(0);
    }
    (void)!write(ends[1], &grandchild, sizeof grandchild);
    raise(SIGKILL);
  });
  pid_t grandchild = 0;
  REQUIRE(read(ends[0], &grandchild, sizeof grandchild) == sizeof grandchild);
  waitpid(child, nullptr, 0);
  CHECK(goes_within_seconds(folder / "d"));
  kill(grandchild, SIGKILL);
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("a guard's death stops the work, and the command undoes what was done") {
  const ScratchDirectory folder;
  touch(folder / "file");
  Result<std::unique_ptr<Guard>> guard = Guard::start();
  REQUIRE(guard.ok());
  REQUIRE((*guard)->add({Undo::kRemove, (folder / "file").string()}).ok());
  // This process's only child.
  const std::string task = std::to_string(getpid());
  pid_t child = 0;
  std::ifstream("/proc/" + task + "/task/" + task + "/children") >> child;
  if (child == 0) return;  // a kernel that does not tell
  kill(child, SIGKILL);
  siginfo_t info{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  CHECK(!(*guard)->add({Undo::kRemove, (folder / "more").string()}).ok());
  CHECK((*guard)->finish().ok());
  CHECK(!std::filesystem::exists(folder / "file"));
}

}  // namespace hdbench
