// The lines of a later block of some columns, asked for while a block is worked on.
//
// An expression passes over a block several times, and reads memory in a few of the passes alone:
// lines that are asked for in all of them, a few at a time, come while the others calculate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hdbench {

class LinesAhead {
 public:
  LinesAhead() = default;
  // Asks for `rows` elements of each column, `behind` rows behind those that begin() tells. The
  // widths must outlive this. fetch() is called `calls` times a block, at most: with fewer calls,
  // lines of the last columns are not asked for.
  LinesAhead(std::span<const std::uint32_t> widths, std::size_t rows, std::size_t behind,
             std::size_t calls)
      : widths_(widths), rows_(rows), behind_(behind) {
    std::size_t lines = 0;
    for (const std::uint32_t width : widths) lines += rows * width / kLineBytes;
    at_a_time_ = calls == 0 ? 0 : (lines + calls - 1) / calls;
  }

  // Takes a block's first elements, by column, which must be there while it is worked on. Lines
  // that are not there are asked for in vain.
  void begin(std::span<const std::byte* const> columns) {
    columns_ = columns;
    next_ = 0;
    at_ = end_ = nullptr;
  }

  // Always inlined: GCC 12 takes a function that only prefetches for one without effect, and drops
  // the call.
  [[gnu::always_inline]] void fetch() {
    if (at_ >= end_) {
      if (next_ == columns_.size()) return;
      at_ = columns_[next_] + behind_ * widths_[next_];
      end_ = at_ + rows_ * widths_[next_++];
    }
    for (std::size_t line = 0; line < at_a_time_; ++line)
      __builtin_prefetch(at_ + line * kLineBytes, /*rw=*/0, kSecondLevel);
    at_ += at_a_time_ * kLineBytes;
  }

 private:
  static constexpr std::size_t kLineBytes = 64;
  // As __builtin_prefetch counts levels: more lines can be on their way to the second-level cache
  // than to the first.
  static constexpr int kSecondLevel = 2;

  std::span<const std::uint32_t> widths_;
  std::size_t rows_ = 0;
  std::size_t behind_ = 0;
  std::size_t at_a_time_ = 0;
  std::span<const std::byte* const> columns_;
  std::size_t next_ = 0;  // of the columns
  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
};

}  // namespace hdbench
