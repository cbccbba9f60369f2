#include "bench/base/guard.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "engine/base/catch.h"
#include "engine/testing/column_files.h"

namespace hdbench::bench {
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

// What undoing says of a mount in a mount namespace of its own; nothing where that is not
// permitted. `use` runs in the mount, `after` when it was undone.
template <typename Use, typename After>
std::optional<std::string> said_of_mount(const std::filesystem::path& place, Use use, After after) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", place.c_str(), "tmpfs", 0, "size=1m") != 0) {
      _exit(77);
    }
    use();
    const auto failures =
        undo_all({{Undo::kUnmount, place.string()}}, std::chrono::milliseconds(100));
    const std::string said = failures.empty() ? "undone" : failures.front();
    (void)!write(ends[1], said.data(), said.size());
    _exit(after() ? 0 : 1);
  }
  close(ends[1]);
  std::string said(1000, ' ');
  const ssize_t got = read(ends[0], said.data(), said.size());
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WEXITSTATUS(status) == 77) return std::nullopt;
  CHECK(WEXITSTATUS(status) == 0);
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return said;
}

bool is_listed(const std::filesystem::path& place) {
  std::ifstream mounts("/proc/self/mounts");
  std::string text((std::istreambuf_iterator<char>(mounts)), std::istreambuf_iterator<char>());
  return text.find(place.string()) != std::string::npos;
}

}  // namespace

TEST_CASE("a mount is undone when the kernel lists it no more") {
  const ScratchDirectory folder;
  const auto place = folder / "hdbench-fs-1";
  std::filesystem::create_directory(place);
  const auto said = said_of_mount(place, [] {}, [&] { return !is_listed(place); });
  if (said) CHECK(*said == "undone");
}

TEST_CASE("a mount in use is reported as left behind, and goes with its last user") {
  const ScratchDirectory folder;
  const auto place = folder / "hdbench-fs-1";
  std::filesystem::create_directory(place);
  int held = -1;
  const auto said = said_of_mount(
      place, [&] { held = open(place.c_str(), O_RDONLY | O_DIRECTORY); },
      [&] { return held >= 0 && !is_listed(place); });
  if (said) {
    CHECK(*said ==
          place.string() + ": in use, so only detached: it stays mounted until its last user ends");
  }
}

TEST_CASE("a mount whose directory was moved is undone where it is now") {
  const ScratchDirectory folder;
  const auto place = folder / "before" / "hdbench-fs-1";
  std::filesystem::create_directories(place);
  const auto said = said_of_mount(
      place, [&] { std::filesystem::rename(folder / "before", folder / "after"); },
      [&] { return !is_listed("hdbench-fs-1"); });
  if (said) CHECK(*said == "undone");
}

TEST_CASE("nothing to undo is no failure") {
  CHECK(undo_all({}).empty());
  const auto guard = Guard::start().value();
  CHECK(guard->finish().ok());
  CHECK(guard->finish().ok());
}

TEST_CASE("what is gone already counts as undone") {
  const ScratchDirectory folder;
  const std::string path = (folder / "never").string();
  CHECK(undo_all({{Undo::kRemove, path},
                  {Undo::kUnmount, path},
                  {Undo::kRemoveGroup, path, path},
                  {Undo::kRemoveTree, path, path}})
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

TEST_CASE("a failure is named and does not stop the others") {
  const ScratchDirectory folder;
  std::filesystem::create_directory(folder / "full");
  touch(folder / "full/file");
  touch(folder / "other");
  const auto guard = Guard::start().value();
  REQUIRE(guard->add({Undo::kRemove, (folder / "other").string()}).ok());
  REQUIRE(guard->add({Undo::kRemove, (folder / "full").string()}).ok());
  const Status status = guard->finish();
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
  const auto guard = Guard::start().value();
  REQUIRE(guard
              ->add({Undo::kRemoveTree, (folder / "before").string(),
                     "/proc/self/fd/" + std::to_string(held)})
              .ok());
  std::filesystem::rename(folder / "before", folder / "after");
  touch(folder / "before");
  CHECK(guard->finish().ok());
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
  const auto guard = Guard::start().value();
  REQUIRE(guard->add({Undo::kRemove, (folder / "file").string()}).ok());
  // This process's only child.
  const std::string task = std::to_string(getpid());
  pid_t child = 0;
  std::ifstream("/proc/" + task + "/task/" + task + "/children") >> child;
  if (child == 0) return;  // a kernel that does not tell
  kill(child, SIGKILL);
  siginfo_t info{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  CHECK(!guard->add({Undo::kRemove, (folder / "more").string()}).ok());
  CHECK(guard->finish().ok());
  CHECK(!std::filesystem::exists(folder / "file"));
}

}  // namespace hdbench::bench
