#include "datagen/tickers.h"

#include <algorithm>
#include <set>

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

TEST_CASE("levels are between five and some hundred dollars") {
  for (std::uint16_t ticker = 0; ticker < kTickerCount; ++ticker) {
    REQUIRE(Tickers::instance().level_cents(ticker) >= 500);
    REQUIRE(Tickers::instance().level_cents(ticker) <= 40'500);
  }
}

}  // namespace hdbench::datagen
