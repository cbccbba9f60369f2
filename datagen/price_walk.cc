#include "datagen/price_walk.h"

namespace hdbench::datagen {
namespace {

constexpr std::int64_t kLevel = 10'000;

std::int64_t opening_level(std::uint64_t seed, std::int32_t date) {
  const auto place = static_cast<std::uint64_t>(date);
  return kLevel + Slope(Stream(seed, "level by month"), 5, 1500).at(place) +
         Slope(Stream(seed, "level by week"), 3, 600).at(place) +
         Slope(Stream(seed, "level by day"), 0, 150).at(place);
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

}  // namespace hdbench::datagen
