// Storage primitives: measures what a directory's filesystem and device give a kdb+ database, test
// by test (io_tests.h), by processes that start together.
//
// All files are in one directory below each target, created with mkdtemp and removed in any case.
// MB is 10^6 bytes, MiB 2^20.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/bootstrap.h"
#include "bench/base/statistics.h"
#include "bench/machine/host.h"
#include "engine/base/result.h"

namespace hdbench {
class Ranks;
}

namespace hdbench::bench {

class JsonFields;

constexpr std::size_t kIoProcessesMax = 64;
// How many times the largest vectors are on disk at a time: columns to be read, once more in
// several files, one that is written, the ceilings' file.
constexpr std::uint64_t kIoDiskTimes = 6;

struct IoOptions {
  std::vector<std::filesystem::path> targets;      // processes are spread over them in turn
  std::vector<std::size_t> processes{1};           // 1 to kIoProcessesMax
  std::uint64_t bytes = std::uint64_t{512} << 20;  // of the huge vectors of a rank's processes
  bool quick = false;                              // every test small and short
  std::string tests;                               // a regular expression over names; empty: all
  std::size_t reps = 5;
  std::uint64_t seed = 1;
  std::optional<double> budget_s;  // leaves out repetitions, never tests
  double pass_seconds = 1;         // a test of many operations ends after so long
};

// A directory that was measured, as the kernel shows it.
struct IoTarget {
  std::filesystem::path path;
  std::string place;  // "ext4 on /dev/vda"
  std::string filesystem;
  std::string mount_options;
  std::string device;  // the kernel's name; empty: none is known
  std::optional<std::uint64_t> readahead_bytes;
  bool memory = false;     // tmpfs and its like: never cold
  bool dax = false;        // MAP_SYNC was granted: mappings are the device itself
  bool direct_io = false;  // O_DIRECT was granted
};

// One of several ranks of an MPI job.
struct IoRank {
  std::string name;  // "rank 2 on host-b"
  Host host;
  std::vector<IoTarget> targets;
};
void fields(JsonFields& a, IoRank& rank);

// Elements of the vectors; `scale` is that of huge relative to KX nano's.
struct IoVectors {
  std::uint64_t tiny = 2047;
  std::uint64_t small = 63 << 10;
  std::uint64_t medium = 508 << 10;
  std::uint64_t large = 0;
  std::uint64_t huge = 0;
  double scale = 0;
};

// Medians and best of the rounds, MB/s; 0: not measured, and why.
struct IoCeiling {
  std::string name;  // "device read", "device write", "memory read", ...
  double median_mb_s = 0;
  double best_mb_s = 0;
  std::string reason;
};

// Nanoseconds; nothing where too few operations tell (p99 needs 100 of them, p99.9 1000).
struct IoLatency {
  std::optional<double> p50, p90, p99, p99_9;
  std::uint64_t max = 0;
  std::optional<double> mean;
};

// What a test does, in the words of its name and of its results.
struct IoKind {
  std::string test;           // the name's first word: "random-read"
  std::string group;          // "write", "read", "metadata", "append", "replace", "table", "cpu"
  std::string unit = "MB/s";  // or "ms" (an operation)
  std::string what;           // what one operation is
  std::uint64_t block_bytes = 0;  // of one operation; 0: none
  std::string engine;             // "mmap", "pread", "direct", "write", "memory", ...
  std::string cache = "none";     // "cold", "warm", "dax"; "none" where it means nothing
  std::string sync;               // "fsync", "fdatasync", "msync", "none"; empty: does not write
};

// One test with so many processes.
struct IoResult : IoKind {
  std::string name;  // "io/random-read/block:64KiB/engine:mmap/cache:cold/processes:4"
  std::size_t processes = 1;
  std::string vector;  // "tiny" .. "huge"; empty: none
  std::string type;    // "long", "int", "float", "sym"; empty: none

  // In the result's unit, a repetition each: MB/s of all processes together (their bytes over the
  // time from the first one's start to the last one's end), or the mean ms of an operation.
  std::vector<double> samples;
  double median = 0;
  std::optional<Interval> interval;
  // Spread of the processes' own rates: (fastest - slowest) / median, the median of the
  // repetitions.
  double process_spread = 0;
  // Of several ranks: the medians of each one's own figures, in the result's unit.
  std::vector<double> rank_medians;

  // Totals over all repetitions and processes.
  std::uint64_t bytes = 0;
  std::uint64_t operations = 0;
  double seconds = 0;  // the repetitions' wall times
  double iops = 0;     // operations / seconds
  IoLatency latency;

  // Proof, of the repetitions together. Residency is what mincore said before the start: the most
  // of a cold test, the least of a warm one.
  std::uint64_t resident_before = 0;
  std::uint64_t resident_of = 0;
  std::uint64_t major_faults = 0;
  std::optional<std::uint64_t> device_bytes_read;     // that these processes caused
  std::optional<std::uint64_t> device_bytes_written;  // of the whole device, others' too
  std::uint64_t checksum = 0;                         // the sum of what was read or written
  bool checked = false;                               // against what it must be

  std::string ceiling;  // the name of the one it is held against; empty: none
  double ceiling_mb_s = 0;
  bool above_ceiling = false;  // then the figure is no result
  std::string published;       // figures of others, with their units; empty: none
  std::optional<std::string> error;

  // Whether `median` may be shown as what the storage did.
  bool is_result() const { return !error && !samples.empty() && !above_ceiling; }
};

struct IoRun {
  Host host;
  IoOptions options;
  std::vector<IoTarget> targets;  // of rank 0, where there are several
  std::vector<IoRank> ranks;      // empty: this process was alone
  IoVectors vectors;
  std::vector<IoCeiling> ceilings;
  std::vector<IoResult> results;
  std::vector<std::string> left_out;   // what could not be done here and why, a line each
  std::vector<std::string> preflight;  // what could make its figures another machine's
  double elapsed_s = 0;
  bool complete = true;  // false: the budget left out repetitions
};

// The names of the tests that the options choose, for one process count after the other; nothing is
// run or written.
Result<std::vector<std::string>> list_io(const IoOptions& options);

// on_step(done, total, what) is called before each step; false ends the run with kUsage
// "interrupted". Errors: kUsage: a bad option; kData: a target that is missing, not writable, too
// small or that vanished, EIO, wrong bytes, a cold test that was not cold.
//
// ranks: all of them run this with the same options but for the targets, and each test at the same
// time (null: this process alone). Rank 0 then has the figures of all, by name "/ranks:N"; what
// others get is not to be shown. An error is the same on all, and names the rank.
Result<IoRun> run_io(
    const IoOptions& options,
    const std::function<bool(std::size_t done, std::size_t total, std::string_view what)>& on_step,
    Ranks* ranks = nullptr);

}  // namespace hdbench::bench
