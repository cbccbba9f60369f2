#include "bench/machine/preflight.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

using std::chrono::milliseconds;

// A machine of files.
struct NotedMachine {
  NotedMachine()
      : root(std::filesystem::temp_directory_path() /
             ("hdbench_preflight_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(root);
  }
  ~NotedMachine() { std::filesystem::remove_all(root); }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  std::vector<PreflightNote> look(const std::optional<MemoryNeed>& need = {}) const {
    return look_at({need});
  }
  std::vector<PreflightNote> look_at(const PreflightScope& scope) const {
    return preflight(scope, milliseconds(0), {root / "sys", root / "proc", root / "dev"});
  }

  std::filesystem::path root;
};

bool has(const std::vector<PreflightNote>& notes, const std::string& name) {
  return std::any_of(notes.begin(), notes.end(), [&](const auto& one) { return one.name == name; });
}

TEST_CASE("a machine that tells nothing is warned of nothing") {
  CHECK(NotedMachine().look().empty());
}

TEST_CASE("a quiet, well set machine is warned of nothing") {
  NotedMachine machine;
  machine.write("proc/stat", "cpu  1 1 1 100 0 0 0 0 0 0\n");
  machine.write("proc/meminfo", "MemAvailable: 1000000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n");
  machine.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  machine.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  machine.write("sys/devices/system/node/node0/cpulist", "0-1\n");
  machine.write("sys/devices/system/node/node1/cpulist", "\n");
  CHECK(machine.look(MemoryNeed{1 << 20, "the flat copy"}).empty());
}

TEST_CASE("a hypervisor that takes back free memory is reported, with the way to stop it") {
  NotedMachine machine;
  machine.write("sys/bus/virtio/devices/virtio0/device", "0x0005\n");
  machine.write("sys/bus/virtio/devices/virtio0/features", "0110000100\n");
  CHECK(machine.look().empty());
  machine.write("sys/bus/virtio/devices/virtio0/features", "0110010100\n");
  auto notes = machine.look();
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].name == "free-memory");
  const std::string order = "sys/module/page_reporting/parameters/page_reporting_order";
  machine.write(order, "5\n");
  notes = machine.look();
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].text.find(" > " + (machine.root / order).string()) != std::string::npos);
  machine.write(order, "14\n");
  CHECK(machine.look().empty());
}

TEST_CASE("idle CPUs that are slow to come back are reported, unless they are kept awake") {
  NotedMachine machine;
  const std::string latency = "sys/devices/system/cpu/cpu0/cpuidle/";
  machine.write(latency + "state0/latency", "0\n");
  machine.write(latency + "state1/latency", "2\n");
  machine.write("sys/devices/system/cpu/cpuidle/current_driver", "haltpoll\n");
  const std::string poll = "sys/module/haltpoll/parameters/guest_halt_poll_ns";
  machine.write(poll, "200000\n");
  CHECK(machine.look().empty());
  machine.write(poll, "0\n");
  REQUIRE(machine.look().size() == 1);
  CHECK(machine.look()[0].name == "idle");
  CHECK(machine.look()[0].text.find("printf '\\0\\0\\0\\0' >&9") != std::string::npos);
  machine.write("dev/cpu_dma_latency", std::string(4, '\0'));
  CHECK(machine.look().empty());
  machine.write("dev/cpu_dma_latency", std::string("\x00\x94\x35\x77", 4));
  CHECK(machine.look().size() == 1);

  machine.write("sys/devices/system/cpu/cpuidle/current_driver", "intel_idle\n");
  CHECK(machine.look().empty());
  machine.write(latency + "state2/latency", "133\n");
  REQUIRE(machine.look().size() == 1);
  CHECK(machine.look()[0].text.find("133 us") != std::string::npos);
  machine.write("dev/cpu_dma_latency", std::string("\x03\x00\x00\x00", 4));
  CHECK(machine.look().empty());
  std::filesystem::remove(machine.root / "dev/cpu_dma_latency");
  REQUIRE(machine.look().size() == 1);
  CHECK(machine.look()[0].text.ends_with("cannot be seen from here)"));
  machine.write(latency + "state2/disable", "1\n");
  CHECK(machine.look().empty());
}

TEST_CASE("each thing that is wrong has its warning") {
  NotedMachine machine;
  machine.write("proc/meminfo",
                "MemAvailable: 1000000 kB\nDirty: 900000 kB\nSwapTotal: 900000 kB\n"
                "SwapFree: 100000 kB\n");
  machine.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  machine.write("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
  machine.write("sys/devices/system/node/node0/cpulist", "0-1\n");
  machine.write("sys/devices/system/node/node1/cpulist", "2-3\n");
  const auto notes = machine.look(MemoryNeed{std::uint64_t{2} << 30, "the flat copy on dram"});
  for (const char* name : {"swap", "dirty", "memory", "frequency", "huge-pages", "numa"}) {
    INFO(name);
    CHECK(has(notes, name));
  }
  CHECK(notes.back().text.find("the flat copy on dram takes 2.1 GB and 1.0 GB are available") == 0);
  const auto lines = brief_preflight_lines(notes);
  REQUIRE(lines.size() == notes.size() + 1);
  for (const std::string& line : lines) {
    INFO(line);
    CHECK(line.starts_with("preflight: "));
    CHECK(line.size() <= 100);
    CHECK(line.find('~') == std::string::npos);
  }
  CHECK(lines.back() == "preflight: what to do: hdbench topo --advice");
  CHECK(brief_preflight_lines({}).empty());
}

TEST_CASE(
    "what the run is set to is reported: quota, threads, a cached database, a far readahead") {
  NotedMachine machine;
  machine.write("proc/self/cgroup", "0::/\n");
  machine.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  machine.write("sys/devices/system/cpu/cpu0/cache/index0/level", "3\n");
  machine.write("sys/devices/system/cpu/cpu0/cache/index0/type", "Unified\n");
  machine.write("sys/devices/system/cpu/cpu0/cache/index0/size", "32M\n");
  machine.write("sys/class/block/vda/queue/read_ahead_kb", "8192\n");
  machine.write("proc/self/mountinfo", "1 0 254:0 / / rw - ext4 /dev/vda rw\n");
  std::filesystem::create_directories(machine.root / "sys/dev/block");
  std::filesystem::create_directory_symlink(machine.root / "sys/class/block/vda",
                                            machine.root / "sys/dev/block/254:0");
  PreflightScope scope;
  CHECK(machine.look_at(scope).size() == 1);
  scope.threads = 5000;
  scope.table_bytes = 1 << 20;
  scope.cold_paths = {"/", "/usr"};
  const auto notes = machine.look_at(scope);
  REQUIRE(notes.size() == 4);
  CHECK(notes[0].name == "quota");
  CHECK(notes[1].name == "threads");
  CHECK(notes[1].text.starts_with("-s 5000 is above the 1 CPU that may be used"));
  CHECK(notes[2].name == "cached");
  CHECK(notes[3].name == "readahead");
}

}  // namespace
}  // namespace hdbench::bench
