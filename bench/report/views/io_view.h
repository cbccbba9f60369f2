// The report's figures of storage primitives: throughput by block size, and latencies of single
// operations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/storage/io_run.h"

namespace hdbench {

// Results of one test and cache state whose blocks differ: a line for each way and process count.
struct BlockLine {
  std::string label;                            // "mmap, 4 processes"
  std::vector<std::optional<double>> mb_per_s;  // a block each
  std::vector<std::optional<Interval>> intervals;
};

struct BlockChart {
  std::string title;  // "random-read, cold"
  std::vector<std::uint64_t> blocks;
  std::vector<BlockLine> lines;
};

// Charts with two blocks or more, in the order of the results. Figures that are no result are left
// out.
std::vector<BlockChart> block_charts(const std::vector<IoResult>& results);

struct LatencyLine {
  std::string label;  // "hcount, calls, 1 process"
  std::string what;
  IoLatency latency;  // ns
  std::uint64_t operations = 0;
};

// Latencies of tests counted by the operation (ms) and of random reads; those with a cold page
// cache or none.
std::vector<LatencyLine> latency_lines(const std::vector<IoResult>& results);

// "4 KiB", "1 MiB", "100 B".
std::string block_text(std::uint64_t bytes);

}  // namespace hdbench
