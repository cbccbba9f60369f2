// Bytes a second of the kernels that aggregates are made of (kernels_bench.h).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/bucket.h"
#include "engine/kernel/ids.h"
#include "engine/kernel/reduce.h"
#include "engine/kernel/split_sum.h"
#include "engine/kernel/take.h"
#include "engine/testing/kernels_bench.h"

namespace hdbench {
namespace {

// Prices in hundredths, sizes up to 2000, and groups of four, a quarter of the rows each.
struct Ticks {
  explicit Ticks(std::size_t rows)
      : prices(rows), sizes(rows), weights(rows), groups(rows), ids(rows), bits(words_for(rows)) {
    std::mt19937_64 random(20200529);
    for (std::size_t row = 0; row < rows; ++row) {
      prices[row] = static_cast<double>(5000 + random() % 5000) / 100;
      sizes[row] = static_cast<std::int64_t>(1 + random() % 2000);
      weights[row] = static_cast<double>(sizes[row]);
      groups[row] = static_cast<std::uint32_t>(random() % 4);
      ids[row] = static_cast<std::uint8_t>(groups[row]);
      if (groups[row] == 0) bits[row / kWordRows] |= std::uint64_t{1} << (row % kWordRows);
    }
  }
  std::size_t rows() const { return prices.size(); }

  std::vector<double> prices;
  std::vector<std::int64_t> sizes;
  std::vector<double> weights;
  std::vector<std::uint32_t> groups;
  std::vector<std::uint8_t> ids;
  std::vector<std::uint64_t> bits;  // of group 0
};

Ticks ticks_of(const benchmark::State& state) {
  return Ticks(static_cast<std::size_t>(state.range(0)));
}

const std::byte* bytes_of(const auto& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}

// Calls work(start, rows) for blocks of kSplitRowsMax rows.
void each_block_of(std::size_t rows, const auto& work) {
  for (std::size_t start = 0; start < rows; start += kSplitRowsMax)
    work(start, std::min(kSplitRowsMax, rows - start));
}

const SplitBound kPrices{7, false};
const SplitBound kSizes{11, false};

void doubles_summed(benchmark::State& state, bool some) {
  const Ticks ticks = ticks_of(state);
  time_kernel(state, ticks.rows() * sizeof(double), [&] {
    each_block_of(ticks.rows(), [&](std::size_t start, std::size_t rows) {
      const DoubleBlock block{ticks.prices.data() + start, rows,
                              some ? ticks.bits.data() + start / kWordRows : nullptr};
      HDB_CHECK(split_sum(block, kPrices).exact, "prices split");
    });
  });
}

void squares_summed(benchmark::State& state) {
  const Ticks ticks = ticks_of(state);
  time_kernel(state, ticks.rows() * sizeof(double), [&] {
    each_block_of(ticks.rows(), [&](std::size_t start, std::size_t rows) {
      const DoubleBlock block{ticks.prices.data() + start, rows, nullptr};
      HDB_CHECK(split_squares(block, kPrices).exact, "prices split");
    });
  });
}

void products_summed(benchmark::State& state, bool one_piece) {
  const Ticks ticks = ticks_of(state);
  SplitBound weights_bound = kSizes;
  weights_bound.one_piece = one_piece;
  time_kernel(state, 2 * ticks.rows() * sizeof(double), [&] {
    each_block_of(ticks.rows(), [&](std::size_t start, std::size_t rows) {
      const DoubleBlock block{ticks.prices.data() + start, rows, nullptr};
      HDB_CHECK(split_products(block, ticks.weights.data() + start, kPrices, weights_bound).exact,
                "prices and sizes split");
    });
  });
}

void products_grouped(benchmark::State& state, bool one_piece) {
  constexpr std::size_t kAtOnce = 256;
  const Ticks ticks = ticks_of(state);
  SplitBound weights_bound = kSizes;
  weights_bound.one_piece = one_piece;
  std::vector<double> parts(8 * kAtOnce);
  std::vector<double> sums(8 * 4 * 4);
  const RowParts to{parts.data(), one_piece ? nullptr : parts.data() + 4 * kAtOnce};
  time_kernel(state, 2 * ticks.rows() * sizeof(double), [&] {
    for (std::size_t row = 0; row < ticks.rows(); row += kAtOnce) {
      HDB_CHECK(split_rows(ticks.prices.data() + row, ticks.weights.data() + row, kAtOnce, kPrices,
                           weights_bound, to)
                    .exact,
                "prices and sizes split");
      add_rows(to, ticks.groups.data() + row, kAtOnce, 4, sums.data());
    }
  });
}

void integers_summed(benchmark::State& state) {
  const Ticks ticks = ticks_of(state);
  IntegerTotal total;
  time_kernel(state, ticks.rows() * sizeof(std::int64_t), [&] {
    total = {};
    for (std::size_t start = 0; start < ticks.rows(); start += kReducedRowsMax) {
      const std::size_t rows = std::min(kReducedRowsMax, ticks.rows() - start);
      const IntegerTotal part =
          integer_total(QType::kLong, {bytes_of(ticks.sizes) + start * 8, rows, nullptr});
      total.high += part.high;
      total.low += part.low;
    }
  });
  std::int64_t expected = 0;
  for (const std::int64_t size : ticks.sizes) expected += size;
  HDB_CHECK((total.high << 32) + static_cast<std::int64_t>(total.low) == expected,
            "the sum is wrong");
}

void highest_found(benchmark::State& state) {
  const Ticks ticks = ticks_of(state);
  std::int64_t highest = 0;
  const ValueBlock all{bytes_of(ticks.sizes), ticks.rows(), nullptr};
  time_kernel(state, ticks.rows() * sizeof(std::int64_t),
              [&] { highest = highest_key(QType::kLong, all); });
  HDB_CHECK(highest == *std::max_element(ticks.sizes.begin(), ticks.sizes.end()),
            "the highest is wrong");
}

void longs_widened(benchmark::State& state) {
  const Ticks ticks = ticks_of(state);
  std::vector<double> wide(kSplitRowsMax);
  time_kernel(state, ticks.rows() * sizeof(std::int64_t), [&] {
    each_block_of(ticks.rows(), [&](std::size_t start, std::size_t rows) {
      widen_to_doubles(QType::kLong, bytes_of(ticks.sizes) + start * 8, rows, wide.data());
    });
  });
  HDB_CHECK(wide.front() == ticks.weights[(ticks.rows() - 1) / kSplitRowsMax * kSplitRowsMax],
            "a value is wrong");
}

void values_to_buckets(benchmark::State& state) {
  const Ticks ticks = ticks_of(state);
  const Buckets buckets = make_buckets(50, 100);
  std::vector<std::uint32_t> numbers(kSplitRowsMax);
  time_kernel(state, ticks.rows() * sizeof(double), [&] {
    each_block_of(ticks.rows(), [&](std::size_t start, std::size_t rows) {
      to_buckets(ticks.prices.data() + start, rows, buckets, numbers.data());
    });
  });
  HDB_CHECK(*std::max_element(numbers.begin(), numbers.end()) < kBuckets, "a bucket is wrong");
}

void quarter_taken(benchmark::State& state) {
  const Ticks ticks = ticks_of(state);
  std::vector<std::uint16_t> positions(kSplitRowsMax + kPositionsSlack);
  std::vector<double> packed(kSplitRowsMax);
  time_kernel(state, ticks.rows() * sizeof(double), [&] {
    each_block_of(ticks.rows(), [&](std::size_t start, std::size_t rows) {
      const std::size_t count =
          take_positions(ticks.bits.data() + start / kWordRows, rows, positions.data());
      take(sizeof(double), bytes_of(ticks.prices) + start * sizeof(double), positions.data(), count,
           reinterpret_cast<std::byte*>(packed.data()));
    });
  });
}

void equal_ids_taken(benchmark::State& state) {
  const Ticks ticks = ticks_of(state);
  const std::size_t words = ticks.rows() / kWordRows;
  std::vector<std::uint64_t> left(words);
  std::vector<std::uint64_t> taken(words);
  time_kernel(state, ticks.rows(), [&] {
    set_bits(left.data(), ticks.rows());
    take_equal({1, bytes_of(ticks.ids), words, 0}, left.data(), taken.data());
  });
  HDB_CHECK(taken == ticks.bits, "a row is wrong");
}

BENCHMARK_CAPTURE(doubles_summed, all, false)->Apply(all_sizes);
BENCHMARK_CAPTURE(doubles_summed, a_quarter, true)->Apply(all_sizes);
BENCHMARK(squares_summed)->Apply(all_sizes);
BENCHMARK_CAPTURE(products_summed, any_weights, false)->Apply(all_sizes);
BENCHMARK_CAPTURE(products_summed, weights_of_one_piece, true)->Apply(all_sizes);
BENCHMARK_CAPTURE(products_grouped, any_weights, false)->Apply(all_sizes);
BENCHMARK_CAPTURE(products_grouped, weights_of_one_piece, true)->Apply(all_sizes);
BENCHMARK(integers_summed)->Apply(all_sizes);
BENCHMARK(highest_found)->Apply(all_sizes);
BENCHMARK(longs_widened)->Apply(all_sizes);
BENCHMARK(values_to_buckets)->Apply(all_sizes);
BENCHMARK(quarter_taken)->Apply(all_sizes);
BENCHMARK(equal_ids_taken)->Apply(all_sizes);

}  // namespace
}  // namespace hdbench
