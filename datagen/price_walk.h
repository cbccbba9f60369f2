// A random-walk price, computed from a row number alone, in integers.
//
// It is the sum of a line from the day's opening level to the next date's, of three slopes of
// different length between random knots, and of a tick of jitter for each row. Knots are cached
// while rows stay between them, so ascending rows are cheap.
#pragma once

#include <cstdint>

#include "datagen/day_counts.h"
#include "datagen/random.h"

namespace hdbench::datagen {

// Straight lines between random knots, 2^shift apart, each within +-amplitude.
class Slope {
 public:
  constexpr Slope(const Stream& knots, unsigned shift, std::uint32_t amplitude)
      : knots_(knots), shift_(shift), amplitude_(amplitude) {}

  constexpr std::int64_t at(std::uint64_t place) {
    const std::uint64_t segment = place >> shift_;
    if (segment != segment_) {
      segment_ = segment;
      from_ = knot(segment);
      rise_ = knot(segment + 1) - from_;
    }
    const auto along = static_cast<std::int64_t>(place & ((std::uint64_t{1} << shift_) - 1));
    return from_ + (rise_ * along >> shift_);
  }

 private:
  constexpr std::int64_t knot(std::uint64_t index) const {
    return static_cast<std::int64_t>(bounded(knots_.at(index), 2 * amplitude_ + 1)) -
           static_cast<std::int64_t>(amplitude_);
  }

  Stream knots_;
  unsigned shift_;
  std::uint32_t amplitude_;
  std::uint64_t segment_ = ~std::uint64_t{0};
  std::int64_t from_ = 0;
  std::int64_t rise_ = 0;
};

class PriceWalk {
 public:
  // Requires: day.rows() > 0.
  PriceWalk(std::uint64_t seed, const DayCount& day);

  // About 10000 (hundredths), never below 5000. Requires: row < day.rows().
  std::int64_t at(std::uint64_t row) {
    const auto along = static_cast<std::int64_t>(row * part_of_day_ >> 32);  // of 65536
    return open_ + (rise_ * along >> 16) + hours_.at(row) + minutes_.at(row) + seconds_.at(row) +
           static_cast<std::int64_t>(jitter_.at(row) & 3);
  }

 private:
  std::int64_t open_;
  std::int64_t rise_;
  std::uint64_t part_of_day_;
  Slope hours_;
  Slope minutes_;
  Slope seconds_;
  Stream jitter_;
};

// The price of each of the taq profile's tickers: a walk of its own over the time of day, not over
// rows, so that trades and quotes of one time are near each other.
class TickerWalk {
 public:
  TickerWalk(std::uint64_t seed, std::int32_t date);

  // The middle of the quotes in hundredths of a cent, within a quarter of the ticker's level.
  // Requires: 0 <= time (nanoseconds since midnight) < a day. Rising times of one ticker are
  // fastest.
  std::int64_t at(std::uint16_t ticker, std::int64_t time);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  void enter(std::uint16_t ticker);

  std::uint64_t seed_;
  std::int32_t date_;
  std::uint32_t ticker_ = kNone;
  std::int64_t level_cents_ = 0;
  std::int64_t open_ = 0;
  std::int64_t rise_ = 0;
  Slope hours_;
  Slope minutes_;
  Slope seconds_;
};

}  // namespace hdbench::datagen
