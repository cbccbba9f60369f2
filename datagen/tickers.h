// The symbols of the taq profile: 8000 tickers, each with a price level and a share of the rows.
//
// Shares fall as 1/rank (Zipf). The domain lists popular symbols first, as a feed would encounter
// them; codes are independent of text order. Nothing here depends on the seed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hdbench::datagen {

constexpr std::size_t kTickerCount = 8000;

// Distinct texts of four capital letters, in the order of their codes.
std::vector<std::string> ticker_symbols();

class Tickers {
 public:
  // Built at the first call, then shared.
  static const Tickers& instance();

  // Maps a random number to a ticker: its top bits index a table that holds each by its share.
  std::uint16_t pick(std::uint64_t random) const {
    return (*by_share_)[random >> (64 - kShareBits)];
  }
  // The ticker's usual price, in cents.
  std::int64_t level_cents(std::uint16_t ticker) const { return level_cents_[ticker]; }

 private:
  static constexpr unsigned kShareBits = 18;
  Tickers();
  std::unique_ptr<std::array<std::uint16_t, 1U << kShareBits>> by_share_;
  std::array<std::int32_t, kTickerCount> level_cents_;
};

}  // namespace hdbench::datagen
