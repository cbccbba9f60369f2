// Counter-based random numbers: each is a function of its stream and its index.
//
// A stream is named by the database's seed, a column and a date; its numbers are indexed by row. So
// any thread can compute any row alone and in any order. Only integers are used, so that every
// machine gets the same numbers. The mixing function is that of SplitMix64 (Steele, Lea, Flood
// 2014), with the index as its counter.
#pragma once

#include <cstdint>
#include <string_view>

namespace hdbench::datagen {

constexpr std::uint64_t kGoldenGamma = 0x9E3779B97F4A7C15;

constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

// FNV-1a: turns a stream's name into a number.
constexpr std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3;
  }
  return hash;
}

class Stream {
 public:
  constexpr Stream(std::uint64_t seed, std::string_view name, std::int32_t date = 0)
      : key_(mix64(mix64(seed + kGoldenGamma) ^
                   mix64(hash_name(name) + static_cast<std::uint64_t>(date) * kGoldenGamma))) {}

  constexpr std::uint64_t at(std::uint64_t index) const {
    return mix64(key_ + index * kGoldenGamma);
  }

 private:
  std::uint64_t key_;
};

// Maps the upper half of a random number evenly to [0, limit).
constexpr std::uint64_t bounded(std::uint64_t random, std::uint32_t limit) {
  return ((random >> 32) * limit) >> 32;
}

}  // namespace hdbench::datagen
