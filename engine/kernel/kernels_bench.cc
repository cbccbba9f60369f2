// Bytes a second of the scan and compress kernels, from the first-level cache to memory.
//
// The seed is fixed and every answer is checked against plain loops before anything is timed: a
// wrong one aborts.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/compress.h"
#include "engine/kernel/scan.h"
#include "engine/kernel/selection.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kSymbols = 8;
const std::vector<std::uint64_t> kCodes = {0, 1, 2};
const std::vector<std::uint8_t> kMember = {1, 1, 1, 0, 0, 0, 0, 0};

struct Codes {
  explicit Codes(std::size_t rows) : values(rows), bits(words_for(rows)) {
    std::mt19937_64 random(20200529);
    for (std::uint64_t& value : values) value = random() % kSymbols;
    scan_codes(8, bytes(), kCodes, kMember, {bits.data(), rows, false, false});
    for (const std::uint64_t value : values) expected += kMember[value];
    HDB_CHECK(count_bits(bits.data(), bits.size()) == expected, "the scan is wrong");
  }
  const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(values.data()); }

  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> bits;
  std::size_t expected = 0;
};

void scan_codes_of_three(benchmark::State& state) {
  Codes codes(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(scan_codes(8, codes.bytes(), kCodes, kMember,
                                        {codes.bits.data(), codes.values.size(), false, false}));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0) * 8);
}

void compress_eight_bytes(benchmark::State& state) {
  const Codes codes(static_cast<std::size_t>(state.range(0)));
  std::vector<std::byte> packed(codes.expected * 8);
  const CompressSource source{8, codes.bytes(), codes.values.size(), codes.bits.data()};
  const Stores stores = packed.size() > (4u << 20) ? Stores::kPastCaches : Stores::kCached;
  const std::size_t count = compress(source, packed.data(), stores).count;
  HDB_CHECK(count == codes.expected, "the compress is wrong");
  for (auto _ : state) {
    compress(source, packed.data(), stores);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() *
                          (state.range(0) + static_cast<std::int64_t>(codes.expected)) * 8);
}

// Rows: 32 KiB, 512 KiB and 256 MiB of eight-byte values.
BENCHMARK(scan_codes_of_three)->Arg(1 << 12)->Arg(1 << 16)->Arg(1 << 25);
BENCHMARK(compress_eight_bytes)->Arg(1 << 12)->Arg(1 << 16)->Arg(1 << 25);

}  // namespace
}  // namespace hdbench

BENCHMARK_MAIN();
