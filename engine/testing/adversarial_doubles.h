// For tests: doubles whose sums expose rounding errors, at random among ordinary ones.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace hdbench {

// Of one kind a call: prices; integers; values that cancel; magnitudes all over; with nulls; with
// infinities; denormals.
inline std::vector<double> adversarial_doubles(std::mt19937_64& random, std::size_t count) {
  const std::uint64_t kind = random() % 8;
  const double null = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double price = static_cast<double>(random() % 100000) / 100;
    const double sign = random() % 2 == 0 ? 1 : -1;
    switch (kind) {
      case 0: values[i] = price; break;
      case 1: values[i] = static_cast<double>(random() % 1000000) * sign; break;
      case 2: values[i] = i % 2 == 0 ? 1e100 + price : -1e100; break;
      case 3: values[i] = sign * std::ldexp(price, static_cast<int>(random() % 2000) - 1000); break;
      case 4: values[i] = random() % 5 == 0 ? null : price; break;
      case 5: values[i] = random() % 200 == 0 ? sign * infinity : price; break;
      case 6: values[i] = sign * std::ldexp(price, -1070); break;
      default: values[i] = random() % 100 == 0 ? 1e12 * price : price * 1e-5; break;
    }
  }
  return values;
}

}  // namespace hdbench
