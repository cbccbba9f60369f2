// Assigns each row's combination of the paper's three symbol columns.
//
// A row has one class; a class fixes col1, col2 and col3. Of the selected rows (val1, val2,
// val3), val1 has 2 values of col1, val1 and val2 together 3, all three 4 pairs (col1,col2), on
// every date: the first rows of a day are dealt in turn, so that the smallest day has them too. The
// other rows are as many as the day's count says, one at a random place in each of as many equal
// strata: exact, evenly spread, and found from a row number alone.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "datagen/day_counts.h"
#include "datagen/random.h"

namespace hdbench::datagen {

// The symbols of the domain, in the order of their codes (on purpose not text order).
std::span<const std::string_view> paper_symbols();

// Codes of the columns by class.
struct PaperClass {
  std::int64_t col1 = 0;
  std::int64_t col2 = 0;
  std::int64_t col3 = 0;
};
constexpr std::size_t kSelectedClasses = 6;
constexpr std::size_t kOtherClasses = 5;
extern const std::array<PaperClass, kSelectedClasses + kOtherClasses> kPaperClasses;

// The distinct values among the selected rows of every date.
constexpr std::uint64_t kCol1OfVal1 = 2;
constexpr std::uint64_t kCol1OfVal1Val2 = 3;
constexpr std::uint64_t kPairsOfSelected = 4;

// Gives the classes of one day's rows, in any order; ascending order is fastest.
class PaperRows {
 public:
  // Requires: day.others > 0.
  PaperRows(std::uint64_t seed, const DayCount& day);

  // An index into kPaperClasses. Requires: row < day.rows().
  std::size_t class_of(std::uint64_t row) {
    if (row - stratum_first_ >= stratum_rows_) enter_stratum_of(row);
    if (row == other_row_) return other_class_;
    if (row < kDealtRows) return kDealt[row % kDealt.size()];
    return class_by_byte_[classes_.at(row) >> 56];
  }

 private:
  // One class for each pair, two of them of val1: kDealtRows in turn leave one of each selected,
  // as a stratum has nine rows or more.
  static constexpr std::array<std::uint8_t, 4> kDealt = {0, 1, 2, 4};
  static constexpr std::uint64_t kDealtRows = 16;
  static_assert((kSelectedMin + kOthersMin) / kOthersMin >= 9);

  void enter_stratum_of(std::uint64_t row);
  std::uint64_t first_row(std::uint64_t stratum) const;

  Stream classes_;
  Stream places_;
  std::array<std::uint8_t, 256> class_by_byte_;
  std::uint64_t rows_;
  std::uint64_t others_;
  std::uint64_t stratum_first_ = 0;
  std::uint64_t stratum_rows_ = 0;
  std::uint64_t other_row_ = 0;
  std::size_t other_class_ = 0;
};

}  // namespace hdbench::datagen
