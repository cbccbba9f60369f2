#include "datagen/random.h"

#include <array>
#include <set>

#include "engine/base/catch.h"

namespace hdbench::datagen {

TEST_CASE("a bound of zero or one leaves only zero") {
  CHECK(bounded(~std::uint64_t{0}, 0) == 0);
  CHECK(bounded(~std::uint64_t{0}, 1) == 0);
  CHECK(bounded(~std::uint64_t{0}, 7) == 6);
}

TEST_CASE("mixing is SplitMix64's: its published first numbers of seed 1234567") {
  CHECK(mix64(1234567 + 1 * kGoldenGamma) == 6457827717110365317U);
  CHECK(mix64(1234567 + 2 * kGoldenGamma) == 3203168211198807973U);
  CHECK(mix64(1234567 + 3 * kGoldenGamma) == 9817491932198370423U);
}

TEST_CASE("streams of another seed, name or date differ") {
  std::set<std::uint64_t> firsts;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    for (const auto* name : {"", "bid", "ask"}) {
      for (const std::int32_t date : {0, 1, 7311}) firsts.insert(Stream(seed, name, date).at(0));
    }
  }
  CHECK(firsts.size() == 27);
}

TEST_CASE("bounded numbers fill their range evenly") {
  const Stream stream(1, "even");
  std::array<int, 10> seen{};
  for (std::uint64_t i = 0; i < 100000; ++i) ++seen[bounded(stream.at(i), 10)];
  for (const int count : seen) {
    CHECK(count > 9700);
    CHECK(count < 10300);
  }
}

}  // namespace hdbench::datagen
