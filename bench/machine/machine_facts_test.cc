#include "bench/machine/machine_facts.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::bench {
namespace {

// A memory device of SMBIOS 3.2 without texts: its size field, type and speeds.
std::string smbios_module(std::uint16_t size, char type, std::uint16_t speed, std::uint16_t set) {
  std::string bytes(0x54, '\0');
  bytes[0] = 17;
  bytes[1] = 0x54;
  const auto put = [&](std::size_t at, std::uint16_t value) {
    bytes[at] = static_cast<char>(value & 0xff);
    bytes[at + 1] = static_cast<char>(value >> 8);
  };
  put(0x0c, size);
  bytes[0x12] = type;
  put(0x15, speed);
  bytes[0x1e] = 1;  // of the longer size: 65536 MiB
  put(0x20, set);
  return bytes + std::string(2, '\0');
}

constexpr char kDdr5 = 0x22;

}  // namespace

TEST_CASE("a machine that tells nothing has no facts") {
  const MachineFacts facts = read_machine_facts({"/nowhere", "/nowhere", "/nowhere"});
  CHECK(facts == MachineFacts());
  CHECK(mitigations_text(facts).empty());
  CHECK(modules_text(facts.memory_modules).empty());
}

TEST_CASE("equal memory modules are counted together, and empty slots are none") {
  CHECK(memory_modules_of("").empty());
  const std::string table =
      std::string("\x04\x06\0\0\0\0a CPU\0\0", 13) + smbios_module(0x7fff, kDdr5, 5600, 4800) +
      smbios_module(0x7fff, kDdr5, 5600, 4800) + smbios_module(0, kDdr5, 0, 0) +
      smbios_module(16384, 0x1a, 2933, 0) + smbios_module(0x8200, 1, 0, 0);
  const auto modules = memory_modules_of(table);
  CHECK(modules_text(modules) ==
        "2 x 64 GiB DDR5 at 4800 MT/s, 1 x 16 GiB DDR4 at 2933 MT/s, 1 x 512 KiB");
  for (std::size_t cut = 0; cut < table.size(); ++cut)
    CHECK(memory_modules_of(std::string_view(table).substr(0, cut)).size() <= modules.size());
}

TEST_CASE("mitigations, governor, huge pages and balancing are read as the kernel writes them") {
  testing::FakeMachine machine;
  const std::string cpus = "devices/system/cpu/";
  machine.sys(cpus + "vulnerabilities/mds", "Not affected\n");
  machine.sys(cpus + "vulnerabilities/retbleed", "Mitigation: untrained return thunk\n");
  machine.sys(cpus + "vulnerabilities/spec_store_bypass", "Vulnerable\n");
  machine.sys(cpus + "cpu0/cpufreq/scaling_governor", "performance\n");
  machine.sys(cpus + "cpu1/cpufreq/scaling_governor", "powersave\n");
  machine.sys("kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  machine.proc("cmdline", "quiet mitigations=auto,nosmt panic=1\n");
  machine.proc("sys/kernel/numa_balancing", "1\n");
  machine.sys("firmware/dmi/tables/DMI", smbios_module(16384, kDdr5, 5600, 4800));
  const MachineFacts facts = read_machine_facts(machine.paths());
  CHECK(mitigations_text(facts) ==
        "mitigations=auto,nosmt: 1 of 2 mitigated, vulnerable: spec_store_bypass");
  CHECK(facts.governor == "performance, powersave");
  CHECK(facts.transparent_huge_pages == "madvise");
  CHECK(facts.numa_balancing == 1);
  CHECK(modules_text(facts.memory_modules) == "1 x 16 GiB DDR5 at 4800 MT/s");
}

}  // namespace hdbench::bench
