#include "datagen/tickers.h"

#include <algorithm>
#include <set>

#include "datagen/random.h"
#include "engine/base/catch.h"

namespace hdbench::datagen {

TEST_CASE("tickers are distinct and not in text order") {
  const auto symbols = ticker_symbols();
  CHECK(std::set<std::string>(symbols.begin(), symbols.end()).size() == kTickerCount);
  CHECK_FALSE(std::is_sorted(symbols.begin(), symbols.end()));
}

TEST_CASE("the least and the greatest random number pick the first and the last ticker") {
  CHECK(Tickers::instance().pick(0) == 0);
  CHECK(Tickers::instance().pick(~std::uint64_t{0}) == kTickerCount - 1);
}

TEST_CASE("every ticker is picked, the first about twice as often as the second") {
  const Stream stream(1, "picks");
  std::vector<int> seen(kTickerCount);
  for (std::uint64_t i = 0; i < 4'000'000; ++i) ++seen[Tickers::instance().pick(stream.at(i))];
  CHECK(*std::min_element(seen.begin(), seen.end()) > 0);
  CHECK(seen[0] > 1.9 * seen[1]);
  CHECK(seen[0] < 2.1 * seen[1]);
  CHECK(seen[0] > 50 * seen[99]);
}

TEST_CASE("levels are between five and some hundred dollars") {
  for (std::uint16_t ticker = 0; ticker < kTickerCount; ++ticker) {
    REQUIRE(Tickers::instance().level_cents(ticker) >= 500);
    REQUIRE(Tickers::instance().level_cents(ticker) <= 40'500);
  }
}

}  // namespace hdbench::datagen
