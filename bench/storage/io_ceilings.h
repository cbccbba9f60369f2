// The best that device and memory can do, measured between the tests that are compared with it,
// with as many processes.
//
// Memory is measured over as many bytes as a test touches, so that a vector that fits into a cache
// is compared with the cache. The device is read past the page cache (device_ceilings.h) and
// written by eight processes in blocks of 1 MiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "bench/machine/device_ceilings.h"
#include "bench/storage/io_ranks.h"
#include "bench/storage/io_tests.h"

namespace hdbench::bench {

struct CeilingNeed {
  IoCeilingKind kind = IoCeilingKind::kNone;
  std::size_t processes = 0;  // of memory only
  std::uint64_t bytes = 0;    // a process, of memory only

  auto operator<=>(const CeilingNeed&) const = default;
};

// Of several ranks: what all do at the same time, together.
class IoCeilingRounds {
 public:
  // Requires: they outlive this.
  explicit IoCeilingRounds(IoRanks& ranks) : ranks_(ranks) {}

  // Once more. Errors: kUsage "interrupted", kData where a process was killed.
  Status measure_memory(const CeilingNeed& need);
  // The files are read; their pages are dropped.
  void measure_device_read(const std::vector<std::filesystem::path>& files);
  // A rate that was measured elsewhere.
  void add(const CeilingNeed& need, double mb_s) { rounds_[need].push_back(mb_s); }

  // 0: none.
  double best_mb_s(const CeilingNeed& need) const;
  std::vector<IoCeiling> all() const;

  static std::string name_of(const CeilingNeed& need);

 private:
  IoRanks& ranks_;
  std::map<CeilingNeed, std::vector<double>> rounds_;
  DeviceCeilings device_;
};

}  // namespace hdbench::bench
