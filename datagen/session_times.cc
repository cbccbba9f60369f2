#include "datagen/session_times.h"

#include <array>
#include <cstddef>

namespace hdbench::datagen {
namespace {

struct Span {
  std::int64_t seconds;  // from here, since midnight
  std::uint64_t before;  // of a thousand rows, those earlier than this
};

constexpr std::int64_t at_clock(std::int64_t hour, std::int64_t minute, std::int64_t second = 0) {
  return (hour * 60 + minute) * 60 + second;
}

constexpr std::uint64_t kAllRows = 1000;
constexpr std::array<Span, 13> kSpans = {{{at_clock(4, 0), 0},
                                          {at_clock(8, 0), 15},
                                          {at_clock(9, 30), 35},
                                          {at_clock(9, 30, 5), 60},
                                          {at_clock(9, 35), 105},
                                          {at_clock(10, 0), 205},
                                          {at_clock(12, 0), 430},
                                          {at_clock(14, 0), 610},
                                          {at_clock(15, 30), 800},
                                          {at_clock(15, 55), 900},
                                          {at_clock(16, 0), 980},
                                          {at_clock(16, 0, 10), 992},
                                          {at_clock(20, 0), kAllRows}}};

}  // namespace

void SessionTimes::enter_span_of(std::uint64_t row) {
  std::size_t span = 0;
  while (rows_ * kSpans[span + 1].before / kAllRows <= row) ++span;
  first_ = rows_ * kSpans[span].before / kAllRows;
  count_ = rows_ * kSpans[span + 1].before / kAllRows - first_;
  start_ = kSpans[span].seconds * kSecondNs;
  step_ = static_cast<std::uint64_t>(kSpans[span + 1].seconds * kSecondNs - start_) / count_;
}

}  // namespace hdbench::datagen
