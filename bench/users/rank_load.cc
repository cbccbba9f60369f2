#include "bench/users/rank_load.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hdbench::bench {
namespace {

// Seeds of ranks lie apart from those of rounds, which count from the plan's.
constexpr std::uint64_t kUserSeedsOfRank = 1'000'003;

// In blocks of that length, which is theirs times a power of two.
void lengthen_blocks(LoadRound& round, double block_seconds) {
  while (round.block_seconds * 1.5 < block_seconds) {
    std::vector<LatencyCounts> pairs(round.blocks.size() / 2);
    for (std::size_t at = 0; at < 2 * pairs.size(); ++at) pairs[at / 2].add(round.blocks[at]);
    round.blocks = std::move(pairs);
    round.block_seconds *= 2;
  }
}

std::map<int, std::uint64_t> take_counts(ByteSource& in) {
  const auto pairs = in.take_pairs<int, std::uint64_t>();
  return {pairs.begin(), pairs.end()};
}

}  // namespace

LoadPlan part_of(const LoadPlan& whole, std::size_t rank, std::size_t ranks) {
  LoadPlan part = whole;
  part.users = whole.users / ranks + (rank < whole.users % ranks ? 1 : 0);
  part.arrivals_per_s = whole.arrivals_per_s / static_cast<double>(ranks);
  part.seed = whole.seed + rank * kUserSeedsOfRank;
  return part;
}

LoadRound joined_round(std::vector<LoadRound> by_rank) {
  LoadRound all;
  std::size_t blocks = std::numeric_limits<std::size_t>::max();
  for (const LoadRound& one : by_rank) {
    all.seconds = std::max(all.seconds, one.seconds);
    all.block_seconds = std::max(all.block_seconds, one.block_seconds);
  }
  for (LoadRound& one : by_rank) {
    lengthen_blocks(one, all.block_seconds);
    blocks = std::min(blocks, one.blocks.size());
  }
  all.blocks.resize(blocks);
  for (LoadRound& one : by_rank) {
    const double longer = all.seconds / one.seconds;
    for (const auto counted :
         {&LoadSums::came_in, &LoadSums::cpu_ns, &LoadSums::bytes, &LoadSums::device_bytes})
      one.*counted =
          static_cast<std::uint64_t>(std::llround(static_cast<double>(one.*counted) * longer));
    one.waiting_ns *= longer;
    add_answers(one, all);
    all.offered_load += one.offered_load / static_cast<double>(by_rank.size());
    for (std::size_t at = 0; at < blocks; ++at) all.blocks[at].add(one.blocks[at]);
  }
  return all;
}

void put_load(ByteSink& out, const LoadPlan& load) {
  out.put(load.users);
  out.put(load.arrivals_per_s);
  out.put(load.seconds);
  out.put_pairs(load.mix);
  out.put(load.seed);
}

LoadPlan take_load(ByteSource& in) {
  LoadPlan load;
  load.users = in.take<std::size_t>();
  load.arrivals_per_s = in.take<double>();
  load.seconds = in.take<double>();
  load.mix = in.take_pairs<int, std::size_t>();
  load.seed = in.take<std::uint64_t>();
  return load;
}

void put_round(ByteSink& out, const LoadRound& round) {
  out.put(static_cast<const LoadSums&>(round));
  out.put_all(round.blocks);
  out.put_pairs(round.by_query);
  out.put_pairs(round.checksums);
}

LoadRound take_round(ByteSource& in) {
  LoadRound round;
  static_cast<LoadSums&>(round) = in.take<LoadSums>();
  round.blocks = in.take_all<LatencyCounts>();
  round.by_query = take_counts(in);
  round.checksums = take_counts(in);
  return round;
}

}  // namespace hdbench::bench
