// The plan of a run: which tests run on which vector sizes, and which are left out and why.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/storage/io_test.h"

namespace hdbench::bench {

// Options as they are run: --quick makes everything small. Errors: kUsage, naming the flag.
Result<IoOptions> checked_options(IoOptions options);

// The vectors of all processes together.
IoVectors vectors_of(std::uint64_t bytes);
// The vectors of one process: large and huge are divided.
IoVectors vectors_a_process(const IoVectors& all, std::size_t processes);

// Bytes that a test's vector has in a process's memory or file, for its ceiling.
std::uint64_t touched_bytes(const IoTest& test, const IoVectors& process);

// The tests whose names match and that can run on these targets. Adds a line for each kind that
// cannot.
std::vector<IoTest> choose_tests(const IoOptions& options, const std::vector<IoTarget>& targets,
                                 std::size_t processes, std::vector<std::string>& left_out);

// The bytes that the chosen tests of one process count have on disk at a time, by the vectors of
// all processes: the columns that they read and the ceilings' file; if one writes, kIoDiskTimes
// huge vectors.
std::uint64_t disk_bytes(const std::vector<IoTest>& tests, const IoVectors& vectors,
                         std::size_t processes);

// Published figures for the same test (articles on nano v1), shown beside the measured ones:
// "NVMe x24 2139, PMem 3557 MiB/s"; empty: none is published. With one process the figures of one
// thread, with more those of 36.
std::string published_of(const IoTest& test, std::size_t processes);

// A result without figures yet.
IoResult blank_result(const IoTest& test, std::size_t processes);

}  // namespace hdbench::bench
