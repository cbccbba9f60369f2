#include "bench/run/unpack_rates.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>

#include "bench/base/statistics.h"
#include "bench/run/needed_columns.h"
#include "engine/column/column.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kSampleBytesMax = std::uint64_t{64} << 20;
constexpr std::size_t kRounds = 7;

struct SampledBlock {
  const ZippedFile* file = nullptr;
  std::size_t number = 0;
  std::size_t plain_at = 0;
};

std::vector<const ZippedFile*> compressed_files(const BoundQueries& bound,
                                                const std::vector<std::string>& tables,
                                                const TablePlacement& placement) {
  std::vector<const ZippedFile*> files;
  for (const std::string& name : tables) {
    const Table& table = placement.table(name);
    NeededColumns needed(table);
    for (const auto& [id, query] : bound) needed.add(*query.table, *query.plan);
    for (const NeededColumns::Place place : needed.places()) {
      const auto column = table.column(place.part, place.field);
      if (!column.ok()) continue;
      for (const auto& packed : {(*column)->packed, (*column)->packed_heap}) {
        if (packed != nullptr) files.push_back(&packed->zipped());
      }
    }
  }
  return files;
}

std::vector<SampledBlock> sample_of(const std::vector<const ZippedFile*>& files,
                                    std::uint64_t& plain_bytes) {
  std::uint64_t all_bytes = 0;
  for (const ZippedFile* const file : files) all_bytes += file->plain_bytes();
  const std::uint64_t stride = std::max<std::uint64_t>(1, all_bytes / kSampleBytesMax);
  std::vector<SampledBlock> blocks;
  std::uint64_t number = 0;
  for (const ZippedFile* const file : files) {
    for (std::size_t block = 0; block < file->block_count(); ++block) {
      if (number++ % stride != 0) continue;
      blocks.push_back({file, block, plain_bytes});
      plain_bytes += file->plain_bytes_of(block);
    }
  }
  return blocks;
}

}  // namespace

Result<std::vector<UnpackRate>> measure_unpacking(const BoundQueries& bound,
                                                  const std::vector<std::string>& tables,
                                                  const TablePlacement& placement, OnePool& pools,
                                                  std::span<const std::size_t> threads) {
  std::vector<UnpackRate> rates;
  std::uint64_t plain_bytes = 0;
  const std::vector<SampledBlock> blocks =
      sample_of(compressed_files(bound, tables, placement), plain_bytes);
  if (blocks.empty()) return rates;
  std::vector<std::byte> plain(plain_bytes);
  std::mutex mutex;
  std::optional<Error> error;
  const auto unpack = [&](std::size_t at, std::size_t) {
    const SampledBlock& block = blocks[at];
    const auto target =
        std::span(plain).subspan(block.plain_at, block.file->plain_bytes_of(block.number));
    const Status done = block.file->unzip_block(block.number, target);
    if (done.ok()) return;
    const std::lock_guard lock(mutex);
    if (!error) error = done.error();
  };
  for (const std::size_t count : threads) {
    ThreadPool& pool = pools.of(count);
    std::vector<double> gb_s;
    // The first round brings the blocks into memory.
    for (std::size_t round = 0; round <= kRounds; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      pool.run(blocks.size(), unpack);
      const double seconds = seconds_since(begin);
      if (error) return *error;
      if (round != 0 && seconds > 0)
        gb_s.push_back(static_cast<double>(plain_bytes) / seconds / 1e9);
    }
    if (!gb_s.empty()) rates.push_back({count, quantile(gb_s, kCeilingQuantile), plain_bytes});
  }
  return rates;
}

}  // namespace hdbench::bench
