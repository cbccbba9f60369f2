// What makes one machine's figures differ from another's beside its CPU: memory modules and their
// speeds, mitigations, the clock's governor, huge pages, NUMA balancing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::bench {

class JsonFields;

// Equal modules in their slots.
struct MemoryModules {
  std::size_t count = 0;
  std::uint64_t bytes = 0;     // of one
  std::string type;            // "DDR5"; empty: another kind than the known ones
  std::uint32_t mt_per_s = 0;  // that it runs at, millions of transfers a second; 0: not told

  bool operator==(const MemoryModules&) const = default;
};

// Empty, 0 or nothing: not told.
struct MachineFacts {
  std::size_t sockets = 0;
  std::size_t cores = 0;
  std::vector<MemoryModules> memory_modules;  // told to root alone
  // By vulnerability, in the kernel's words; those that the CPU has not are left out.
  std::vector<std::pair<std::string, std::string>> mitigations;
  std::string mitigations_flag;        // the kernel's command line: "off"
  std::string governor;                // of all CPUs: "performance", "performance, powersave"
  std::string transparent_huge_pages;  // "madvise"
  std::optional<int> numa_balancing;   // kernel.numa_balancing

  bool operator==(const MachineFacts&) const = default;
};

// Never fails: what cannot be read is left out. Sockets and cores are the host's (host.h).
MachineFacts read_machine_facts(const MachinePaths& paths = {});

// The modules in a table of SMBIOS structures (DSP0134, type 17), as /sys/firmware/dmi/tables/DMI
// has them. What is cut short ends the list.
std::vector<MemoryModules> memory_modules_of(std::string_view table);

// "8 x 64 GiB DDR5 at 4800 MT/s".
std::string modules_text(const std::vector<MemoryModules>& modules);

// "off on the command line", "3 of 5 mitigated, vulnerable: spec_store_bypass".
std::string mitigations_text(const MachineFacts& facts);

// Its fields in results (json_fields.h).
void fields(JsonFields& a, MachineFacts& facts);

}  // namespace hdbench::bench
