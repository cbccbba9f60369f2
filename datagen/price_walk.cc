#include "datagen/price_walk.h"

#include "datagen/tickers.h"

namespace hdbench::datagen {
namespace {

constexpr std::int64_t kLevel = 10'000;

std::int64_t opening_level(std::uint64_t seed, std::int32_t date) {
  const auto place = static_cast<std::uint64_t>(date);
  return kLevel + Slope(Stream(seed, "level by month"), 5, 1500).at(place) +
         Slope(Stream(seed, "level by week"), 3, 600).at(place) +
         Slope(Stream(seed, "level by day"), 0, 150).at(place);
}

// A ticker's walk is in millionths of its level, over units of 2^20 ns.
constexpr std::int64_t kMillion = 1'000'000;
constexpr unsigned kUnitShift = 20;
constexpr std::uint64_t kUnitsADay = (std::uint64_t{86'400} * 1'000'000'000) >> kUnitShift;

// Tickers have knots of their own: their places are this far apart.
constexpr std::uint64_t ticker_place(std::uint32_t ticker) { return std::uint64_t{ticker} << 32; }

std::int64_t ticker_level(std::uint64_t seed, std::uint32_t ticker, std::int32_t date) {
  const std::uint64_t place = ticker_place(ticker) + static_cast<std::uint64_t>(date);
  return kMillion + Slope(Stream(seed, "ticker by month"), 5, 150'000).at(place) +
         Slope(Stream(seed, "ticker by week"), 3, 60'000).at(place) +
         Slope(Stream(seed, "ticker by day"), 0, 15'000).at(place);
}

}  // namespace

PriceWalk::PriceWalk(std::uint64_t seed, const DayCount& day)
    : open_(opening_level(seed, day.date)),
      rise_(opening_level(seed, day.date + 1) - open_),
      part_of_day_((std::uint64_t{1} << 48) / day.rows()),
      hours_(Stream(seed, "price by hour", day.date), 14, 60),
      minutes_(Stream(seed, "price by minute", day.date), 9, 20),
      seconds_(Stream(seed, "price by second", day.date), 4, 5),
      jitter_(seed, "price", day.date) {}

TickerWalk::TickerWalk(std::uint64_t seed, std::int32_t date)
    : seed_(seed),
      date_(date),
      hours_(Stream(seed, "ticker by hour", date), 22, 6'000),
      minutes_(Stream(seed, "ticker by minute", date), 16, 1'200),
      seconds_(Stream(seed, "ticker by second", date), 12, 200) {}

std::int64_t TickerWalk::at(std::uint16_t ticker, std::int64_t time) {
  if (ticker != ticker_) enter(ticker);
  const std::uint64_t unit = static_cast<std::uint64_t>(time) >> kUnitShift;
  const auto along = static_cast<std::int64_t>((unit << 16) / kUnitsADay);  // of 65536
  const std::uint64_t place = ticker_place(ticker) + unit;
  const std::int64_t walk =
      open_ + (rise_ * along >> 16) + hours_.at(place) + minutes_.at(place) + seconds_.at(place);
  return level_cents_ * walk / (kMillion / 100);
}

void TickerWalk::enter(std::uint16_t ticker) {
  ticker_ = ticker;
  level_cents_ = Tickers::instance().level_cents(ticker);
  open_ = ticker_level(seed_, ticker, date_);
  rise_ = ticker_level(seed_, ticker, date_ + 1) - open_;
}

}  // namespace hdbench::datagen
