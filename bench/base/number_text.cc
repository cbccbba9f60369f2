#include "bench/base/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace hdbench {

std::string format_ms(double ms) {
  if (ms < 0.9995) return fmt::format("{:.3f}", ms);
  if (ms < 99.995) return fmt::format("{:.2f}", ms);
  if (ms < 9999.95) return fmt::format("{:.1f}", ms);
  return with_commas(static_cast<std::uint64_t>(std::llround(ms)));
}

std::string format_ratio(double ratio) {
  if (ratio < 9.995) return fmt::format("{:.2f}x", ratio);
  if (ratio < 99.95) return fmt::format("{:.1f}x", ratio);
  return fmt::format("{:.0f}x", ratio);
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = 3; place < digits.size(); place += 4) {
    digits.insert(digits.size() - place, 1, ',');
  }
  return digits;
}

}  // namespace hdbench
