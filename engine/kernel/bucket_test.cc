#include "engine/kernel/bucket.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/testing/targets.h"

using namespace hdbench;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::uint32_t bucket_of(double value, const Buckets& buckets) {
  std::uint32_t number = 0;
  to_buckets(&value, 1, buckets, &number);
  return number;
}

}  // namespace

TEST_CASE("buckets part a range, and take in what is beyond it") {
  on_every_target([] {
    const Buckets buckets = make_buckets(0, kBuckets);
    const std::vector<double> values{-kInfinity, -1,  0,         0.5,          1,
                                     1023.5,     1e9, kInfinity, std::nan(""), 17.25};
    std::vector<std::uint32_t> numbers(values.size());
    to_buckets(values.data(), values.size(), buckets, numbers.data());
    REQUIRE(numbers == std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1023, 1023, 1023, kBuckets, 17});
  });
}

TEST_CASE("a bucket's least and greatest are its own, and the ones beyond are not") {
  on_every_target([] {
    std::mt19937_64 random(4);
    for (const Buckets& buckets : {make_buckets(-3.7, 91.3), make_buckets(1e300, 1.1e300)}) {
      for (int i = 0; i < 20; ++i) {
        const std::size_t bucket = 1 + random() % (kBuckets - 2);
        const double least = least_in_bucket(bucket, buckets);
        const double greatest = greatest_in_bucket(bucket, buckets);
        REQUIRE(bucket_of(least, buckets) == bucket);
        REQUIRE(bucket_of(greatest, buckets) == bucket);
        REQUIRE(bucket_of(std::nextafter(least, -kInfinity), buckets) == bucket - 1);
        REQUIRE(bucket_of(std::nextafter(greatest, kInfinity), buckets) == bucket + 1);
      }
      REQUIRE(least_in_bucket(0, buckets) == -kInfinity);
      REQUIRE(greatest_in_bucket(kBuckets - 1, buckets) == kInfinity);
    }
  });
}

TEST_CASE("ranges that are none have buckets all the same") {
  for (const Buckets& buckets :
       {make_buckets(1, 1), make_buckets(-kInfinity, kInfinity), make_buckets(0, 5e-324),
        make_buckets(-1.7e308, 1.7e308), make_buckets(std::nan(""), 1)}) {
    REQUIRE(bucket_of(-kInfinity, buckets) == 0);
    REQUIRE(bucket_of(kInfinity, buckets) == kBuckets - 1);
  }
}
