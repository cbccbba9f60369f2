#include "bench/storage/volumes/held_readahead.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::bench {
namespace {

using testing::FakeMachine;

// A disk with a partition of ext4 at /, and btrfs and tmpfs below it.
struct DiskMachine : FakeMachine {
  DiskMachine() {
    sys("devices/vda/queue/read_ahead_kb", "8192");
    sys("devices/vda/vda1/partition", "1");
    link("class/block/vda", "devices/vda");
    link("class/block/vda1", "devices/vda/vda1");
    link("dev/block/254:1", "devices/vda/vda1");
    proc("self/mountinfo",
         "1 0 254:1 / / rw - ext4 /dev/vda1 rw\n"
         "2 1 254:1 / /proc rw - btrfs /dev/vda1 rw\n"
         "3 1 0:9 / /dev rw - tmpfs tmpfs rw\n");
  }
  std::optional<std::uint64_t> readahead() const {
    return read_figure(paths().sysfs / "devices/vda/queue/read_ahead_kb");
  }
};

TEST_CASE("a disk's readahead is set, and written back at the end") {
  const DiskMachine machine;
  Result<std::unique_ptr<Guard>> guard = Guard::start();
  REQUIRE(guard.ok());
  const auto held = HeldReadahead::hold({"/", "/usr"}, **guard, machine.paths());
  REQUIRE(held.ok());
  CHECK(held->describe() == std::vector<std::string>{"vda: readahead 8192 KiB"});
  CHECK(machine.readahead() == 8192);
  CHECK(held->set(16).ok());
  CHECK(machine.readahead() == 16);
  CHECK(held->set(std::nullopt).ok());
  CHECK(machine.readahead() == 8192);
  CHECK(held->set(0).ok());
  CHECK((*guard)->finish().ok());
  CHECK(machine.readahead() == 8192);
}

TEST_CASE("a command that is killed leaves the readahead as it was") {
  const DiskMachine machine;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    Result<std::unique_ptr<Guard>> guard = Guard::start();
    if (!guard.ok()) _exit(1);
    const auto held = HeldReadahead::hold({"/"}, **guard, machine.paths());
    if (!held.ok() || !held->set(16).ok()) _exit(1);
    const char is_set = machine.readahead() == 16 ? 1 : 0;
    (void)!write(ends[1], &is_set, 1);
    raise(SIGKILL);
  }
  close(ends[1]);
  char is_set = 0;
  REQUIRE(read(ends[0], &is_set, 1) == 1);
  CHECK(is_set == 1);
  waitpid(child, nullptr, 0);
  for (int k = 0; k < 500 && machine.readahead() != 8192; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(machine.readahead() == 8192);
  close(ends[0]);
}

TEST_CASE("what has no such setting is an error that says why") {
  const DiskMachine machine;
  Result<std::unique_ptr<Guard>> guard = Guard::start();
  REQUIRE(guard.ok());
  const auto error_of = [&](const char* path) {
    return HeldReadahead::hold({path}, **guard, machine.paths()).error().message;
  };
  CHECK(error_of("/proc") == "--readahead: /proc is on btrfs, which has a readahead of its own");
  CHECK(error_of("/dev").starts_with("--readahead: /dev is on no disk of this machine (tmpfs"));
}

}  // namespace
}  // namespace hdbench::bench
