// Formats figures for the report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/base/bootstrap.h"
#include "bench/model/axes.h"

namespace hdbench::bench {

// "1.60 to 1.71".
std::string interval_text(const Interval& interval);

// "13.4x (12.9 to 14.0)"; without an interval "13.4x (no interval: one repetition)".
std::string ratio_with_interval(const Ratio& ratio);

// "13.4": of a ratio.
std::string factor_text(double ratio);
// "12.9 to 14.0": of a ratio.
std::string factors_text(const Interval& interval);

// Half an interval's width as a share of its median: "+-12 %"; "more than +-1000 %".
std::string plus_minus_text(double share);

// The least -w, in MiB, that holds so many bytes.
std::uint64_t whole_mib(std::uint64_t bytes);

// "8.2 ms", "1.51 s", "2.5 min".
std::string time_text(double ms);

// "a, b and c".
std::string listed(const std::vector<std::string>& words);

// Where, and what is not at its usual value, without threads and ranks: "dram partitioned, no p,
// warm".
std::string setting_text(const Setting& setting, bool emulated);

// "2 threads".
std::string threads_text(std::size_t threads);
// "8 threads on 2 CPUs"; where the CPUs suffice or are not known (0), as threads_text().
std::string threads_on_cpus(std::size_t threads, std::size_t cpus);

// "1 query", "3 queries".
std::string queries_text(std::size_t count);

}  // namespace hdbench::bench
