#include "bench/host.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>

namespace hdbench {
namespace {

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

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

// How many CPUs a list such as "0-3,8" names.
std::size_t count_list(std::string_view list) {
  std::size_t count = 0;
  const char* at = list.data();
  const char* const end = list.data() + list.size();
  while (at < end) {
    std::size_t low = 0;
    const auto first = std::from_chars(at, end, low);
    if (first.ec != std::errc()) break;
    std::size_t high = low;
    at = first.ptr;
    if (at < end && *at == '-') at = std::from_chars(at + 1, end, high).ptr;
    count += high >= low ? high - low + 1 : 0;
    if (at < end) ++at;
  }
  return count;
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
    cache.sharing = std::max<std::size_t>(1, count_list(first_line(place / "shared_cpu_list")));
    caches.push_back(std::move(cache));
  }
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
  host.memory_bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  utsname system{};
  if (uname(&system) == 0) {
    host.kernel = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  }
  return host;
}

std::string describe(const Host& host) {
  return fmt::format("{}, {} CPU{}, {:.1f} GiB", host.cpu_model, host.cpus,
                     host.cpus == 1 ? "" : "s", static_cast<double>(host.memory_bytes) / (1 << 30));
}

}  // namespace hdbench
