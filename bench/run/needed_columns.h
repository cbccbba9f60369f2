// Maps the columns that a set of queries needs before anything is timed.
//
// A copying medium reads a column when it is mapped, which must not happen within a measured query.
// Eviction and residency proofs also require the columns to be mapped.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <set>
#include <vector>

#include "bench/model/run_context.h"
#include "engine/base/result.h"
#include "engine/base/thread_pool.h"
#include "engine/column/table.h"
#include "engine/exec/ranks.h"
#include "engine/operator/plan.h"
#include "engine/storage/narrow_codes.h"

namespace hdbench::bench {

class NeededColumns {
 public:
  // ranks: null, or those of which each maps its own partitions.
  explicit NeededColumns(const Table& table, const Ranks* ranks = nullptr);

  // Adds what the plan reads: the real fields it names, in the parts that its first condition
  // leaves.
  void add(const Table& table, const Plan& plan);

  struct Place {
    std::size_t part = 0;
    std::size_t field = 0;
  };
  std::vector<Place> places() const;

  // What they take in a medium that copies them, by the rows that headers tell: codes as stored
  // count 8 bytes, narrow ones one.
  Result<std::uint64_t> bytes(Codes codes) const;

  // Maps them all, on all threads of the pool. Ends early, with kUsage "interrupted", when stop is
  // set.
  using OnProgress = std::function<void(std::size_t done, std::size_t total)>;
  Status map_all(ThreadPool& pool, const std::atomic<bool>& stop, const OnProgress& progress) const;

 private:
  const Table& table_;
  const Ranks* ranks_;
  std::vector<std::set<std::size_t>> fields_by_part_;
};

// How much memory the columns that queries read take.
// Every column of the table that lies somewhere, in their order, and those of linked tables that
// are read. Requires: what is needed was
// mapped.
std::vector<ColumnNeed> column_needs(const Table& table, const NeededColumns& needed);

// What is compressed of what is needed: the dataset's compression, of several the first with "and
// others", and its share of the plain bytes. Nothing where none is. Requires: as column_needs().
void note_compression(const Table& table, const NeededColumns& needed, DatasetContext& dataset);

// Of two sets of queries over one database: each column's greater need.
void merge_needs(std::vector<ColumnNeed>& all, const std::vector<ColumnNeed>& part);

}  // namespace hdbench::bench
