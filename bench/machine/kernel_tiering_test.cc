#include "bench/machine/kernel_tiering.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::bench {
namespace {

using testing::contains;
using testing::FakeMachine;

// A machine whose kernel has both settings, at these values.
struct TieringMachine : FakeMachine {
  explicit TieringMachine(const std::string& balancing = "1",
                          const std::string& demotes = "false") {
    proc("sys/kernel/numa_balancing", balancing + "\n");
    if (!demotes.empty()) sys("kernel/mm/numa/demotion_enabled", demotes);
  }
  std::string balancing() const { return first_line(paths().procfs / "sys/kernel/numa_balancing"); }
  std::string demotion() const {
    return first_line(paths().sysfs / "kernel/mm/numa/demotion_enabled");
  }
  bool comes_back() const {
    for (int k = 0; k < 500; ++k) {
      if (balancing() == "1" && demotion() == "false") return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
};

std::vector<std::string> names_of(const std::vector<PreflightNote>& notes) {
  std::vector<std::string> names;
  for (const PreflightNote& note : notes) names.push_back(note.name);
  return names;
}

TEST_CASE("a kernel that tells nothing has no tiering, and warns of none") {
  const FakeMachine machine;
  CHECK(read_kernel_tiering(machine.paths()) == KernelTiering{});
  CHECK(tiering_notes(machine.paths()).empty());
}

TEST_CASE("what the kernel does with pages is warned of where it can matter") {
  TieringMachine machine("2", "true");
  machine.proc("sys/vm/zone_reclaim_mode", "1\n");
  const KernelTiering state = read_kernel_tiering(machine.paths());
  CHECK(state.numa_balancing == 2);
  CHECK(state.demotion == true);
  CHECK(state.zone_reclaim_mode == 1);
  machine.node(0, "0-3", 1024);
  CHECK(tiering_notes(machine.paths()).empty());
  // A node without memory is no place to move a page to.
  machine.node(1, "4-7", 0);
  CHECK(tiering_notes(machine.paths()).empty());
  machine.node(2, "", 1024);
  CHECK(names_of(tiering_notes(machine.paths())) ==
        std::vector<std::string>{"numa-balancing", "demotion", "zone-reclaim"});
  // In one tier nothing is demoted.
  machine.sys("devices/virtual/memory_tiering/memory_tier4/nodelist", "0,2");
  CHECK(names_of(tiering_notes(machine.paths())) ==
        std::vector<std::string>{"numa-balancing", "zone-reclaim"});
  machine.proc("sys/kernel/numa_balancing", "0\n");
  machine.proc("sys/vm/zone_reclaim_mode", "0\n");
  CHECK(tiering_notes(machine.paths()).empty());
}

TEST_CASE("DAMON is warned of while it runs, with what it does") {
  FakeMachine machine;
  const std::string threads = "kernel/mm/damon/admin/kdamonds/";
  machine.sys(threads + "nr_kdamonds", "2");
  machine.sys(threads + "0/state", "off");
  machine.sys(threads + "1/state", "off");
  machine.sys(threads + "1/contexts/nr_contexts", "1");
  machine.sys(threads + "1/contexts/0/schemes/nr_schemes", "2");
  machine.sys(threads + "1/contexts/0/schemes/0/action", "pageout");
  machine.sys(threads + "1/contexts/0/schemes/1/action", "pageout");
  machine.sys("module/damon_reclaim/parameters/enabled", "N");
  machine.sys("module/damon_lru_sort/parameters/enabled", "N");
  CHECK(tiering_notes(machine.paths()).empty());
  machine.sys(threads + "0/state", "on");
  machine.sys(threads + "1/state", "on");
  machine.sys("module/damon_lru_sort/parameters/enabled", "Y");
  CHECK(read_kernel_tiering(machine.paths()).damon ==
        std::vector<std::string>{"kdamond 0", "kdamond 1 (pageout)", "damon_lru_sort"});
  const auto notes = tiering_notes(machine.paths());
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].seen() == "DAMON runs, kdamond 0, kdamond 1 (pageout), damon_lru_sort");
}

TEST_CASE("tiering is set as requested and comes back when it is let go") {
  const TieringMachine machine;
  {
    const auto held = HeldTiering::hold("numa-balancing", machine.paths());
    REQUIRE(held.ok());
    CHECK(machine.balancing() == "2");
    CHECK(machine.demotion() == "true");
    const auto second = HeldTiering::hold("off", machine.paths());
    REQUIRE_FALSE(second.ok());
    CHECK(contains(second.error().message, "another hdbench"));
    CHECK(machine.balancing() == "2");
  }
  CHECK(machine.balancing() == "1");
  CHECK(machine.demotion() == "false");
  {
    const auto held = HeldTiering::hold("off", machine.paths());
    REQUIRE(held.ok());
    CHECK(machine.balancing() == "0");
  }
  CHECK(machine.balancing() == "1");
  const TieringMachine without("1", "");
  REQUIRE(HeldTiering::hold("off", without.paths()).ok());
  CHECK(without.balancing() == "1");
}

TEST_CASE("a program that is killed leaves the tiering that was there") {
  const TieringMachine machine;
  const auto word = GENERATE(std::string("off"), std::string("numa-balancing"));
  const pid_t child = fork();
  if (child == 0) {
    const auto held = HeldTiering::hold(word, machine.paths());
    if (!held.ok() || machine.balancing() == "1") _exit(1);
    raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(machine.comes_back());
}

TEST_CASE("a kernel that lacks or refuses a setting is left as it is, with a line that names it") {
  CHECK(HeldTiering::hold("on", {}).error().message ==
        "--tiering: unknown value 'on': known are off, numa-balancing");
  const FakeMachine bare;
  for (const char* word : {"off", "numa-balancing"}) {
    const auto held = HeldTiering::hold(word, bare.paths());
    REQUIRE_FALSE(held.ok());
    CHECK(held.error().kind == ErrorKind::kData);
    CHECK(held.error().message.ends_with("numa_balancing: this kernel has no such setting"));
  }
  const TieringMachine old("1", "");
  const auto lacking = HeldTiering::hold("numa-balancing", old.paths());
  REQUIRE_FALSE(lacking.ok());
  CHECK(contains(lacking.error().message, "demotion_enabled: this kernel has no such setting"));
  CHECK(old.balancing() == "1");
  if (geteuid() == 0) return;
  const TieringMachine closed;
  std::filesystem::permissions(closed.paths().sysfs / "kernel/mm/numa/demotion_enabled",
                               std::filesystem::perms::owner_read);
  CHECK_FALSE(HeldTiering::hold("off", closed.paths()).ok());
  CHECK(closed.balancing() == "1");
}

}  // namespace
}  // namespace hdbench::bench
