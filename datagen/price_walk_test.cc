#include "datagen/price_walk.h"

#include <cstdlib>

#include "datagen/tickers.h"
#include "engine/base/catch.h"

namespace hdbench::datagen {

TEST_CASE("neighbours differ by a little and the day stays near the level") {
  const DayCount day{.date = 7311, .selected = 200'000};
  PriceWalk walk(1, day);
  std::int64_t before = walk.at(0);
  for (std::uint64_t row = 1; row < day.rows(); ++row) {
    const std::int64_t now = walk.at(row);
    REQUIRE(std::abs(now - before) <= 8);
    REQUIRE(now > 5000);
    REQUIRE(now < 15000);
    before = now;
  }
}

TEST_CASE("a ticker's walk stays near its level, moves little in a second, and has no order") {
  constexpr std::int64_t kSecond = 1'000'000'000;
  TickerWalk rising(1, 7311);
  TickerWalk mixed(1, 7311);
  for (const std::uint16_t ticker : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{7999}}) {
    const std::int64_t level = Tickers::instance().level_cents(ticker) * 100;
    std::int64_t before = rising.at(ticker, 0);
    for (std::int64_t second = 1; second < 86'400; ++second) {
      const std::int64_t now = rising.at(ticker, second * kSecond);
      REQUIRE(std::abs(now - before) < level / 5000 + 2);
      REQUIRE(std::abs(now - level) < level / 4);
      before = now;
    }
    CHECK(mixed.at(ticker, 80'000 * kSecond) == rising.at(ticker, 80'000 * kSecond));
    CHECK(mixed.at(ticker, 40'000 * kSecond) == rising.at(ticker, 40'000 * kSecond));
  }
  CHECK(TickerWalk(2, 7311).at(0, 0) != TickerWalk(1, 7311).at(0, 0));
}

}  // namespace hdbench::datagen
