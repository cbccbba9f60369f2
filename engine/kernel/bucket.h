// Buckets: maps doubles to the numbers of equal parts of a range, for counting.
//
// Monotonic: a greater value never has a lower bucket. Compiled for each vector instruction set
// (Highway); all give the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

constexpr std::uint32_t kBuckets = 1024;

// The first bucket has all that is below the range, too, the last all that is above.
struct Buckets {
  double low = 0;
  double a_unit = 1;  // buckets
};

// Any range, empty or not finite ones as well.
Buckets make_buckets(double low, double high);

// The bucket of each of `count` values; kBuckets for NaN.
void to_buckets(const double* values, std::size_t count, const Buckets& buckets,
                std::uint32_t* numbers);

// The least and the greatest double that lie in a bucket, or between those that do: infinities
// where there is no such one. Requires: some double lies in it.
double least_in_bucket(std::size_t bucket, const Buckets& buckets);
double greatest_in_bucket(std::size_t bucket, const Buckets& buckets);

}  // namespace hdbench
