// One operation of an expression over blocks of elements.
//
// A kernel is one loop over plain arrays, compiled for each vector instruction set. It allocates
// nothing and cannot fail: its caller has checked types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/column/type.h"
#include "engine/expression/expression.h"

namespace hdbench {

// The lines of a later block of some columns, requested while a block is worked on.
//
// An expression passes over a block several times, and reads memory in a few of the passes alone:
// lines that are requested in all of them, a few at a time, come while the others calculate.
class LinesAhead {
 public:
  LinesAhead() = default;
  // Asks for `rows` elements of each column, `behind` rows behind those that begin() tells. The
  // widths must outlive this. fetch() is called `calls` times a block, at most: with fewer calls,
  // lines of the last columns are not requested.
  LinesAhead(std::span<const std::uint32_t> widths, std::size_t rows, std::size_t behind,
             std::size_t calls)
      : widths_(widths), rows_(rows), behind_(behind) {
    std::size_t lines = 0;
    for (const std::uint32_t width : widths) lines += rows * width / kLineBytes;
    at_a_time_ = calls == 0 ? 0 : (lines + calls - 1) / calls;
  }

  // Takes a block's first elements, by column, which must be there while it is worked on. Lines
  // that are not there are requested in vain.
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

// Rows of a step at most.
inline constexpr std::size_t kStepRowsMax = 1024;

inline constexpr std::size_t kNoCast = SIZE_MAX;

// Arguments are arrays of `count` elements without any alignment; `out` is aligned to its elements
// and overlaps no argument.
struct ArithmeticStep {
  Operation operation = Operation::kAdd;
  QType from = QType::kLong;  // of the arguments; kChoose: of the last two
  QType to = QType::kLong;
  std::array<const std::byte*, 3> arguments{};
  // The argument has one value: kBar divides by its first faster then, kIntegerDivide and kModulo
  // by their second.
  std::array<bool, 3> is_constant{};
  // The argument that is of another type, `cast_from`, and is cast on the way; kNoCast: none.
  // Requires: casts_on_the_way().
  std::size_t cast_argument = kNoCast;
  QType cast_from = QType::kLong;
  std::size_t count = 0;  // kStepRowsMax at most
  std::byte* out = nullptr;
  LinesAhead* ahead = nullptr;  // null: nothing is requested meanwhile
};

// Elements between two calls of LinesAhead::fetch().
inline constexpr std::size_t kStepStrip = 64;

// Requires: none of the operations on fields, rows, constants, sets, patterns and parts of
// temporals; casts between temporal types only from date to month and back. Symbols are their
// codes, 8 bytes each, which are compared and chosen alone.
void run_step(const ArithmeticStep& step);

// Whether an operation on `to` can cast one of its arguments itself, so that no pass over a block
// is needed for it.
bool casts_on_the_way(Operation operation, QType from, QType to);

// Makes every null of reals or floats the same one.
void make_nulls_one(QType type, std::size_t count, std::byte* elements);

}  // namespace hdbench
