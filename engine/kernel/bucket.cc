#include "engine/kernel/bucket.h"

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/column/order_key.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

}  // namespace

// A difference and a product, each rounded once: the same on every target, and monotonic.
void ToBuckets(const double* values, std::size_t count, const Buckets& buckets,
               std::uint32_t* numbers) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<std::int32_t, decltype(d)> half;
  const auto low = hn::Set(d, buckets.low);
  const auto a_unit = hn::Set(d, buckets.a_unit);
  const auto last = hn::Set(d, static_cast<double>(kBuckets - 1));
  const auto none = hn::Set(d, static_cast<double>(kBuckets));
  const auto bucket_of = [&](auto v) HWY_ATTR {
    const auto place = hn::Mul(hn::Sub(v, low), a_unit);
    const auto within = hn::Min(hn::Max(place, hn::Zero(d)), last);
    return hn::DemoteTo(half, hn::IfThenElse(hn::Eq(v, v), within, none));
  };
  const std::size_t lanes = hn::Lanes(d);
  auto* const out = reinterpret_cast<std::int32_t*>(numbers);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(bucket_of(hn::LoadU(d, values + i)), half, out + i);
  if (i == count) return;
  HWY_ALIGN double padded[8] = {};
  HWY_ALIGN std::int32_t some[8];
  std::copy(values + i, values + count, padded);
  hn::Store(bucket_of(hn::Load(d, padded)), half, some);
  std::copy(some, some + (count - i), out + i);
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(ToBuckets);

namespace {

std::size_t bucket_of_key(std::int64_t key, const Buckets& buckets) {
  const double value = float_from_order_key(key);
  std::uint32_t number = 0;
  to_buckets(&value, 1, buckets, &number);
  return number;
}

// The first key, in order, whose bucket is not below this one; one beyond infinity's where none is.
std::int64_t first_key_from(std::size_t bucket, const Buckets& buckets) {
  std::int64_t low = float_order_key(-std::numeric_limits<double>::infinity());
  std::int64_t high = float_order_key(std::numeric_limits<double>::infinity()) + 1;
  while (low < high) {
    const auto middle = static_cast<std::int64_t>(
        low + static_cast<std::int64_t>(
                  (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) / 2));
    if (bucket_of_key(middle, buckets) < bucket) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

Buckets make_buckets(double low, double high) {
  const double width = high - low;
  if (!std::isfinite(low) || !std::isfinite(width) || width <= 0)
    return {std::isfinite(low) ? low : 0.0, 1};
  const double a_unit = kBuckets / width;
  return {low, std::isfinite(a_unit) ? a_unit : 1};
}

void to_buckets(const double* values, std::size_t count, const Buckets& buckets,
                std::uint32_t* numbers) {
  HWY_DYNAMIC_DISPATCH(ToBuckets)(values, count, buckets, numbers);
}

double least_in_bucket(std::size_t bucket, const Buckets& buckets) {
  return float_from_order_key(first_key_from(bucket, buckets));
}

double greatest_in_bucket(std::size_t bucket, const Buckets& buckets) {
  return float_from_order_key(first_key_from(bucket + 1, buckets) - 1);
}

}  // namespace hdbench
#endif  // HWY_ONCE
