// Observations, before the first cell or while cells ran, that may make figures incomparable; and
// those on how the machine and the run are set: the readahead of a disk, CPU quotas, more threads
// than CPUs, uneven CPUs, a database that a cache holds. Nothing where there is nothing to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bench/base/layers.h"
#include "bench/machine/host.h"
#include "pmem/base/cgroup_limits.h"
#include "pmem/machine/block_device.h"

namespace hdbench::bench {

struct PreflightNote {
  std::string name;  // "load", "huge-pages", "frequency", ... stable, for programs
  std::string text;  // one line: what was seen, a colon, what it means and what to do
  // Of notes about load: the share of the CPUs that others took, in per cent.
  std::optional<double> percent = {};

  // What was seen, for a line of a terminal.
  std::string seen() const { return text.substr(0, text.find(": ")); }
};

// From this many times on a device that gives more than a query reads is reported.
inline constexpr double kReadaheadTold = 3;

// Of a disk whose readahead is this many times what a query needs that reads 64 KiB at a place: a
// page that is touched makes the kernel read that much around it (Linux, mm/filemap.c).
std::optional<PreflightNote> readahead_note(const BlockDevice& device);

// The command that sets the readahead of a disk, as root.
std::string readahead_command(const std::string& disk, std::uint64_t kib);

// Of a control group's quota that is less than the usable CPUs.
std::optional<PreflightNote> quota_note(const CgroupLimits& limits, std::size_t usable_cpus);

// Of what a quota did while timed queries ran.
inline constexpr const char* kThrottledNote = "throttled";
std::optional<PreflightNote> throttled_note(const CpuThrottling& seen,
                                            const std::optional<double>& quota_cpus);

// Of more threads than CPUs that may be used all the time; "-s 8" is named as it was given.
std::optional<PreflightNote> threads_note(std::size_t threads, std::size_t cpus);

// Of threads of which the slowest read less than this share of an even one when ceilings were
// measured (MemoryRound::slowest_share), with what the host tells of why.
inline constexpr double kUnevenShare = 0.75;
std::optional<PreflightNote> uneven_note(std::size_t threads, double slowest_share,
                                         const Host& host);

// Of queried tables that the last-level caches hold.
std::optional<PreflightNote> cached_note(std::uint64_t table_bytes, std::uint64_t cache_bytes);

}  // namespace hdbench::bench
