// Checks that a query's result is the same in every cell.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "engine/base/result.h"

namespace hdbench::bench {

class ChecksumLedger {
 public:
  // The first cell of a query says what its checksum is. Errors: kMismatch, naming both cells and
  // both checksums.
  Status add(int query, const std::string& cell, std::uint64_t checksum);

 private:
  struct First {
    std::string cell;
    std::uint64_t checksum = 0;
  };
  std::map<int, First> first_;
};

}  // namespace hdbench::bench
