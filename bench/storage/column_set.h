// The columns that processes read: one for each process, created when a test first needs them and
// brought into the cache state that the test requires.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <tuple>
#include <vector>

#include "bench/base/layers.h"
#include "bench/storage/column_data.h"
#include "bench/storage/io_test.h"
#include "pmem/media/medium.h"

namespace hdbench::bench {

class ColumnSet {
 public:
  // Process k's columns lie in directories[k].
  ColumnSet(std::vector<std::filesystem::path> directories, std::uint64_t seed)
      : directories_(std::move(directories)), seed_(seed) {}

  // One a process, in their order; with more `files`, so many for each process, one after the
  // other, of elements / files each. Errors: make_column's.
  Result<std::vector<MadeColumn>> get(IoVector vector, QType type, std::uint64_t elements,
                                      std::size_t files = 1);

 private:
  std::vector<std::filesystem::path> directories_;
  std::uint64_t seed_;
  std::map<std::tuple<IoVector, QType, std::size_t>, std::vector<MadeColumn>> made_;
};

// Written back and evicted, or brought into memory; what mincore then found. Errors: kData: it
// could not be proved, with both figures, or a file is gone.
Result<CacheProof> make_columns(Cache state, const std::vector<MadeColumn>& columns);

}  // namespace hdbench::bench
