// Bytes a second of the kernels of filters, keys and selections (kernels_bench.h).
#include "engine/testing/kernels_bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/compact.h"
#include "engine/kernel/ids.h"
#include "engine/kernel/last_rows.h"
#include "engine/kernel/scan.h"
#include "engine/kernel/selection.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kSymbols = 8;
constexpr std::uint64_t kWanted = 3;
const std::vector<std::uint64_t> kCodes = {0, 1, 2};
const std::vector<std::uint8_t> kMember = {1, 1, 1, 0, 0, 0, 0, 0};

// Random codes below kSymbols at a width, in whole words, and those below kWanted selected.
struct Codes {
  Codes(std::size_t row_count, std::uint32_t bytes_each)
      : rows(row_count), width(bytes_each), bytes(row_count * width), bits(words_for(row_count)) {
    std::mt19937_64 random(20200529);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint64_t code = random() % kSymbols;
      std::memcpy(bytes.data() + row * width, &code, std::min<std::size_t>(width, sizeof(code)));
      if (code >= kWanted) continue;
      bits[row / kWordRows] |= std::uint64_t{1} << (row % kWordRows);
      ++selected;
    }
  }
  std::uint64_t at(std::size_t row) const {
    std::uint64_t code = 0;
    std::memcpy(&code, bytes.data() + row * width, std::min<std::size_t>(width, sizeof(code)));
    return code;
  }

  std::size_t rows;
  std::uint32_t width;
  std::vector<std::byte> bytes;
  std::vector<std::uint64_t> bits;
  std::size_t selected = 0;
};

Codes codes_of(const benchmark::State& state, std::uint32_t width) {
  return {static_cast<std::size_t>(state.range(0)), width};
}

void codes_in_set(benchmark::State& state, std::uint32_t width) {
  const Codes codes = codes_of(state, width);
  std::vector<std::uint64_t> bits(codes.bits.size());
  const auto scan = [&] {
    scan_codes(width, codes.bytes.data(), kCodes, kMember, {bits.data(), codes.rows, false, false});
  };
  scan();
  HDB_CHECK(bits == codes.bits, "the scan is wrong");
  time_kernel(state, codes.bytes.size(), scan);
}

void values_within(benchmark::State& state, ScanType type, std::uint32_t width) {
  const Codes codes = codes_of(state, width);
  std::vector<std::uint64_t> bits(codes.bits.size());
  const auto scan = [&] {
    scan_range(type, codes.bytes.data(), 0, kWanted - 1, {bits.data(), codes.rows, false, false});
  };
  scan();
  HDB_CHECK(bits == codes.bits, "the scan is wrong");
  time_kernel(state, codes.bytes.size(), scan);
}

void values_in_set(benchmark::State& state, ScanType type, std::uint32_t width) {
  const Codes codes = codes_of(state, width);
  const std::vector<std::int64_t> keys(kCodes.begin(), kCodes.end());
  std::vector<std::uint64_t> bits(codes.bits.size());
  const auto scan = [&] {
    scan_set(type, codes.bytes.data(), keys, {bits.data(), codes.rows, false, false});
  };
  scan();
  HDB_CHECK(bits == codes.bits, "the scan is wrong");
  time_kernel(state, codes.bytes.size(), scan);
}

void ids_from(benchmark::State& state, std::uint32_t width, std::uint32_t id_bytes) {
  const Codes codes = codes_of(state, width);
  std::vector<std::byte> ids(codes.rows * id_bytes);
  const auto cut = [&] {
    benchmark::DoNotOptimize(
        to_ids({width, codes.bytes.data(), codes.rows, nullptr}, 0, id_bytes, ids.data()));
  };
  cut();
  for (std::size_t row = 0; row < codes.rows; ++row) {
    std::uint64_t id = 0;
    std::memcpy(&id, ids.data() + row * id_bytes, id_bytes);
    HDB_CHECK(id == codes.at(row), "the ids are wrong");
  }
  time_kernel(state, codes.bytes.size(), cut);
}

void ids_added(benchmark::State& state) {
  const Codes codes = codes_of(state, 1);
  std::vector<std::byte> combined(codes.rows);
  const auto add = [&] {
    add_ids({1, codes.bytes.data(), 4}, codes.rows / kWordRows, 1, combined.data());
  };
  add();
  for (std::size_t row = 0; row < codes.rows; ++row) {
    HDB_CHECK(static_cast<std::uint64_t>(combined[row]) == codes.at(row) << 4, "the sum is wrong");
  }
  time_kernel(state, 3 * codes.rows, add);
}

void last_rows_of(benchmark::State& state, std::uint32_t width) {
  const Codes codes = codes_of(state, width);
  FoundGroups found;
  const auto find = [&] {
    found.count = 0;
    find_last_rows({width, codes.bytes.data(), codes.bits.data(), codes.bits.size()}, found);
  };
  find();
  HDB_CHECK(found.count == kWanted, "groups are missing");
  for (std::size_t k = 0; k < found.count; ++k) {
    std::size_t row = codes.rows - 1;
    while (codes.at(row) != found.ids[k]) --row;
    HDB_CHECK(found.rows[k] == row, "a last row is wrong");
  }
  time_kernel(state, codes.bytes.size(), find);
}

void compacted(benchmark::State& state, std::uint32_t width) {
  const Codes codes = codes_of(state, width);
  std::vector<std::byte> packed(codes.selected * width);
  const CompactSource source{width, codes.bytes.data(), codes.rows, codes.bits.data()};
  const Stores stores = packed.size() > (4u << 20) ? Stores::kPastCaches : Stores::kCached;
  const Compacted done = compact(source, packed.data(), stores);
  const std::uint64_t highest = width <= sizeof(std::uint64_t) ? kWanted - 1 : 0;
  HDB_CHECK(done.count == codes.selected && done.highest == highest, "what is packed is wrong");
  std::size_t at = 0;
  for (std::size_t row = 0; row < codes.rows; ++row) {
    if (codes.at(row) >= kWanted) continue;
    HDB_CHECK(std::memcmp(packed.data() + at, codes.bytes.data() + row * width, width) == 0,
              "an element is wrong");
    at += width;
  }
  time_kernel(state, codes.bytes.size() + packed.size(),
              [&] { compact(source, packed.data(), stores); });
}

void selection_counted(benchmark::State& state) {
  const Codes codes = codes_of(state, 1);
  HDB_CHECK(count_bits(codes.bits.data(), codes.bits.size()) == codes.selected,
            "the count is wrong");
  time_kernel(state, codes.bits.size() * sizeof(std::uint64_t), [&] {
    benchmark::DoNotOptimize(count_bits(codes.bits.data(), codes.bits.size()));
    benchmark::DoNotOptimize(accessed_bytes({codes.bits.data(), codes.rows}, 8));
  });
}

BENCHMARK_CAPTURE(codes_in_set, 1, 1)->Apply(all_sizes);
BENCHMARK_CAPTURE(codes_in_set, 2, 2)->Apply(all_sizes);
BENCHMARK_CAPTURE(codes_in_set, 4, 4)->Apply(all_sizes);
BENCHMARK_CAPTURE(codes_in_set, 8, 8)->Apply(all_sizes);
BENCHMARK_CAPTURE(values_within, u8, ScanType::kU8, 1)->Apply(all_sizes);
BENCHMARK_CAPTURE(values_within, i32, ScanType::kI32, 4)->Apply(all_sizes);
BENCHMARK_CAPTURE(values_within, i64, ScanType::kI64, 8)->Apply(all_sizes);
BENCHMARK_CAPTURE(values_in_set, u8, ScanType::kU8, 1)->Apply(all_sizes);
BENCHMARK_CAPTURE(values_in_set, i32, ScanType::kI32, 4)->Apply(all_sizes);
BENCHMARK_CAPTURE(ids_from, 8_to_1, 8, 1)->Apply(all_sizes);
BENCHMARK_CAPTURE(ids_from, 8_to_2, 8, 2)->Apply(all_sizes);
BENCHMARK_CAPTURE(ids_from, 4_to_1, 4, 1)->Apply(all_sizes);
BENCHMARK(ids_added)->Apply(all_sizes);
BENCHMARK_CAPTURE(last_rows_of, 1, 1)->Apply(all_sizes);
BENCHMARK_CAPTURE(last_rows_of, 2, 2)->Apply(all_sizes);
BENCHMARK_CAPTURE(compacted, 1, 1)->Apply(all_sizes);
BENCHMARK_CAPTURE(compacted, 4, 4)->Apply(all_sizes);
BENCHMARK_CAPTURE(compacted, 8, 8)->Apply(all_sizes);
BENCHMARK_CAPTURE(compacted, 16, 16)->Apply(all_sizes);
BENCHMARK(selection_counted)->Apply(all_sizes);

}  // namespace
}  // namespace hdbench

BENCHMARK_MAIN();
