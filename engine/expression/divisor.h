// Division by a constant without a division.
#pragma once

#include <bit>
#include <cstdint>

namespace hdbench {

// Floor division of longs by a constant of 2 at least, as a product with its reciprocal: quotients
// of 63 bits are exact (Granlund and Montgomery). Those of x < 0 are ~(~x / divisor).
struct Divisor {
  __extension__ typedef unsigned __int128 Uint128;

  explicit Divisor(std::int64_t of) : divisor(of) {
    const auto unsigned_of = static_cast<std::uint64_t>(of);
    shift = static_cast<int>(std::bit_width(unsigned_of - 1)) - 1;
    const Uint128 power = Uint128{1} << (64 + shift);
    reciprocal = static_cast<std::uint64_t>((power + (unsigned_of - 1)) / unsigned_of);
  }
  std::int64_t quotient(std::int64_t x) const {
    const std::int64_t sign = x >> 63;
    const auto magnitude = static_cast<std::uint64_t>(x ^ sign);
    const auto high = static_cast<std::uint64_t>(Uint128{magnitude} * reciprocal >> 64);
    return static_cast<std::int64_t>(high >> shift) ^ sign;
  }

  std::int64_t divisor;
  std::uint64_t reciprocal = 0;
  int shift = 0;
};

}  // namespace hdbench
