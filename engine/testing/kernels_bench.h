// Shared by the kernels' benchmarks: bytes per second of each kernel, from the first-level cache to
// memory.
//
// Seeds are fixed. Every answer is checked against plain loops before anything is timed, and a
// wrong one aborts. Sizes in rows: 4096 (first-level cache), 65,536 (a core's own caches) and 2^25
// (memory).
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

namespace hdbench {

template <typename Kernel>
void time_kernel(benchmark::State& state, std::uint64_t bytes, const Kernel& kernel) {
  for (auto _ : state) {
    kernel();
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

inline void all_sizes(benchmark::internal::Benchmark* kernel) {
  kernel->Arg(1 << 12)->Arg(1 << 16)->Arg(1 << 25);
}

}  // namespace hdbench
