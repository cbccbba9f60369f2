#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "bench/privileges/privileges.h"
#include "engine/base/catch.h"
#include "engine/testing/scratch_files.h"

namespace hdbench::bench {
namespace {

bool has_landlock() { return syscall(444, nullptr, 0, 1) >= 3; }

bool can_make(const std::filesystem::path& file) {
  const int made = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (made >= 0) close(made);
  return made >= 0;
}

}  // namespace

TEST_CASE("a file is made where the nearest directory is") {
  const ScratchDirectory folder;
  std::filesystem::create_directory(folder / "real");
  std::filesystem::create_directory_symlink("real", folder / "link");
  const auto places = places_of({folder / "link/new/file"});
  REQUIRE(places.size() == 2);
  CHECK(places[0] == folder / "link");
  CHECK(places[1] == std::filesystem::canonical(folder / "real"));
  CHECK(places_of({}).empty());
  CHECK(places_of({"/dev/null"}).front() == "/dev/null");
}

TEST_CASE("a confined process writes in its places only, root or not") {
  if (!has_landlock()) return;
  const ScratchDirectory folder;
  for (const char* name : {"mine", "other", "tmp"}) {
    std::filesystem::create_directory(folder / name);
  }
  std::ofstream(folder / "other/file") << "x";
  std::ofstream(folder / "mine/file") << "x";
  const pid_t child = fork();
  if (child == 0) {
    setenv("TMPDIR", (folder / "tmp").c_str(), 1);
    const int held = open((folder / "other/file").c_str(), O_RDWR);
    if (!confine_writes({folder / "mine", folder / "not there"}).ok()) _exit(1);
    if (!can_make(folder / "mine/new") || !can_make(folder / "tmp/new")) _exit(2);
    if (can_make(folder / "other/new") || can_make(folder / "new")) _exit(3);
    if (open((folder / "other/file").c_str(), O_WRONLY) >= 0) _exit(4);
    if (truncate((folder / "other/file").c_str(), 0) == 0) _exit(5);
    if (unlink((folder / "other/file").c_str()) == 0) _exit(6);
    if (rename((folder / "mine/file").c_str(), (folder / "other/moved").c_str()) == 0) _exit(7);
    if (open((folder / "other/file").c_str(), O_RDONLY) < 0) _exit(8);
    if (write(held, "y", 1) != 1) _exit(9);
    if (open("/dev/null", O_WRONLY) < 0) _exit(10);
    if (rename((folder / "mine/file").c_str(), (folder / "mine/moved").c_str()) != 0) _exit(11);
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(std::filesystem::file_size(folder / "other/file") == 1);
}

}  // namespace hdbench::bench
