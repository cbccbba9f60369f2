// A selection comes back as it was put in, in every form, and takes no more memory than it needs.
#include "engine/exec/morsel_selections.h"

#include <algorithm>
#include <bit>
#include <memory_resource>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/exec/workspace.h"
#include "engine/kernel/bits.h"

using namespace hdbench;

namespace {

QueryInput morsels_of(const std::vector<std::uint64_t>& rows) {
  QueryInput input;
  std::uint64_t begin = 0;
  for (const std::uint64_t count : rows) {
    input.morsels.push_back({0, {begin, begin + count}, 0, {}});
    begin += count;
  }
  return input;
}

// Each row with that chance.
std::vector<std::uint64_t> random_bits(std::size_t rows, double chance) {
  std::mt19937_64 random(rows);
  std::bernoulli_distribution is_set(chance);
  std::vector<std::uint64_t> bits(words_for(rows));
  for (std::size_t row = 0; row < rows; ++row)
    bits[row / kWordRows] |= std::uint64_t{is_set(random)} << row % kWordRows;
  return bits;
}

}  // namespace

TEST_CASE("a selection of any density comes back as it was put in") {
  constexpr std::size_t kWorkers = 2;
  for (const std::uint64_t rows : {std::uint64_t{1}, std::uint64_t{100}, kMorselRows}) {
    const QueryInput input = morsels_of(std::vector<std::uint64_t>(7, rows));
    const std::vector<double> chances = {0, 1e-4, 0.01, 0.06, 0.07, 0.5, 1};
    Workspace workspace(0, *std::pmr::new_delete_resource());
    MorselSelections selections(input, kWorkers, workspace);
    for (std::size_t m = 0; m < chances.size(); ++m) {
      const auto bits = random_bits(rows, chances[m]);
      std::copy(bits.begin(), bits.end(), selections.room(m % kWorkers));
      selections.keep(m, m % kWorkers);
    }
    for (std::size_t m = 0; m < chances.size(); ++m) {
      const auto expected = random_bits(rows, chances[m]);
      std::size_t count = 0;
      for (const std::uint64_t word : expected) count += std::popcount(word);
      CHECK(selections.count(m) == count);
      if (count == 0) continue;
      // By another worker than the one that kept it.
      const std::uint64_t* const bits = selections.bits(m, (m + 1) % kWorkers);
      if (count == rows) {
        CHECK(bits == nullptr);
      } else {
        CHECK(std::equal(expected.begin(), expected.end(), bits));
      }
    }
  }
}

TEST_CASE("a morsel has no rows before it is kept, and all of them where nothing filters") {
  const QueryInput input = morsels_of({10, 20});
  MorselSelections selections(input, 1, *std::pmr::new_delete_resource());
  CHECK(selections.count(0) == 0);
  selections.keep_all(1);
  CHECK(selections.count(1) == 20);
  CHECK(selections.bits(1, 0) == nullptr);
}

TEST_CASE("no rows and all rows take no memory, few take two bytes each") {
  constexpr std::size_t kMorsels = 100;
  const QueryInput input = morsels_of(std::vector<std::uint64_t>(kMorsels, kMorselRows));
  const auto peak_at = [&](double chance) {
    Workspace workspace(0, *std::pmr::new_delete_resource());
    MorselSelections selections(input, 1, workspace);
    const std::uint64_t before = workspace.used_bytes();
    const auto bits = random_bits(kMorselRows, chance);
    for (std::size_t m = 0; m < kMorsels; ++m) {
      std::copy(bits.begin(), bits.end(), selections.room(0));
      selections.keep(m, 0);
    }
    return static_cast<double>(workspace.peak_bytes() - before);
  };
  CHECK(peak_at(0) == 0);
  CHECK(peak_at(1) == 0);
  // But for what is empty in a block, and the list of blocks.
  const auto rows_at = [&](double chance) { return kMorsels * kMorselRows * chance; };
  constexpr double kSlack = 1.1;
  CHECK(peak_at(0.01) < kSlack * 2 * rows_at(0.01) + MorselSelections::kBlockBytes);
  CHECK(peak_at(0.5) < kSlack * rows_at(1) / 8 + MorselSelections::kBlockBytes);
}
