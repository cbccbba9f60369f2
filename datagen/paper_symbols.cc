#include "datagen/paper_symbols.h"

namespace hdbench::datagen {
namespace {

constexpr std::array<std::string_view, 15> kSymbols = {"grp2", "grp1", "grp3", "grp4", "sub2",
                                                       "sub1", "sub3", "val2", "val1", "val3",
                                                       "val5", "val4", "val7", "val6", "val8"};

constexpr std::int64_t code(std::string_view symbol) {
  for (std::size_t i = 0; i < kSymbols.size(); ++i) {
    if (kSymbols[i] == symbol) return static_cast<std::int64_t>(i);
  }
  return -1;
}

constexpr PaperClass make_class(std::string_view col1, std::string_view col2,
                                std::string_view col3) {
  return {code(col1), code(col2), code(col3)};
}

// Of 256 selected rows, how many each class has on average.
constexpr std::array<unsigned, kSelectedClasses> kWeights = {60, 42, 60, 30, 40, 24};

}  // namespace

constexpr std::array<PaperClass, kSelectedClasses + kOtherClasses> kPaperClasses = {
    make_class("grp1", "sub1", "val1"), make_class("grp2", "sub2", "val1"),
    make_class("grp3", "sub1", "val2"), make_class("grp1", "sub1", "val2"),
    make_class("grp3", "sub2", "val3"), make_class("grp2", "sub2", "val3"),
    make_class("grp1", "sub2", "val4"), make_class("grp4", "sub3", "val5"),
    make_class("grp2", "sub3", "val6"), make_class("grp4", "sub1", "val7"),
    make_class("grp3", "sub3", "val8")};

std::span<const std::string_view> paper_symbols() { return kSymbols; }

PaperRows::PaperRows(std::uint64_t seed, const DayCount& day)
    : classes_(seed, "class", day.date),
      places_(seed, "other", day.date),
      rows_(day.rows()),
      others_(day.others) {
  std::size_t byte = 0;
  for (std::size_t i = 0; i < kWeights.size(); ++i) {
    for (unsigned n = 0; n < kWeights[i]; ++n)
      class_by_byte_[byte++] = static_cast<std::uint8_t>(i);
  }
}

// The smallest row r with r * others / rows >= stratum.
std::uint64_t PaperRows::first_row(std::uint64_t stratum) const {
  return (stratum * rows_ + others_ - 1) / others_;
}

void PaperRows::enter_stratum_of(std::uint64_t row) {
  const std::uint64_t stratum = row * others_ / rows_;
  stratum_first_ = first_row(stratum);
  stratum_rows_ = first_row(stratum + 1) - stratum_first_;
  const std::uint64_t random = places_.at(stratum);
  other_row_ = stratum_first_ + bounded(random, static_cast<std::uint32_t>(stratum_rows_));
  other_class_ = kSelectedClasses + ((random & 0xFFFF) * kOtherClasses >> 16);
}

}  // namespace hdbench::datagen
