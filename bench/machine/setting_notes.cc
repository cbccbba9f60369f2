#include "bench/machine/setting_notes.h"

#include <fmt/format.h>

namespace hdbench::bench {
namespace {

// What a query reads at a place: 8192 values of 8 bytes.
constexpr std::uint64_t kPlaceBytes = 64 << 10;

double mib_of(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace

std::string readahead_command(const std::string& disk, std::uint64_t kib) {
  return fmt::format("echo {} > /sys/block/{}/queue/read_ahead_kb", kib, disk);
}

std::optional<PreflightNote> readahead_note(const BlockDevice& device) {
  const std::uint64_t bytes = device.readahead_bytes.value_or(0);
  const double times = static_cast<double>(bytes) / kPlaceBytes;
  if (times < kReadaheadTold) return std::nullopt;
  return PreflightNote{
      "readahead",
      fmt::format("/dev/{} reads {} KiB around a page that is touched: where a query reads 64 KiB "
                  "at a place, the device gives {:.0f} times that, and cold queries wait for it; "
                  "as root: {}",
                  device.disk, bytes >> 10, times, readahead_command(device.disk, 128))};
}

std::optional<PreflightNote> quota_note(const CgroupLimits& limits, std::size_t usable_cpus) {
  if (!limits.cpus || *limits.cpus >= static_cast<double>(usable_cpus)) return std::nullopt;
  return PreflightNote{
      "quota",
      fmt::format("a control group gives the time of {:.3g} CPUs, of {}: when that is used up, "
                  "every thread is stopped until the next period, and figures are the quota's; use "
                  "-s {} at most, or raise the quota (docker --cpus, a pod's CPU limit, cpu.max)",
                  *limits.cpus, usable_cpus, limits.threads(usable_cpus))};
}

std::optional<PreflightNote> throttled_note(const CpuThrottling& seen,
                                            const std::optional<double>& quota_cpus) {
  if (seen.throttled_periods == 0) return std::nullopt;
  return PreflightNote{
      kThrottledNote,
      fmt::format("while timed queries ran, the control group's CPU quota{} stopped the process in "
                  "{} of {} periods: these times are the quota's, not the medium's; use fewer "
                  "threads or raise the quota",
                  quota_cpus ? fmt::format(" (the time of {:.3g} CPUs)", *quota_cpus) : "",
                  seen.throttled_periods, seen.periods)};
}

std::optional<PreflightNote> threads_note(std::size_t threads, std::size_t cpus) {
  if (cpus == 0 || threads <= cpus) return std::nullopt;
  return PreflightNote{
      "threads",
      fmt::format("-s {} is above the {} CPU{} that may be used: threads wait for one another's "
                  "CPUs, and figures of them say nothing of a machine with that many CPUs; use "
                  "-s {} at most",
                  threads, cpus, cpus == 1 ? "" : "s", cpus)};
}

std::optional<PreflightNote> uneven_note(std::size_t threads, double slowest_share,
                                         const Host& host) {
  // Threads that share a CPU have a note of their own.
  if (slowest_share <= 0 || slowest_share >= kUnevenShare || threads > host.cpus)
    return std::nullopt;
  std::string why = "a hypervisor, other work or cores of two kinds may be why";
  if (host.cores != 0 && threads > host.cores) {
    why = fmt::format("there are {} cores, so some threads share one", host.cores);
  } else if (host.quota_cpus) {
    why = fmt::format("a control group gives the time of {:.3g} CPUs", *host.quota_cpus);
  }
  return PreflightNote{"uneven",
                       fmt::format("the slowest of {} threads read {:.2f} times an even share: the "
                                   "CPUs are uneven, and work moves to the others ({})",
                                   threads, slowest_share, why)};
}

std::optional<PreflightNote> cached_note(std::uint64_t table_bytes, std::uint64_t cache_bytes) {
  if (table_bytes == 0 || table_bytes > cache_bytes) return std::nullopt;
  return PreflightNote{
      "cached",
      fmt::format("the queried tables ({:.3g} MiB) fit in the last-level cache ({:.3g} MiB): warm "
                  "queries read the cache, whichever medium holds the tables; use a larger "
                  "database (gen --scale)",
                  mib_of(table_bytes), mib_of(cache_bytes))};
}

}  // namespace hdbench::bench
