#include "datagen/taq_values.h"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "datagen/tickers.h"
#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

constexpr DayCount kTaqDay{.date = 7311, .selected = 40'000};

template <class Element>
std::vector<Element> taq(std::size_t table, const std::string& name, std::uint64_t seed = 1) {
  const auto tables = table_plans({.profile = Profile::kTaq});
  for (const ColumnPlan& column : tables[table].columns) {
    if (column.name != name) continue;
    REQUIRE(type_width(column.type) == sizeof(Element));
    std::vector<Element> out(kTaqDay.rows());
    fill_taq_column(column, seed, kTaqDay, {.count = out.size()},
                    std::as_writable_bytes(std::span(out)));
    return out;
  }
  FAIL("no column " << name);
  return {};
}

constexpr std::size_t kTradeTable = 0;
constexpr std::size_t kQuoteTable = 1;

std::vector<std::int64_t> times(std::uint64_t rows) {
  SessionTimes session(Stream(1, "time", 7307), rows);
  std::vector<std::int64_t> found;
  for (std::uint64_t row = 0; row < rows; ++row) found.push_back(session.at(row));
  return found;
}

// Of the times, the share within these seconds from `from`.
double share(const std::vector<std::int64_t>& times, std::int64_t from, std::int64_t seconds) {
  std::size_t count = 0;
  for (const std::int64_t time : times) {
    count += time >= from && time < from + seconds * kSecondNs;
  }
  return static_cast<double>(count) / static_cast<double>(times.size());
}

}  // namespace

TEST_CASE("few quotes are locked, fewer crossed or without a bid, all are whole cents") {
  const auto bid = taq<float>(kQuoteTable, "bid");
  const auto ask = taq<float>(kQuoteTable, "ask");
  const auto bid_size = taq<std::int32_t>(kQuoteTable, "bsize");
  const auto ask_size = taq<std::int32_t>(kQuoteTable, "asize");
  std::size_t locked = 0, crossed = 0, without = 0;
  for (std::size_t i = 0; i < bid.size(); ++i) {
    REQUIRE(ask[i] > 3.0F);
    REQUIRE(std::abs(bid[i] * 100.0F - std::round(bid[i] * 100.0F)) < 0.01F);
    REQUIRE(bid_size[i] % 100 == 0);
    REQUIRE((bid_size[i] == 0) == (bid[i] == 0.0F));
    REQUIRE((ask_size[i] >= 100 && ask_size[i] <= 3200 && ask_size[i] % 100 == 0));
    locked += bid[i] == ask[i];
    crossed += bid[i] > ask[i];
    without += bid[i] == 0.0F;
  }
  for (const std::size_t count : {locked, crossed, without}) {
    CHECK(count > bid.size() / 1000);
    CHECK(count < bid.size() / 50);
  }
}

TEST_CASE("both tables name seventeen exchanges, and only D's trades have a reporter") {
  for (const std::size_t table : {kTradeTable, kQuoteTable}) {
    const auto on = taq<char>(table, "ex");
    CHECK(std::set<char>(on.begin(), on.end()).size() == 17);
  }
  const auto on = taq<char>(kTradeTable, "ex");
  const auto by = taq<char>(kTradeTable, "trf");
  for (std::size_t i = 0; i < on.size(); ++i) REQUIRE((on[i] == 'D') == (by[i] != ' '));
}

TEST_CASE("a trade's condition agrees with its size and its time") {
  const auto time = taq<std::int64_t>(kTradeTable, "time");
  const auto size = taq<std::int32_t>(kTradeTable, "size");
  std::map<std::string_view, std::size_t> counts;
  const auto codes = taq<std::int64_t>(kTradeTable, "cond");
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::size_t index = static_cast<std::size_t>(codes[i]) - kTickerCount;
    REQUIRE(index < kTradeConditions.size());
    const std::string_view cond = kTradeConditions[index];
    ++counts[cond];
    if (cond == "O") {
      REQUIRE((time[i] >= kOpeningNs && time[i] < kOpeningNs + 5 * kSecondNs));
    } else if (cond == "6") {
      REQUIRE((time[i] >= kClosingNs && time[i] < kClosingNs + 10 * kSecondNs));
    } else {
      REQUIRE((cond.find('I') != cond.npos) == (size[i] % 100 != 0));
      REQUIRE((cond.find('T') != cond.npos) == (time[i] < kOpeningNs || time[i] >= kClosingNs));
    }
  }
  CHECK(counts.size() == kTradeConditions.size());
  CHECK(counts[""] > codes.size() / 4);
}

TEST_CASE("the rows of a table are its own, and another seed gives others") {
  CHECK(taq<std::int64_t>(kTradeTable, "sym") != taq<std::int64_t>(kQuoteTable, "sym"));
  CHECK(taq<std::int64_t>(kTradeTable, "time") != taq<std::int64_t>(kQuoteTable, "time"));
  CHECK(taq<float>(kQuoteTable, "bid") != taq<float>(kQuoteTable, "bid", 2));
  const auto sequence = taq<std::int32_t>(kQuoteTable, "seq");
  CHECK(sequence.front() == 1);
  CHECK(sequence.back() == static_cast<std::int32_t>(kTaqDay.rows()));
}

TEST_CASE("a ticker keeps its source and its short sale restriction for a day") {
  const auto ticker = taq<std::int64_t>(kQuoteTable, "sym");
  for (const char* name : {"source", "ssr"}) {
    std::map<std::int64_t, char> letter_of;
    std::set<char> letters;
    const auto column = taq<char>(kQuoteTable, name);
    for (std::size_t i = 0; i < ticker.size(); ++i) {
      REQUIRE(letter_of.emplace(ticker[i], column[i]).first->second == column[i]);
      letters.insert(column[i]);
    }
    CHECK(letters.size() == 2);
  }
}

TEST_CASE("days of any size lie between four and twenty o'clock and never fall") {
  for (const std::uint64_t rows : {1U, 4U, 64U, 999U, 100'000U}) {
    const auto found = times(rows);
    CHECK(found.front() >= 4 * 3600 * kSecondNs);
    CHECK(found.back() < 20 * 3600 * kSecondNs);
    for (std::size_t i = 1; i < found.size(); ++i) REQUIRE(found[i] >= found[i - 1]);
  }
}

TEST_CASE("opening and closing are bursts, and some rows lie before and after them") {
  const auto found = times(100'000);
  CHECK(share(found, kOpeningNs, 5) > 0.02);
  CHECK(share(found, kClosingNs, 10) > 0.01);
  CHECK(share(found, kOpeningNs, 1800) > 2 * share(found, kOpeningNs + 3 * 3600 * kSecondNs, 1800));
  CHECK(share(found, kClosingNs - 300 * kSecondNs, 300) > 0.07);
  CHECK(share(found, 0, 9 * 3600 + 1800) > 0.03);
  CHECK(share(found, kClosingNs, 4 * 3600) < 0.03);
}

}  // namespace hdbench::datagen
