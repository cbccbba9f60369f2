// Times of a trading day's rows, 04:00 to 20:00, dense where a market is busy: at the opening
// (09:30) and the closing (16:00), sparse before and after them.
//
// The day is cut into spans, each with a fixed share of the rows. The rows of a span divide it into
// equal steps; each is at a random place within its own. So times never fall as rows rise.
#pragma once

#include <cstdint>

#include "datagen/random.h"

namespace hdbench::datagen {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kOpeningNs = (9 * 3600 + 30 * 60) * kSecondNs;
constexpr std::int64_t kClosingNs = 16 * 3600 * kSecondNs;

class SessionTimes {
 public:
  // Requires: rows > 0, below 2^32.
  SessionTimes(const Stream& places, std::uint64_t rows) : places_(places), rows_(rows) {}

  // In nanoseconds since midnight. Rows in any order; neighbours are fastest. Requires: row < rows.
  std::int64_t at(std::uint64_t row) {
    if (row - first_ >= count_) enter_span_of(row);
    // Of the random place 20 bits, as the step of the smallest day has 44.
    const std::uint64_t within = (places_.at(row) >> 44) * step_ >> 20;
    return start_ + static_cast<std::int64_t>((row - first_) * step_ + within);
  }

 private:
  void enter_span_of(std::uint64_t row);

  Stream places_;
  std::uint64_t rows_;
  std::uint64_t first_ = 0;  // of the span's rows
  std::uint64_t count_ = 0;
  std::uint64_t step_ = 0;
  std::int64_t start_ = 0;
};

}  // namespace hdbench::datagen
