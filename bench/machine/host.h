// Describes the machine on which figures are taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/machine/machine_facts.h"

namespace hdbench::bench {

struct CpuCache {
  int level = 0;
  std::string type;  // "Data", "Instruction", "Unified"
  std::uint64_t bytes = 0;
  std::size_t sharing = 1;  // CPUs that share one
  std::uint64_t line_bytes = 0;
};

struct Host {
  std::string host_name;
  std::string cpu_model;  // "unknown" where the kernel does not say
  std::size_t cpus = 0;   // that this process may use
  std::optional<double> mhz;
  std::vector<CpuCache> caches;  // of the first CPU
  std::uint64_t memory_bytes = 0;
  // Of this process's control group, where they are less than the machine has.
  std::optional<double> quota_cpus;  // the time of this many CPUs
  std::optional<std::uint64_t> memory_limit_bytes;
  std::string kernel;       // "Linux 6.1.0-18-amd64 x86_64"
  std::string cpus_online;  // "0-3"; empty: not known
  std::size_t sockets = 0;  // of the CPUs online; 0: not known
  std::size_t cores = 0;
  std::optional<MachineFacts> facts;  // older results have none
};

// Never fails: what cannot be read is left out.
Host read_host(std::size_t cpus, const std::filesystem::path& procfs = "/proc",
               const std::filesystem::path& sysfs = "/sys");

// Its fields in results (json_fields.h); Google Benchmark's names where it has one.
void fields(JsonFields& a, Host& host);

// "MODEL, 2 CPUs, 23.4 GiB" with the name that the processor gives itself, and "(control group: the
// time of 1.5 CPUs, 4.0 GiB)" where there is such a limit.
std::string describe(const Host& host);

}  // namespace hdbench::bench
