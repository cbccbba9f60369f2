#include "bench/run/cell_order.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace hdbench::bench {
namespace {

// Fisher and Yates's; std::shuffle's order is another with every library.
void shuffle(std::vector<std::size_t>& indexes, std::mt19937_64& random) {
  __extension__ using Wide = unsigned __int128;
  for (std::size_t left = indexes.size(); left > 1; --left) {
    const auto at = static_cast<std::size_t>((static_cast<Wide>(random()) * left) >> 64);
    std::swap(indexes[at], indexes[left - 1]);
  }
}

}  // namespace

std::vector<std::size_t> order_of_round(const std::vector<CellResult>& cells, std::uint64_t seed,
                                        std::size_t round) {
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed * 1'000'003 + round);
  shuffle(order, random);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t index) {
    return cells[index].setting.cache == Cache::kCold;
  });
  return order;
}

}  // namespace hdbench::bench
