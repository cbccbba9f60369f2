// The lines of the next block of some columns, asked for while a block is worked on.
//
// An expression passes over a block several times, and reads memory in a few of the passes alone:
// lines that are asked for in all of them, a few at a time, come while the others calculate.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace hdbench {

class LinesAhead {
 public:
  static constexpr std::size_t kLineBytes = 64;

  // Elements that a column has in the next block, at any address: those that are not there are
  // asked for in vain. Of more columns than kColumnsMax the first ones.
  void add(const std::byte* begin, std::size_t bytes) {
    if (count_ == kColumnsMax) return;
    columns_[count_++] = {begin, begin + bytes};
    lines_ += bytes / kLineBytes;
  }
  // After all are added: fetch() will be called `calls` times.
  void begin(std::size_t calls) {
    at_a_time_ = calls == 0 ? 0 : (lines_ + calls - 1) / calls;
    next_ = 0;
    now_ = {};
  }

  // Always inlined: GCC 12 takes a function that only prefetches for one without effect, and drops
  // the call.
  [[gnu::always_inline]] void fetch() {
    if (now_.begin >= now_.end) {
      if (next_ == count_) return;
      now_ = columns_[next_++];
    }
    for (std::size_t line = 0; line < at_a_time_; ++line)
      __builtin_prefetch(now_.begin + line * kLineBytes);
    now_.begin += at_a_time_ * kLineBytes;
  }

 private:
  static constexpr std::size_t kColumnsMax = 8;
  struct Column {
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;
  };

  std::array<Column, kColumnsMax> columns_{};
  std::size_t count_ = 0;
  std::size_t lines_ = 0;
  std::size_t at_a_time_ = 0;
  std::size_t next_ = 0;  // of the columns
  Column now_;
};

}  // namespace hdbench
