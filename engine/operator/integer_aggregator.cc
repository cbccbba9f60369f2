// sum and avg of integers and temporals.
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/column/column.h"
#include "engine/kernel/reduce.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/group_copies.h"

namespace hdbench {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef __float128 Quad;

template <typename T>
constexpr bool kHasNull = std::is_signed_v<T>;

template <typename T>
bool is_null(T value) {
  return kHasNull<T> && value == std::numeric_limits<T>::min();
}

template <typename T>
bool any_null(const std::byte* values, std::size_t count) {
  if constexpr (!kHasNull<T>) return false;
  unsigned found = 0;
  for (std::size_t i = 0; i < count; ++i)
    found |= is_null(load_element<T>(values + i * sizeof(T))) ? 1u : 0u;
  return found != 0;
}

// Sum: std::uint64_t, which wraps, or Int128, which does not (for averages).
template <typename T, typename Sum>
class IntegerAggregator final : public Aggregator {
 public:
  IntegerAggregator(QType type, std::pmr::memory_resource& resource)
      : type_(type), sums_(0, resource), nulls_(&resource) {}

  void resize(std::size_t groups) override {
    sums_.resize(groups, join);
    if (kAverage) nulls_.resize(groups, 0);
  }

  void update(const AggregateBatch& batch) override {
    const auto value = [&](std::size_t i) { return load_element<T>(batch.values + i * sizeof(T)); };
    if (!any_null<T>(batch.values, batch.count)) {
      sums_.each(batch.groups, batch.count,
                 [value](Sum& sum, std::size_t i) { sum += static_cast<Sum>(value(i)); });
      return;
    }
    sums_.each(batch.groups, batch.count, [value](Sum& sum, std::size_t i) {
      sum += is_null(value(i)) ? Sum{0} : static_cast<Sum>(value(i));
    });
    if (!kAverage) return;
    for (std::size_t i = 0; i < batch.count; ++i)
      nulls_[batch.groups[i]] += is_null(value(i)) ? 1 : 0;
  }

  void update_run(const AggregateRun& run) override {
    const IntegerTotal total = integer_total(type_, {run.values, run.rows, run.bits, run.ahead});
    sums_.first(run.group) += static_cast<Sum>(Int128{total.high} * (Int128{1} << 32) + total.low);
    if (kAverage) nulls_[run.group] += total.nulls;
  }

  void merge(Aggregator& other, std::span<const std::uint32_t> mapping) override {
    auto& theirs = static_cast<IntegerAggregator&>(other);
    for (std::size_t g = 0; g < mapping.size(); ++g) {
      sums_.first(mapping[g]) += theirs.sums_.joined(g, join);
      if (kAverage) nulls_[mapping[g]] += theirs.nulls_[g];
    }
  }

  void save(std::span<const std::uint32_t> order, ByteSink& out) override {
    for (const std::uint32_t g : order) {
      out.put(sums_.joined(g, join));
      if (kAverage) out.put(nulls_[g]);
    }
  }

  void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) override {
    for (const std::uint32_t g : mapping) {
      sums_.first(g) += in.take<Sum>();
      if (kAverage) nulls_[g] += in.take<std::uint64_t>();
    }
  }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t> row_counts,
              std::byte* results) override {
    const std::size_t width =
        kAverage ? sizeof(double) : type_width(aggregate_type(Aggregate::kSum, type_));
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Sum sum = sums_.joined(order[i], join);
      if constexpr (kAverage) {
        const double average = average_of(sum, row_counts[order[i]] - nulls_[order[i]]);
        std::memcpy(results + i * width, &average, width);
      } else {
        std::memcpy(results + i * width, &sum, width);  // little-endian: the low bytes
        const auto exact = static_cast<std::int64_t>(sum);
        if (width == 4 && exact != static_cast<std::int32_t>(exact)) ++wrapped_;
      }
    }
  }

  std::uint64_t wrapped() const override { return wrapped_; }

 private:
  static constexpr bool kAverage = sizeof(Sum) > sizeof(std::uint64_t);

  static void join(Sum& sum, const Sum& other) { sum += other; }
  static double average_of(Sum sum, std::uint64_t count) {
    if (count == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(static_cast<Quad>(sum) / static_cast<Quad>(count));
  }

  QType type_;
  std::uint64_t wrapped_ = 0;
  GroupCopies<Sum> sums_;
  std::pmr::vector<std::uint64_t> nulls_;
};

template <typename Sum>
std::unique_ptr<Aggregator> make_integer(QType type, std::pmr::memory_resource& resource) {
  switch (type_width(type)) {
    case 1: return std::make_unique<IntegerAggregator<std::uint8_t, Sum>>(type, resource);
    case 2: return std::make_unique<IntegerAggregator<std::int16_t, Sum>>(type, resource);
    case 4: return std::make_unique<IntegerAggregator<std::int32_t, Sum>>(type, resource);
    default: return std::make_unique<IntegerAggregator<std::int64_t, Sum>>(type, resource);
  }
}

}  // namespace

std::unique_ptr<Aggregator> make_integer_sum(Aggregate aggregate, QType type,
                                             std::pmr::memory_resource& resource) {
  return aggregate == Aggregate::kAvg ? make_integer<Int128>(type, resource)
                                      : make_integer<std::uint64_t>(type, resource);
}

}  // namespace hdbench
