// A rank of an MPI job that ran cells: its machine, and the network to it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/machine/host.h"
#include "bench/machine/memory_ceilings.h"
#include "bench/machine/setting_notes.h"
#include "bench/ranks/network_probe.h"

namespace hdbench::bench {

struct RankContext {
  Host host;
  std::size_t partitions = 0;  // that it owns
  std::vector<PreflightNote> preflight;
  std::vector<std::string> media;  // labels, as cells have rank 0's
  MemoryCeilings memory;           // its own, of all rounds, while the others measured too
  LinkFigures link;
};

// Where its time went in timed runs of a cell, one figure a repetition, in ms.
struct RankCellTimes {
  std::vector<double> begin;     // when it began, after rank 0 did; as well as clocks are known
  std::vector<double> map;       // reading its partitions and making its part
  std::vector<double> wait;      // rank 0: for others' parts; another: for rank 0
  std::vector<double> transfer;  // sending or receiving parts
};

void add_times(RankCellTimes& times, const RankCellTimes& more);
void keep_times(RankCellTimes& times, std::size_t repetitions);

// All ranks' figures of rounds in which they measured at once: rates added up, latencies in the
// mean. Of thread counts that each has measured, and rounds that all have.
MemoryCeilings sum_of_ranks(const std::vector<MemoryCeilings>& by_rank);

// Bytes of the last-level caches of all hosts, each once.
std::uint64_t last_level_bytes_of(const std::vector<RankContext>& ranks);

}  // namespace hdbench::bench
