#include "bench/users/rank_load.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

// So many answers in each block of a tenth of a second.
LoadRound round_of(std::size_t blocks, std::uint64_t answers_of_block, std::uint64_t ns) {
  LoadRound round;
  round.block_seconds = 0.1;
  round.seconds = 0.1 * static_cast<double>(blocks);
  round.blocks.resize(blocks);
  for (LatencyCounts& block : round.blocks) {
    for (std::uint64_t k = 0; k < answers_of_block; ++k) block.add(ns);
    round.latency.add(block);
  }
  round.answers = round.came_in = blocks * answers_of_block;
  round.waiting_ns = round.seconds * 1e9;  // one user
  round.all_ns = static_cast<double>(round.answers * ns);
  round.by_query[1] = round.answers;
  round.checksums[1] = 7;
  return round;
}

TEST_CASE("every user and arrival is a rank's, and their streams differ") {
  const LoadPlan whole{.users = 7, .arrivals_per_s = 9, .mix = {{1, 2}, {4, 1}}, .seed = 5};
  std::size_t users = 0;
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const LoadPlan part = part_of(whole, rank, 3);
    users += part.users;
    CHECK(part.arrivals_per_s == Approx(3));
    CHECK(part.mix == whole.mix);
    CHECK((rank == 0) == (part.seed == whole.seed));
  }
  CHECK(users == 7);
  CHECK(part_of(whole, 0, 1).users == 7);
}

TEST_CASE("ranks' rounds add up: rates, users and blocks") {
  const LoadRound all = joined_round({round_of(20, 3, 1'000'000), round_of(20, 1, 9'000'000)});
  CHECK(all.seconds == Approx(2));
  CHECK(all.came_in == 80);
  CHECK(all.answers == 80);
  CHECK(all.latency.total() == 80);
  CHECK(all.blocks.size() == 20);
  CHECK(all.blocks[0].total() == 4);
  CHECK(all.waiting_ns / all.seconds == Approx(2e9));
  CHECK(all.by_query.at(1) == 80);
  UsersCell cell;
  cell.users = 2;
  take_rounds({all}, cell);
  CHECK(cell.per_s == Approx(40));
  CHECK(cell.in_system == Approx(2));
  CHECK(cell.max_ms == Approx(9));
}

TEST_CASE("a rank that ends earlier counts at its rate") {
  LoadRound longer = round_of(20, 2, 1'000'000);
  longer.block_seconds = 0.2;
  longer.seconds = 4;
  longer.waiting_ns = 4e9;
  const LoadRound all = joined_round({round_of(21, 3, 1'000'000), longer});
  CHECK(all.seconds == Approx(4));
  CHECK(all.came_in == 120 + 40);
  CHECK(all.answers == 63 + 40);
  CHECK(all.waiting_ns / all.seconds == Approx(2e9));
  CHECK(all.block_seconds == Approx(0.2));
  CHECK(all.blocks.size() == 10);
  CHECK(all.blocks[9].total() == 6 + 2);
}

TEST_CASE("a load and its round arrive as they were sent") {
  LoadPlan load{.users = 3, .arrivals_per_s = 0.5, .seconds = 7, .mix = {{2, 9}}, .seed = 4};
  LoadRound round = round_of(3, 2, 500);
  round.is_device_known = false;
  ByteSink sink;
  put_load(sink, load);
  put_round(sink, round);
  ByteSource in(sink.bytes());
  const LoadPlan taken = take_load(in);
  CHECK(taken.users == 3);
  CHECK(taken.arrivals_per_s == 0.5);
  CHECK(taken.seconds == 7);
  CHECK(taken.mix == load.mix);
  CHECK(taken.seed == 4);
  const LoadRound seen = take_round(in);
  CHECK(in.is_done());
  CHECK(seen.answers == 6);
  CHECK_FALSE(seen.is_device_known);
  CHECK(seen.blocks.size() == 3);
  CHECK(seen.blocks[2].total() == 2);
  CHECK(seen.by_query == round.by_query);
  CHECK(seen.checksums == round.checksums);
}

}  // namespace
}  // namespace hdbench::bench
