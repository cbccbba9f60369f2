#include "bench/base/number_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace hdbench::bench {

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

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_commas(count), noun, count == 1 ? "" : "s");
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  auto figure = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (figure >= 999.5 && unit + 1 < kUnits.size()) {
    figure /= 1000;
    ++unit;
  }
  if (figure < 9.95) return fmt::format("{:.1f} {}", figure, kUnits[unit]);
  return fmt::format("{:.0f} {}", figure, kUnits[unit]);
}

}  // namespace hdbench::bench
