#include "datagen/taq_values.h"

#include <bit>
#include <string>

#include "datagen/price_walk.h"
#include "datagen/tickers.h"
#include "engine/base/check.h"
#include "engine/column/type.h"

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

// Each letter as often as it is written here, of 64; 17 exchanges each. A trade on D was reported
// by a trade reporting facility.
constexpr std::string_view kTradeExchanges =
    "DDDDDDDDDDDDDDDDDDDDDDQQQQQQQQQPPPPPPNNNNNNZZZZKKKKTTUVVJYBAXMHC";
constexpr std::string_view kQuoteExchanges =
    "PPPPPPPPPPQQQQQQQQQQZZZZZZZNNNNNNKKKKKKKTTTTUUUVVJJYYBBXXAAMHHCL";
constexpr char kReportedTrade = 'D';
constexpr std::string_view kReporters = "QQNB";
constexpr std::string_view kQuoteConditions = "RRRRRRRRRRRRROYA";
constexpr char kNullChar = ' ';

Stream row_stream(std::uint64_t seed, const ColumnPlan& column, std::string_view name,
                  std::int32_t date) {
  return {seed, std::string(column.table) + ' ' + std::string(name), date};
}

// The time and the ticker of each row of a table's day.
class TaqRows {
 public:
  TaqRows(std::uint64_t seed, const ColumnPlan& column, const DayCount& day)
      : times_(row_stream(seed, column, "time", day.date), day.rows()),
        picks_(row_stream(seed, column, "sym", day.date)) {}

  std::int64_t time(std::uint64_t row) { return times_.at(row); }
  std::uint16_t ticker(std::uint64_t row) const { return tickers_->pick(picks_.at(row)); }

 private:
  SessionTimes times_;
  Stream picks_;
  const Tickers* tickers_ = &Tickers::instance();
};

struct Sides {
  std::int64_t bid = 0;  // both in cents
  std::int64_t ask = 0;
};

// What most quotes of a ticker are about a time; `random` chooses the spread.
class UsualQuotes {
 public:
  UsualQuotes(std::uint64_t seed, const DayCount& day) : walk_(seed, day.date) {}

  Sides at(std::uint16_t ticker, std::int64_t time, std::uint64_t random) {
    const auto spread = static_cast<std::int64_t>(1 + bounded(random, 2 * mean_spread(ticker) - 1));
    const std::int64_t bid = (walk_.at(ticker, time) - spread * 50) / 100;
    return {bid, bid + spread};
  }

 private:
  // Wider for dear and for rare tickers.
  static std::uint32_t mean_spread(std::uint16_t ticker) {
    return static_cast<std::uint32_t>(1 + Tickers::instance().level_cents(ticker) / 4000 +
                                      std::bit_width(ticker) / 4);
  }

  TickerWalk walk_;
};

// Which quotes are unusual, by the random number that also chose their spread.
enum class Flaw : std::uint8_t { kNone, kLocked, kCrossed, kNoBid };

Flaw flaw_of(std::uint64_t random) {
  const std::uint64_t of_1024 = random & 1023;
  if (of_1024 < 8) return Flaw::kLocked;
  if (of_1024 < 12) return Flaw::kCrossed;
  return of_1024 < 15 ? Flaw::kNoBid : Flaw::kNone;
}

std::int32_t round_lots(std::uint64_t random) {
  return static_cast<std::int32_t>(100 * (1 + ((random & 63) * (random >> 8 & 63) >> 7)));
}

// Two fifths are odd lots, and one of 256 is a block of thousands of shares.
std::int32_t trade_size(std::uint64_t random) {
  const std::uint64_t of_256 = random >> 56;
  if (of_256 < 102) return static_cast<std::int32_t>(1 + bounded(random << 8, 99));
  return of_256 == 255 ? 50 * round_lots(random) : round_lots(random);
}

// In hundredths of a cent: at the bid or the ask, midway, or a cent beyond.
std::int64_t trade_price(const Sides& sides, std::uint64_t random) {
  const std::uint64_t of_16 = random & 15;
  if (of_16 < 6) return sides.bid * 100;
  if (of_16 < 12) return sides.ask * 100;
  if (of_16 < 14) return (sides.bid + sides.ask) * 50;
  return of_16 == 14 ? (sides.bid - 1) * 100 : (sides.ask + 1) * 100;
}

// The index into kTradeConditions.
std::size_t trade_condition(std::int64_t time, std::int32_t size, std::uint64_t random) {
  constexpr std::size_t kOpeningPrint = 8;
  constexpr std::size_t kClosingPrint = 9;
  if ((random & 7) == 0 && time >= kOpeningNs && time < kOpeningNs + 5 * kSecondNs) {
    return kOpeningPrint;
  }
  if ((random & 7) == 0 && time >= kClosingNs && time < kClosingNs + 10 * kSecondNs) {
    return kClosingPrint;
  }
  const bool sweep = random >> 56 < 77;
  const bool outside = time < kOpeningNs || time >= kClosingNs;
  return std::size_t{sweep} + 2 * std::size_t{outside} + 4 * std::size_t{size % 100 != 0};
}

// The participant's clock: mostly some hundred microseconds earlier, now and then ahead, and
// missing on one row of 128.
std::int64_t participant_time(std::int64_t time, std::uint64_t random) {
  const std::uint64_t of_128 = random & 127;
  if (of_128 == 0) return kNullLong;
  const auto apart = static_cast<std::int64_t>(10'000 + bounded(random, 490'000));
  return of_128 < 3 ? time + apart / 16 : time - apart;
}

// Few trades are corrected (1), cancelled (8) or errors (7).
std::int16_t correction(std::uint64_t random) {
  const std::uint64_t of_4096 = random >> 52;
  if (of_4096 < 2) return 1;
  if (of_4096 < 3) return 7;
  return of_4096 < 6 ? 8 : 0;
}

float dollars(std::int64_t hundredths_of_cents) {
  return static_cast<float>(static_cast<double>(hundredths_of_cents) / 10'000.0);
}

class TaqFill {
 public:
  TaqFill(const ColumnPlan& column, std::uint64_t seed, const DayCount& day, const RowSlice& slice,
          std::span<std::byte> out)
      : column_(column), seed_(seed), day_(day), slice_(slice), out_(out) {}

  void any();

 private:
  void trade();
  void quote();
  void price(bool is_bid);

  Stream stream(std::string_view name) const { return row_stream(seed_, column_, name, day_.date); }
  Stream stream() const { return stream(column_.name); }
  TaqRows rows() const { return {seed_, column_, day_}; }
  UsualQuotes quotes() const { return {seed_, day_}; }
  template <class Element, class ValueOf>
  void fill(ValueOf value_of) const {
    fill_rows<Element>(slice_, out_, value_of);
  }
  // By the ticker of each row alone.
  template <class ValueOf>
  void fill_letters(ValueOf letter_of) const {
    fill<char>([rows = rows(), letter_of](std::uint64_t row) {
      return letter_of(std::uint64_t{rows.ticker(row)});
    });
  }
  void fill_letters_of(std::string_view letters, unsigned bits) const {
    HDB_CHECK(letters.size() == std::size_t{1} << bits, "as many letters as the bits choose from");
    fill<char>([=, stream = stream()](std::uint64_t row) {
      return letters[stream.at(row) >> (64 - bits)];
    });
  }

  const ColumnPlan& column_;
  std::uint64_t seed_;
  const DayCount& day_;
  const RowSlice& slice_;
  std::span<std::byte> out_;
};

void TaqFill::any() {
  switch (column_.formula) {
    case Formula::kTaqSymbol:
      return fill<std::int64_t>(
          [rows = rows()](std::uint64_t row) { return std::int64_t{rows.ticker(row)}; });
    case Formula::kTaqTime:
      return fill<std::int64_t>(
          [rows = rows()](std::uint64_t row) mutable { return rows.time(row); });
    case Formula::kTaqParticipantTime:
      return fill<std::int64_t>([rows = rows(), stream = stream()](std::uint64_t row) mutable {
        return participant_time(rows.time(row), stream.at(row));
      });
    case Formula::kTaqSequence:
      return fill<std::int32_t>(
          [](std::uint64_t row) { return static_cast<std::int32_t>(row + 1); });
    case Formula::kTaqSource:
      return fill_letters([](std::uint64_t ticker) { return mix64(ticker) % 2 == 0 ? 'C' : 'N'; });
    default: return column_.formula < Formula::kQuoteExchange ? trade() : quote();
  }
}

void TaqFill::trade() {
  switch (column_.formula) {
    case Formula::kTradeExchange: return fill_letters_of(kTradeExchanges, 6);
    case Formula::kTradeReporter:
      return fill<char>([on = stream("ex"), stream = stream()](std::uint64_t row) {
        const bool reported = kTradeExchanges[on.at(row) >> 58] == kReportedTrade;
        return reported ? kReporters[stream.at(row) >> 62] : kNullChar;
      });
    case Formula::kTradeCondition:
      return fill<std::int64_t>([rows = rows(), sizes = stream("size"),
                                 stream = stream()](std::uint64_t row) mutable {
        return static_cast<std::int64_t>(kTickerCount + trade_condition(rows.time(row),
                                                                        trade_size(sizes.at(row)),
                                                                        stream.at(row)));
      });
    case Formula::kTradeSize:
      return fill<std::int32_t>(
          [stream = stream()](std::uint64_t row) { return trade_size(stream.at(row)); });
    case Formula::kTradePrice:
      return fill<float>([rows = rows(), quotes = quotes(),
                          stream = stream()](std::uint64_t row) mutable {
        const std::uint64_t random = stream.at(row);
        return dollars(trade_price(quotes.at(rows.ticker(row), rows.time(row), random), random));
      });
    case Formula::kTradeStop:
      return fill<char>([stream = stream()](std::uint64_t row) {
        return stream.at(row) >> 56 == 0 ? 'N' : kNullChar;
      });
    default:  // kTradeCorrection
      return fill<std::int16_t>(
          [stream = stream()](std::uint64_t row) { return correction(stream.at(row)); });
  }
}

void TaqFill::quote() {
  switch (column_.formula) {
    case Formula::kQuoteExchange: return fill_letters_of(kQuoteExchanges, 6);
    case Formula::kQuoteCondition: return fill_letters_of(kQuoteConditions, 4);
    case Formula::kQuoteBid: return price(true);
    case Formula::kQuoteAsk: return price(false);
    case Formula::kQuoteBidSize:
      return fill<std::int32_t>([shown = stream("price"), stream = stream()](std::uint64_t row) {
        return flaw_of(shown.at(row)) == Flaw::kNoBid ? 0 : round_lots(stream.at(row));
      });
    case Formula::kQuoteAskSize:
      return fill<std::int32_t>(
          [stream = stream()](std::uint64_t row) { return round_lots(stream.at(row)); });
    default:  // kQuoteShortSale: in force for some tickers, a day each
      return fill_letters([restricted = stream()](std::uint64_t ticker) {
        return restricted.at(ticker) >> 59 == 0 ? 'E' : kNullChar;
      });
  }
}

void TaqFill::price(bool is_bid) {
  fill<float>(
      [=, rows = rows(), quotes = quotes(), shown = stream("price")](std::uint64_t row) mutable {
        const std::uint64_t random = shown.at(row);
        Sides sides = quotes.at(rows.ticker(row), rows.time(row), random);
        switch (flaw_of(random)) {
          case Flaw::kNone: break;
          case Flaw::kLocked: sides.ask = sides.bid; break;
          case Flaw::kCrossed: sides.ask = sides.bid - 1; break;
          case Flaw::kNoBid: sides.bid = 0; break;
        }
        return dollars(100 * (is_bid ? sides.bid : sides.ask));
      });
}

}  // namespace

void SessionTimes::enter_span_of(std::uint64_t row) {
  std::size_t span = 0;
  while (rows_ * kSpans[span + 1].before / kAllRows <= row) ++span;
  first_ = rows_ * kSpans[span].before / kAllRows;
  count_ = rows_ * kSpans[span + 1].before / kAllRows - first_;
  start_ = kSpans[span].seconds * kSecondNs;
  step_ = static_cast<std::uint64_t>(kSpans[span + 1].seconds * kSecondNs - start_) / count_;
}

void fill_taq_column(const ColumnPlan& column, std::uint64_t seed, const DayCount& day,
                     const RowSlice& slice, std::span<std::byte> out) {
  TaqFill(column, seed, day, slice, out).any();
}

}  // namespace hdbench::datagen
