#include "datagen/day_counts.h"

#include <algorithm>
#include <numeric>

#include "datagen/calendar.h"
#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

template <class Pick>
std::uint64_t sum(const std::vector<DayCount>& days, std::int32_t from, Pick pick) {
  std::uint64_t total = 0;
  for (const DayCount& day : days) {
    if (day.date >= from) total += pick(day);
  }
  return total;
}

constexpr auto kRows = [](const DayCount& day) { return day.rows(); };
constexpr auto kSelected = [](const DayCount& day) { return day.selected; };

const DayCount& on(const std::vector<DayCount>& days, std::int32_t date) {
  return *std::find_if(days.begin(), days.end(), [&](auto& day) { return day.date == date; });
}

}  // namespace

TEST_CASE("the paper's counts at scale 1 are the published ones to the row") {
  const auto days = day_counts({});
  CHECK(days.size() == 62);
  CHECK(sum(days, 0, kRows) == 191113021);
  CHECK(sum(days, 0, kSelected) == 189941620);
  CHECK(sum(days, date_of(2020, 1, 3), kSelected) == 71643220);
  CHECK(on(days, date_of(2020, 1, 7)).selected == 3064072);
}

TEST_CASE("days differ, rise in date, and stay within a quarter of their month's mean") {
  const auto days = day_counts({});
  CHECK(std::is_sorted(days.begin(), days.end(), [](auto& a, auto& b) { return a.date < b.date; }));
  for (const DayCount& day : days) {
    const double mean = day.date < date_of(2020, 1, 3) ? 2.82e6 : 3.6e6;
    CHECK(static_cast<double>(day.selected) > 0.75 * mean);
    CHECK(static_cast<double>(day.selected) < 1.25 * mean);
    CHECK(day.others > 12000);
  }
  CHECK(days[0].selected != days[1].selected);
}

TEST_CASE("three years are 784 days that end with the paper's own") {
  const auto days = day_counts({.profile = Profile::kPaper3y});
  const auto paper = day_counts({});
  CHECK(days.size() == 784);
  CHECK(sum(days, 0, kRows) == 2163100445);
  CHECK(sum(days, date_of(2019, 11, 1), kSelected) == 189941620);
  CHECK(std::equal(paper.begin(), paper.end(), days.end() - 62, [](auto& a, auto& b) {
    return a.date == b.date && a.selected == b.selected && a.others == b.others;
  }));
}

TEST_CASE("taq has 20 days of about ten million rows") {
  const auto days = day_counts({.profile = Profile::kTaq});
  CHECK(days.size() == 20);
  CHECK(sum(days, 0, kRows) == 200000000);
  for (const DayCount& day : days) CHECK(day.others == 0);
}

TEST_CASE("a scale multiplies every count and rounds") {
  const auto whole = day_counts({});
  const auto tenth = day_counts({.scale = 0.1});
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CHECK(tenth[i].selected == (whole[i].selected + 5) / 10);
    CHECK(tenth[i].others == (whole[i].others + 5) / 10);
  }
}

TEST_CASE("the smallest scale keeps enough rows for every combination") {
  for (const DayCount& day : day_counts({.scale = 1e-12})) {
    CHECK(day.selected == kSelectedMin);
    CHECK(day.others == kOthersMin);
  }
}

}  // namespace hdbench::datagen
