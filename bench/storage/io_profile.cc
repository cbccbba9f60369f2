#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "bench/storage/io_results.h"
#include "bench/storage/io_tests.h"
#include "engine/base/units.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

struct Wanted {
  std::string test;
  std::string engine;
  std::uint64_t block_bytes;
};

const Wanted kSequentialRead{"sequential-read", "mmap", kMiB};
const Wanted kRandomRead{"random-read", "mmap-random", kPageBytes};
const Wanted kSequentialWrite{"sequential-write", "direct", kMiB};
const Wanted kPageLatency{"random-read", "direct", kPageBytes};

std::string described(const Wanted& wanted) {
  return fmt::format("{} by {} in blocks of {}", wanted.test, wanted.engine,
                     bytes_word(wanted.block_bytes));
}

// Cold reads, and writes that are flushed.
template <typename Test>
bool is_wanted(const Test& test, const Wanted& wanted) {
  return test.test == wanted.test && test.engine == wanted.engine &&
         test.block_bytes == wanted.block_bytes && (test.cache == "cold" || !test.sync.empty());
}

// Each process count's first, fewest processes first: the emulator's curves have each count once.
std::map<std::size_t, const IoResult*> find(const IoRun& run, const Wanted& wanted) {
  std::map<std::size_t, const IoResult*> found;
  for (const IoResult& result : run.results) {
    if (is_wanted(result, wanted) && result.is_result()) found.emplace(result.processes, &result);
  }
  return found;
}

Result<std::vector<ProbedPoint>> curve(const IoRun& run, const Wanted& wanted) {
  std::vector<ProbedPoint> points;
  for (const auto& [processes, result] : find(run, wanted)) {
    points.push_back({processes, result->median / 1e3});
  }
  if (!points.empty()) return points;
  return data_error(
      fmt::format("--write-profile: no result of {}, which a profile needs", described(wanted)));
}

}  // namespace

Status check_profile_tests(const IoOptions& options) {
  HDB_ASSIGN(const IoOptions checked, checked_options(options));
  std::vector<IoTest> chosen;
  std::vector<std::string> ignored;
  for (const std::size_t processes : checked.processes) {
    const auto tests = choose_tests(checked, {}, processes, ignored);
    chosen.insert(chosen.end(), tests.begin(), tests.end());
  }
  for (const Wanted& wanted : {kSequentialRead, kRandomRead, kSequentialWrite, kPageLatency}) {
    if (std::none_of(chosen.begin(), chosen.end(),
                     [&](const IoTest& test) { return is_wanted(test, wanted); })) {
      return usage_error(
          fmt::format("--tests: leaves out {}, which --write-profile needs", described(wanted)));
    }
  }
  return ok_status();
}

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
  HDB_ASSIGN(device.sequential_read, curve(run, kSequentialRead));
  HDB_ASSIGN(device.random_read, curve(run, kRandomRead));
  HDB_ASSIGN(device.sequential_write, curve(run, kSequentialWrite));
  const auto pages = find(run, kPageLatency);
  if (pages.empty() || !pages.begin()->second->latency.p50) {
    return data_error(fmt::format("--write-profile: no latency of {}, which a profile needs",
                                  described(kPageLatency)));
  }
  device.read_ns = *pages.begin()->second->latency.p50;
  return device;
}

}  // namespace hdbench::bench
