// sum and avg of reals, floats and datetimes.
#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/kernel/split_sum.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/group_sums.h"

namespace hdbench {
namespace {

template <bool kAverage>
class FloatAggregator final : public Aggregator {
 public:
  FloatAggregator(QType type, std::pmr::memory_resource& resource) : type_(type), sums_(resource) {}

  void resize(std::size_t groups) override { sums_.resize(groups); }

  void update(const AggregateBatch& batch) override {
    each_block(batch.count, [&](std::size_t start, std::size_t count) {
      AggregateBatch part = batch;
      part.count = count;
      part.groups += start;
      sums_.add(doubles_of(type_, batch.values + start * type_width(type_), count, buffer_), part);
    });
  }

  void update_run(const AggregateRun& run) override {
    each_block(run.rows, [&](std::size_t start, std::size_t rows) {
      const std::uint64_t* const bits =
          run.bits == nullptr ? nullptr : run.bits + start / kWordRows;
      if (type_ == QType::kReal) return add_run<float>(run, start, rows, bits);
      add_run<double>(run, start, rows, bits);
    });
  }

  void merge(Aggregator& other, std::span<const std::uint32_t> mapping) override {
    sums_.merge(static_cast<FloatAggregator&>(other).sums_, mapping);
  }

  void settle() override { sums_.flush(); }
  bool finishes_in_parts() const override { return true; }

  void finish(std::span<const std::uint32_t> order, std::span<const std::uint64_t> row_counts,
              std::byte* results) override {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double sum = sums_.sum(order[i]).rounded();
      if constexpr (kAverage) {
        const std::uint64_t count = row_counts[order[i]] - sums_.nulls(order[i]);
        store(results, i,
              count == 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sum / static_cast<double>(count));
      } else if (type_ == QType::kReal) {
        store(results, i, static_cast<float>(sum));
      } else {
        store(results, i, sum);
      }
    }
  }

 private:
  template <typename T>
  void add_run(const AggregateRun& run, std::size_t start, std::size_t rows,
               const std::uint64_t* bits) {
    const T* const values = reinterpret_cast<const T*>(run.values) + start;
    sums_.add_run<T>(run.group, {values, rows, bits, run.ahead.from(start)});
  }

  template <typename T>
  static void store(std::byte* results, std::size_t i, T value) {
    std::memcpy(results + i * sizeof(T), &value, sizeof(T));
  }

  QType type_;
  GroupSums sums_;
  alignas(64) double buffer_[kSplitRowsMax];
};

}  // namespace

std::unique_ptr<Aggregator> make_float_sum(QType type, std::pmr::memory_resource& resource) {
  return std::make_unique<FloatAggregator<false>>(type, resource);
}

std::unique_ptr<Aggregator> make_float_average(QType type, std::pmr::memory_resource& resource) {
  return std::make_unique<FloatAggregator<true>>(type, resource);
}

}  // namespace hdbench
