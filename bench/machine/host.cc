#include "bench/machine/host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "bench/base/json_fields.h"
#include "bench/base/layers.h"
#include "pmem/base/cgroup_limits.h"
#include "pmem/base/sysfs_text.h"

namespace hdbench::bench {
namespace {

// The value behind "key   : value" of the first CPU.
std::string cpuinfo_value(const std::filesystem::path& cpuinfo, std::string_view key) {
  std::ifstream file(cpuinfo);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || line.compare(0, key.size(), key) != 0) continue;
    if (line.find_first_not_of(" \t", key.size()) != colon) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

// "32K" or "4M" as sysfs writes sizes.
std::uint64_t size_bytes(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  if (end == text.data() + text.size()) return number;
  return *end == 'K' ? number << 10 : *end == 'M' ? number << 20 : number << 30;
}

std::vector<CpuCache> read_caches(const std::filesystem::path& directory) {
  std::vector<CpuCache> caches;
  for (int index = 0;; ++index) {
    const std::filesystem::path place = directory / fmt::format("index{}", index);
    const std::string level = first_line(place / "level");
    if (level.empty()) return caches;
    CpuCache cache;
    std::from_chars(level.data(), level.data() + level.size(), cache.level);
    cache.type = first_line(place / "type");
    cache.bytes = size_bytes(first_line(place / "size"));
    cache.sharing =
        std::max<std::size_t>(1, parse_list(first_line(place / "shared_cpu_list")).size());
    cache.line_bytes = read_figure(place / "coherency_line_size").value_or(0);
    caches.push_back(std::move(cache));
  }
}

// A core's number is its socket's own.
void count_cores(const std::filesystem::path& cpus, Host& host) {
  std::set<int> sockets;
  std::set<std::pair<int, int>> cores;
  for (const int cpu : parse_list(host.cpus_online)) {
    const auto topology = cpus / fmt::format("cpu{}", cpu) / "topology";
    const auto socket = read_int(topology / "physical_package_id");
    const auto core = read_int(topology / "core_id");
    if (!socket || !core) continue;
    sockets.insert(*socket);
    cores.emplace(*socket, *core);
  }
  host.sockets = sockets.size();
  host.cores = cores.size();
}

}  // namespace

Host read_host(std::size_t cpus, const std::filesystem::path& procfs,
               const std::filesystem::path& sysfs) {
  Host host;
  host.cpus = cpus;
  char name[256] = {};
  if (gethostname(name, sizeof(name) - 1) == 0) host.host_name = name;
  host.cpu_model = cpuinfo_value(procfs / "cpuinfo", "model name");
  if (host.cpu_model.empty()) host.cpu_model = "unknown";
  const std::string mhz = cpuinfo_value(procfs / "cpuinfo", "cpu MHz");
  double figure = 0;
  if (std::from_chars(mhz.data(), mhz.data() + mhz.size(), figure).ec == std::errc() &&
      figure > 0) {
    host.mhz = figure;
  }
  host.caches = read_caches(sysfs / "devices/system/cpu/cpu0/cache");
  host.cpus_online = first_line(sysfs / "devices/system/cpu/online");
  count_cores(sysfs / "devices/system/cpu", host);
  host.memory_bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const CgroupLimits limits = read_cgroup_limits({sysfs, procfs});
  host.quota_cpus = limits.cpus;
  if (limits.memory_bytes && *limits.memory_bytes < host.memory_bytes)
    host.memory_limit_bytes = limits.memory_bytes;
  utsname system{};
  if (uname(&system) == 0) {
    host.kernel = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  }
  host.facts = read_machine_facts({sysfs, procfs});
  host.facts->sockets = host.sockets;
  host.facts->cores = host.cores;
  return host;
}

void fields(JsonFields& a, CpuCache& cache) {
  a("type", cache.type);
  a("level", cache.level);
  a("size", cache.bytes);
  a("num_sharing", cache.sharing);
}

void fields(JsonFields& a, Host& host) {
  a("host_name", host.host_name);
  a("num_cpus", host.cpus);
  std::optional<std::int64_t> mhz;
  if (host.mhz) mhz = static_cast<std::int64_t>(*host.mhz);
  a.if_any("mhz_per_cpu", mhz);
  if (mhz && a.reads()) host.mhz = static_cast<double>(*mhz);
  a("caches", host.caches);
  a("machine_model", host.cpu_model);
  a("memory_bytes", host.memory_bytes);
  a.if_any("quota_cpus", host.quota_cpus);
  a.if_any("memory_limit_bytes", host.memory_limit_bytes);
  a("kernel", host.kernel);
  a.if_any("machine_facts", host.facts);
}

std::string describe(const Host& host) {
  const auto gib = [](std::uint64_t bytes) {
    return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
  };
  std::vector<std::string> limits;
  if (host.quota_cpus) limits.push_back(fmt::format("the time of {:.3g} CPUs", *host.quota_cpus));
  if (host.memory_limit_bytes) limits.push_back(gib(*host.memory_limit_bytes));
  return fmt::format(
      "{}, {} CPU{}, {}{}", host.cpu_model, host.cpus, host.cpus == 1 ? "" : "s",
      gib(host.memory_bytes),
      limits.empty() ? "" : fmt::format(" (control group: {})", fmt::join(limits, ", ")));
}

}  // namespace hdbench::bench
