#include "datagen/taq_values.h"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "datagen/session_times.h"
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

constexpr std::size_t kTrades = 0;
constexpr std::size_t kQuotes = 1;

template <class Element, class Test>
double part(const std::vector<Element>& values, Test test) {
  std::size_t count = 0;
  for (const Element value : values) count += test(value);
  return static_cast<double>(count) / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("few quotes are locked, fewer crossed or without a bid, all are whole cents") {
  const auto bid = taq<float>(kQuotes, "bid");
  const auto ask = taq<float>(kQuotes, "ask");
  const auto bid_size = taq<std::int32_t>(kQuotes, "bsize");
  const auto ask_size = taq<std::int32_t>(kQuotes, "asize");
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
  for (const std::size_t table : {kTrades, kQuotes}) {
    const auto on = taq<char>(table, "ex");
    CHECK(std::set<char>(on.begin(), on.end()).size() == 17);
  }
  const auto on = taq<char>(kTrades, "ex");
  const auto by = taq<char>(kTrades, "trf");
  for (std::size_t i = 0; i < on.size(); ++i) REQUIRE((on[i] == 'D') == (by[i] != ' '));
}

TEST_CASE("a trade's condition agrees with its size and its time") {
  const auto time = taq<std::int64_t>(kTrades, "time");
  const auto size = taq<std::int32_t>(kTrades, "size");
  std::map<std::string_view, std::size_t> counts;
  const auto codes = taq<std::int64_t>(kTrades, "cond");
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

TEST_CASE("trades are odd lots, round lots and a few blocks") {
  const auto size = taq<std::int32_t>(kTrades, "size");
  CHECK(part(size, [](auto shares) { return shares < 1; }) == 0);
  const double odd = part(size, [](auto shares) { return shares < 100; });
  CHECK(odd > 0.38);
  CHECK(odd < 0.42);
  CHECK(part(size, [](auto shares) { return shares > 3200; }) > 0.001);
  CHECK(part(size, [](auto shares) { return shares > 100 && shares % 100 != 0; }) == 0);
}

TEST_CASE("what is mostly blank, zero or there is so, and sometimes is not") {
  const auto blank = [](char letter) { return letter == ' '; };
  for (const auto& [table, name] : {std::pair(kTrades, "stop"), std::pair(kQuotes, "ssr")}) {
    const double blanks = part(taq<char>(table, name), blank);
    CHECK(blanks > 0.8);
    CHECK(blanks < 1.0);
  }
  const double right =
      part(taq<std::int16_t>(kTrades, "corr"), [](auto code) { return code == 0; });
  CHECK(right > 0.99);
  CHECK(right < 1.0);
  for (const std::size_t table : {kTrades, kQuotes}) {
    const auto time = taq<std::int64_t>(table, "time");
    auto apart = taq<std::int64_t>(table, "ptime");
    const double nulls = part(apart, [](auto at) { return at == kNullLong; });
    CHECK(nulls > 0.001);
    CHECK(nulls < 0.02);
    for (std::size_t i = 0; i < time.size(); ++i) {
      apart[i] = apart[i] == kNullLong ? -1 : apart[i] - time[i];
      REQUIRE(std::abs(apart[i]) < 500'000);
    }
    CHECK(part(apart, [](auto ns) { return ns < 0; }) > 0.95);
    CHECK(part(apart, [](auto ns) { return ns > 0; }) > 0.005);
  }
}

TEST_CASE("the rows of a table are its own, and another seed gives others") {
  CHECK(taq<std::int64_t>(kTrades, "sym") != taq<std::int64_t>(kQuotes, "sym"));
  CHECK(taq<std::int64_t>(kTrades, "time") != taq<std::int64_t>(kQuotes, "time"));
  CHECK(taq<float>(kQuotes, "bid") != taq<float>(kQuotes, "bid", 2));
  const auto sequence = taq<std::int32_t>(kQuotes, "seq");
  CHECK(sequence.front() == 1);
  CHECK(sequence.back() == static_cast<std::int32_t>(kTaqDay.rows()));
}

TEST_CASE("a ticker keeps its source and its short sale restriction for a day") {
  const auto ticker = taq<std::int64_t>(kQuotes, "sym");
  for (const char* name : {"source", "ssr"}) {
    std::map<std::int64_t, char> letter_of;
    std::set<char> letters;
    const auto column = taq<char>(kQuotes, name);
    for (std::size_t i = 0; i < ticker.size(); ++i) {
      REQUIRE(letter_of.emplace(ticker[i], column[i]).first->second == column[i]);
      letters.insert(column[i]);
    }
    CHECK(letters.size() == 2);
  }
}

}  // namespace hdbench::datagen
