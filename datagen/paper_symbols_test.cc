#include "datagen/paper_symbols.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

struct Combinations {
  std::set<std::int64_t> col1_of_val1, col1_of_val1_val2;
  std::set<std::pair<std::int64_t, std::int64_t>> pairs_of_selected;
  std::uint64_t selected = 0;
  std::uint64_t others = 0;
};

Combinations count(std::uint64_t seed, const DayCount& day) {
  Combinations found;
  PaperRows rows(seed, day);
  for (std::uint64_t row = 0; row < day.rows(); ++row) {
    const PaperClass& in = kPaperClasses[rows.class_of(row)];
    const std::string_view value = paper_symbols()[static_cast<std::size_t>(in.col3)];
    if (value > "val3") {
      ++found.others;
      continue;
    }
    ++found.selected;
    if (value == "val1") found.col1_of_val1.insert(in.col1);
    if (value != "val3") found.col1_of_val1_val2.insert(in.col1);
    found.pairs_of_selected.insert({in.col1, in.col2});
  }
  return found;
}

void check(std::uint64_t seed, const DayCount& day) {
  const Combinations found = count(seed, day);
  CHECK(found.selected == day.selected);
  CHECK(found.others == day.others);
  CHECK(found.col1_of_val1.size() == kCol1OfVal1);
  CHECK(found.col1_of_val1_val2.size() == kCol1OfVal1Val2);
  CHECK(found.pairs_of_selected.size() == kPairsOfSelected);
}

}  // namespace

TEST_CASE("the smallest day has every combination and exactly its others, whatever the seed") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    check(seed, {.date = 7311, .selected = kSelectedMin, .others = kOthersMin});
  }
}

TEST_CASE("days of any size have exactly their counts") {
  check(1, {.date = 7311, .selected = 65, .others = 8});
  check(1, {.date = 7311, .selected = 30641, .others = 187});
  check(1, {.date = 7311, .selected = 99991, .others = 9999});
}

TEST_CASE("the codes are not in text order, so that mixing the two up shows") {
  const auto symbols = paper_symbols();
  CHECK_FALSE(std::is_sorted(symbols.begin(), symbols.end()));
  CHECK(std::set<std::string_view>(symbols.begin(), symbols.end()).size() == symbols.size());
}

}  // namespace hdbench::datagen
