#include "bench/io/io_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace hdbench {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kMiB = 1 << 20;

struct Wanted {
  std::string test;
  std::string engine;
  std::uint64_t block_bytes;
};

std::vector<const IoResult*> find(const IoRun& run, const Wanted& wanted) {
  std::vector<const IoResult*> found;
  for (const IoResult& result : run.results) {
    if (result.test != wanted.test || result.engine != wanted.engine) continue;
    if (result.block_bytes != wanted.block_bytes || !result.is_result()) continue;
    if (result.cache == "cold" || !result.sync.empty()) found.push_back(&result);
  }
  std::sort(found.begin(), found.end(),
            [](const IoResult* a, const IoResult* b) { return a->processes < b->processes; });
  return found;
}

// The emulator's curves have each count once, rising.
Result<std::vector<ProbedPoint>> curve(const IoRun& run, const Wanted& wanted) {
  std::vector<ProbedPoint> points;
  for (const IoResult* result : find(run, wanted)) {
    if (!points.empty() && points.back().threads == result->processes) continue;
    points.push_back({result->processes, result->median / 1e3});
  }
  if (!points.empty()) return points;
  return data_error(fmt::format(
      "--write-profile: no result of {} by {} in blocks of {} bytes, which a profile needs",
      wanted.test, wanted.engine, wanted.block_bytes));
}

}  // namespace

Result<ProbedDevice> profile_of(const IoRun& run) {
  for (const IoTarget& target : run.targets) {
    if (!target.memory && !target.dax) continue;
    return data_error(
        fmt::format("--write-profile: {}: {} is no block device's: use hdbench "
                    "profile dram, numa:N or cxl",
                    target.path.string(), target.place));
  }
  ProbedDevice device;
  device.is_block = true;
  device.place = run.targets.front().place;
  for (std::size_t k = 1; k < run.targets.size(); ++k) device.place += ", " + run.targets[k].place;
  device.granularity_bytes = kPageBytes;
  device.read_around_bytes = run.targets.front().readahead_bytes.value_or(0);
  HDB_ASSIGN(device.sequential_read, curve(run, {"sequential-read", "mmap", kMiB}));
  HDB_ASSIGN(device.random_read, curve(run, {"random-read", "mmap-random", kPageBytes}));
  HDB_ASSIGN(device.sequential_write, curve(run, {"sequential-write", "direct", kMiB}));
  const auto pages = find(run, {"random-read", "direct", kPageBytes});
  if (pages.empty() || !pages.front()->latency.p50) {
    return data_error(
        "--write-profile: no latency of random-read by direct in blocks of 4096 "
        "bytes, which a profile needs");
  }
  device.read_ns = *pages.front()->latency.p50;
  return device;
}

}  // namespace hdbench
