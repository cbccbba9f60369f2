#include "datagen/tickers.h"

#include <algorithm>

#include "datagen/random.h"

namespace hdbench::datagen {
namespace {

constexpr std::uint64_t kFourLetterWords = 26 * 26 * 26 * 26;
constexpr std::uint64_t kStride = 104'729;  // a prime that is none of 2 and 13: no word comes twice

}  // namespace

std::vector<std::string> ticker_symbols() {
  std::vector<std::string> symbols;
  symbols.reserve(kTickerCount);
  for (std::uint64_t rank = 0; rank < kTickerCount; ++rank) {
    std::uint64_t word = (rank + 1) * kStride % kFourLetterWords;
    std::string text;
    for (int letter = 0; letter < 4; ++letter, word /= 26) {
      text += static_cast<char>('A' + word % 26);
    }
    symbols.push_back(std::move(text));
  }
  return symbols;
}

const Tickers& Tickers::instance() {
  static const Tickers tickers;
  return tickers;
}

Tickers::Tickers() : by_share_(std::make_unique<std::array<std::uint16_t, 1U << kShareBits>>()) {
  const auto weight = [](std::size_t ticker) { return (std::uint64_t{1} << 32) / (ticker + 1); };
  std::uint64_t weight_all = 0;
  for (std::size_t ticker = 0; ticker < kTickerCount; ++ticker) weight_all += weight(ticker);

  const Stream levels(0, "ticker level");
  std::uint64_t weight_so_far = 0;
  std::size_t given = 0;
  for (std::size_t ticker = 0; ticker < kTickerCount; ++ticker) {
    weight_so_far += weight(ticker);
    const std::size_t upto = by_share_->size() * weight_so_far / weight_all;
    std::fill(by_share_->begin() + given, by_share_->begin() + upto,
              static_cast<std::uint16_t>(ticker));
    given = upto;
    // Between 5 and 405 dollars, most of them low.
    const std::uint64_t random = levels.at(ticker);
    level_cents_[ticker] =
        static_cast<std::int32_t>(500 + bounded(random, 200) * ((random & 0xFF) * 200 >> 8));
  }
}

}  // namespace hdbench::datagen
