#include "engine/exec/morsel_selections.h"

#include <algorithm>
#include <cstring>

#include "engine/kernel/bits.h"
#include "engine/kernel/selection.h"

namespace hdbench {
namespace {

constexpr std::size_t kRoomWords = words_for(kMorselRows);
static_assert(kRoomWords * sizeof(std::uint64_t) <= MorselSelections::kBlockBytes,
              "a block holds any selection");

}  // namespace

MorselSelections::MorselSelections(const QueryInput& input, std::size_t workers,
                                   std::pmr::memory_resource& resource)
    : input_(input),
      kept_(input.morsels.size(), &resource),
      rooms_(resource, workers * kRoomWords * sizeof(std::uint64_t)),
      resource_(resource) {
  for (std::size_t worker = 0; worker < workers; ++worker) memory_.emplace_back(resource);
}

void* MorselSelections::take(std::size_t bytes, std::size_t worker) {
  auto& [blocks, left] = memory_[worker];
  const std::size_t aligned = (bytes + 7) / 8 * 8;
  if (left < aligned) {
    blocks.emplace_back(resource_, kBlockBytes);
    left = kBlockBytes;
  }
  left -= aligned;
  return blocks.back().data() + left;
}

std::uint64_t* MorselSelections::room(std::size_t worker) {
  return reinterpret_cast<std::uint64_t*>(rooms_.data()) + worker * kRoomWords;
}

void MorselSelections::keep(std::size_t morsel, std::size_t worker) {
  const std::uint64_t* const bits = room(worker);
  const std::size_t words = words_for(rows(morsel));
  Kept& kept = kept_[morsel];
  kept.count = static_cast<std::uint32_t>(count_bits(bits, words));
  if (kept.count == 0 || kept.count == rows(morsel)) return;
  const std::size_t bytes_of_bits = words * sizeof(std::uint64_t);
  const std::size_t bytes_of_positions = kept.count * sizeof(Position);
  kept.form = bytes_of_positions < bytes_of_bits ? Form::kPositions : Form::kBits;
  void* const data = take(std::min(bytes_of_positions, bytes_of_bits), worker);
  if (kept.form == Form::kPositions) {
    positions_of(bits, rows(morsel), static_cast<Position*>(data));
  } else {
    std::memcpy(data, bits, bytes_of_bits);
  }
  kept.data = data;
}

void MorselSelections::keep_all(std::size_t morsel) {
  kept_[morsel].count = static_cast<std::uint32_t>(rows(morsel));
}

const std::uint64_t* MorselSelections::bits(std::size_t morsel, std::size_t worker) {
  const Kept& kept = kept_[morsel];
  if (kept.form == Form::kAll) return nullptr;
  if (kept.form == Form::kBits) return static_cast<const std::uint64_t*>(kept.data);
  std::uint64_t* const bits = room(worker);
  std::fill_n(bits, words_for(rows(morsel)), 0);
  const auto* const positions = static_cast<const Position*>(kept.data);
  for (std::size_t i = 0; i < kept.count; ++i)
    bits[positions[i] / kWordRows] |= std::uint64_t{1} << positions[i] % kWordRows;
  return bits;
}

}  // namespace hdbench
