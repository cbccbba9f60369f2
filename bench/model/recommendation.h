// What an advice recommends, in one sentence: the same on the command line and in the report.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hdbench::bench {

struct Recommendation {
  std::vector<std::pair<std::string, std::uint64_t>> bytes_by_tier;  // by the tier's name
  double slowdown = 0;                                               // 0.15: that share longer
  double price = 0;
  double dram_price = 0;  // of everything in DRAM
};

// "0.6643", "15.61", "12,346": money in a currency of the reader's.
std::string price_text(double price);

// Ends with a full stop. Tiers without bytes are left out.
std::string recommendation_text(const Recommendation& recommendation);

}  // namespace hdbench::bench
