#include "bench/model/recommendation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/base/number_text.h"

namespace hdbench::bench {

std::string price_text(double price) {
  constexpr double kWhole = 1000;
  constexpr double kMost = 1e15;
  if (price < kWhole || price > kMost) return fmt::format("{:.4g}", price);
  return with_commas(static_cast<std::uint64_t>(std::llround(price)));
}

std::string recommendation_text(const Recommendation& recommendation) {
  std::uint64_t all = 0;
  for (const auto& [name, bytes] : recommendation.bytes_by_tier) all += bytes;
  std::string parts;
  for (const auto& [name, bytes] : recommendation.bytes_by_tier) {
    if (bytes == 0) continue;
    parts += fmt::format(
        "{}{:.0f} % of the bytes in {}", parts.empty() ? "" : ", ",
        100.0 * static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(all, 1)),
        name);
  }
  const double dram = recommendation.dram_price;
  return fmt::format(
      "{}: the queries take {:.1f} % longer than with all in DRAM, and the memory costs {} "
      "instead of {}{}.",
      parts, recommendation.slowdown * 100, price_text(recommendation.price), price_text(dram),
      dram > 0 ? fmt::format(" ({:+.0f} %)", (recommendation.price / dram - 1) * 100) : "");
}

}  // namespace hdbench::bench
