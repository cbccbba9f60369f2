#include "datagen/import/taq_format.h"

#include <cmath>
#include <string>
#include <vector>

#include "datagen/testing/taq_files.h"
#include "engine/base/catch.h"
#include "engine/column/type.h"

namespace hdbench::datagen {
namespace {

std::string replaced(std::string_view text, const std::string& from, const std::string& to) {
  std::string changed(text);
  changed.replace(changed.find(from), from.size(), to);
  return changed;
}

std::string message_of(std::string_view line) {
  const auto header = read_taq_header(line, "f");
  REQUIRE_FALSE(header.ok());
  CHECK(header.error().kind == ErrorKind::kData);
  return header.error().message;
}

}  // namespace

TEST_CASE("a header says its table and where each column stands") {
  const TaqHeader trade = read_taq_header(kTradeHeader, "f").value();
  CHECK(trade.table == TaqTable::kTrade);
  CHECK(trade.fields == 15);
  CHECK(trade.field_of ==
        std::array<std::size_t, kTaqColumns>{2, 0, 1, 3, 4, 5, 6, 7, 8, 10, 11, 12});
  const TaqHeader quote = read_taq_header(kQuoteHeader, "f").value();
  CHECK(quote.table == TaqTable::kQuote);
  CHECK(quote.fields == 23);
  CHECK(quote.field_of ==
        std::array<std::size_t, kTaqColumns>{2, 0, 1, 3, 4, 5, 6, 7, 8, 13, 15, 19});
  CHECK(quote.names[3] == "Bid_Price");
}

TEST_CASE("tables are those of gen but for the sequence and, where asked, the prices") {
  const auto types_of = [](const TablePlan& table) {
    std::string types;
    for (const ColumnPlan& column : table.columns) types += type_letter(column.type);
    return types;
  };
  CHECK(types_of(taq_table(TaqTable::kTrade)) == "sncsiechjccn");
  CHECK(types_of(taq_table(TaqTable::kQuote)) == "snceieicjccn");
  CHECK(types_of(taq_table(TaqTable::kTrade, QType::kFloat)) == "sncsifchjccn");
  CHECK(types_of(taq_table(TaqTable::kQuote, QType::kFloat)) == "sncfificjccn");
}

TEST_CASE("columns are found in any order and spelling") {
  const TaqHeader header = read_taq_header(
                               "symbol|TIME|exchange|salecondition|trade_volume|TRADE PRICE|"
                               "tradestopstockindicator|trade correction indicator|sequence_number|"
                               "source of trade|TradeReportingFacility|participanttimestamp|more",
                               "f")
                               .value();
  CHECK(header.table == TaqTable::kTrade);
  for (std::size_t column = 0; column < kTaqColumns; ++column) {
    CHECK(header.field_of[column] == column);
  }
  CHECK(header.names[5] == "TRADE PRICE");
}

TEST_CASE("a header without what is needed says what") {
  CHECK(message_of("") == "f: header: no column 'Trade Price' of trades or 'Bid_Price' of quotes");
  CHECK(message_of(trade_line("093000000", "A", "1")).find("no column 'Trade Price'") !=
        std::string::npos);
  CHECK(message_of(replaced(kTradeHeader, "Trade Volume", "Volume")) ==
        "f: header: no column 'Trade Volume'");
  CHECK(message_of(replaced(kQuoteHeader, "Offer_Size|", "")) ==
        "f: header: no column 'Offer_Size'");
  CHECK(message_of(std::string(kQuoteHeader) + "|bid size") ==
        "f: header: column 'Bid_Size' twice");
  CHECK(message_of(std::string(kQuoteHeader) + "|Best_Bid_Price") ==
        "f: an NBBO file, not trades or quotes");
  CHECK(message_of("Symbol|Security_Description|CUSIP|Security_Type|SIP_Symbol|Listed_Exchange") ==
        "f: a master file, which describes symbols, not trades or quotes");
  for (const std::string line :
       {"Record Count: 000000002 Date: 12182013", "12182013:Record Count:024872839    "}) {
    CHECK(message_of(line) ==
          "f: fixed width (before 2016): not supported, expected a header of columns between |");
  }
  CHECK(message_of(std::string(kTradeHeader) + "|Bid_Price") ==
        "f: header: both 'Trade Price' and 'Bid_Price'");
  CHECK(message_of(std::string(kTradeHeader) + std::string(kTaqFieldsMax, '|')) ==
        "f: header: more than 64 columns");
}

TEST_CASE("fields are counted to one more than are wanted") {
  std::vector<std::string> seen;
  const auto count = [&](std::string_view line) {
    seen.clear();
    return for_each_taq_field(line, 3,
                              [&](std::size_t, std::string_view f) { seen.emplace_back(f); });
  };
  CHECK(count("") == 1);
  CHECK(count("a|b") == 2);
  CHECK(count("a||") == 3);
  CHECK(seen == std::vector<std::string>{"a", "", ""});
  CHECK(count("a|b|c|") == 4);
  CHECK(count("a|b|c|d|e|f") == 4);
  CHECK(seen == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("a file's name has the date where it has eight digits of one") {
  CHECK(date_in_name("/x/EQY_US_ALL_TRADE_20200107").value() == 7311);
  CHECK(date_in_name("SPLITS_US_ALL_BBO_A_20200107.psv.gz").value() == 7311);
  CHECK(date_in_name("20200107").value() == 7311);
  CHECK(date_in_name("20200107_again_20200107").value() == 7311);
  CHECK_FALSE(date_in_name("/20200107/trades.psv").value());
  CHECK_FALSE(date_in_name("trades").value());
  CHECK_FALSE(date_in_name("trades_2020010").value());
  CHECK_FALSE(date_in_name("trades_202001070").value());
  CHECK_FALSE(date_in_name("trades_20201307").value());
  const auto two = date_in_name("t_20200107_20200108");
  REQUIRE_FALSE(two.ok());
  CHECK(two.error().kind == ErrorKind::kUsage);
  CHECK(
      two.error().message ==
      "t_20200107_20200108: its name has two dates, 2020.01.07 and 2020.01.08: say one by --date");
}

TEST_CASE("the last line says the date and the count") {
  CHECK(is_taq_end("END|20200107|12"));
  CHECK(is_taq_end("END|20200107|12||||"));
  CHECK(is_taq_end("END"));
  CHECK_FALSE(is_taq_end("ENDP|20200107|12"));
  CHECK_FALSE(is_taq_end(""));
  // A trade of the symbol END in a file whose first column is the symbol.
  CHECK_FALSE(is_taq_end("END|093000000|12"));
  const TaqEnd end = read_taq_end("END|20200107|12||||");
  CHECK(end.date == 7311);
  CHECK(end.records == 12U);
  CHECK_FALSE(read_taq_end("END|20200107").records);
  CHECK_FALSE(read_taq_end("END|20200107|").records);
  CHECK_FALSE(read_taq_end("END|20200107|12x").records);
  CHECK_FALSE(read_taq_end("END|20200107|-1").records);
  CHECK_FALSE(read_taq_end("END").date);
}

TEST_CASE("a time has three, six or nine digits behind the second") {
  constexpr std::int64_t kHalfPastNineNs = 34'200'000'000'000;
  CHECK(taq_time("093000000000001") == kHalfPastNineNs + 1);
  CHECK(taq_time("093000000001") == kHalfPastNineNs + 1000);
  CHECK(taq_time("093000001") == kHalfPastNineNs + 1'000'000);
  CHECK(taq_time(" 093000000000001 ") == kHalfPastNineNs + 1);
  CHECK(taq_time("000000000") == 0);
  CHECK(taq_time("235959999999999") == 86'399'999'999'999);
  CHECK(taq_time("") == kNullLong);
  CHECK(taq_time("  ") == kNullLong);
}

TEST_CASE("what is no time of a day is none") {
  for (const auto* text :
       {"240000000", "096000000", "093060000", "093000", "0930000", "09300000000",
        "093000000000000000", "09300000000000x", "-93000000", "9:30:00.000"}) {
    INFO(text);
    CHECK_FALSE(taq_time(text));
  }
}

TEST_CASE("a number is one from 0 up that its type holds") {
  CHECK(taq_whole<std::int32_t>("0") == 0);
  CHECK(taq_whole<std::int32_t>("0000100") == 100);
  CHECK(taq_whole<std::int32_t>(" 7 ") == 7);
  CHECK(taq_whole<std::int32_t>("2147483647") == 2147483647);
  CHECK(taq_whole<std::int32_t>("") == kNullInt);
  CHECK(taq_whole<std::int16_t>("00") == 0);
  CHECK(taq_whole<std::int16_t>("12") == 12);
  CHECK(taq_whole<std::int16_t>("32767") == 32767);
  CHECK(taq_whole<std::int16_t>("") == kNullShort);
  CHECK(taq_whole<std::int64_t>("2147483648") == 2147483648);
  CHECK(taq_whole<std::int64_t>("") == kNullLong);
  CHECK(taq_whole<std::int32_t>("100.000000") == 100);
  for (const auto* text : {"-1", "-0", "+1", "2147483648", "1.5", "1e3", "x", "1 2", "0x1", ".",
                           ".0", "7.", "7.0.0"}) {
    INFO(text);
    CHECK_FALSE(taq_whole<std::int32_t>(text));
    CHECK_FALSE(taq_whole<std::int16_t>(text));
  }
  CHECK_FALSE(taq_whole<std::int16_t>("32768"));
}

TEST_CASE("a price is the nearest real of decimal digits") {
  CHECK(taq_price<float>("0") == 0.0F);
  CHECK(taq_price<float>("10.01") == 10.01F);
  CHECK(taq_price<float>("10") == 10.0F);
  CHECK(taq_price<float>("00000123.4500") == 123.45F);
  CHECK(taq_price<float>(".5") == 0.5F);
  // Halfway between two reals but for the last digit: rounding twice would lose it.
  CHECK(taq_price<float>("16777217.000000001") == 16777218.0F);
  CHECK(std::isnan(taq_price<float>("").value()));
  for (const auto* text : {"-1", "-0", "-0.0", "nan", "inf", "infinity", "1e5", "1.2.3", "1,5", "x",
                           "+1", ".", "1 2", "0x1p3"}) {
    INFO(text);
    CHECK_FALSE(taq_price<float>(text));
  }
  CHECK_FALSE(taq_price<float>(std::string(60, '9')));
  CHECK(taq_price<double>("523456.78") == 523456.78);
}

TEST_CASE("a price loses digits where its real is not distinguished from its neighbours") {
  const auto is_lost = [](const std::string& text) {
    INFO(text);
    return loses_digits(text, taq_price<float>(text).value());
  };
  for (const auto* text : {"", "0", "187.4300", "00000523456.0", "123.4567", "8388607", "16777216",
                           "33554432", "99999.98", ".000001"}) {
    CHECK_FALSE(is_lost(text));
  }
  for (const auto* text : {"16777217", "131072.01", "523456.78", " 523456.7800 ", "627000.4999"})
    CHECK(is_lost(text));
}

TEST_CASE("a letter is one printable character, and nothing the null char") {
  CHECK(taq_letter("N") == 'N');
  CHECK(taq_letter(" N") == 'N');
  CHECK(taq_letter("") == ' ');
  CHECK(taq_letter(" ") == ' ');
  CHECK_FALSE(taq_letter("NN"));
  CHECK_FALSE(taq_letter("\t"));
  CHECK_FALSE(taq_letter(std::string_view("\0", 1)));
  CHECK_FALSE(taq_letter("\x80"));
}

TEST_CASE("a text keeps the blanks within it and loses those around it") {
  CHECK(taq_text("BRK A") == "BRK A");
  CHECK(taq_text("@  T ") == "@  T");
  CHECK(taq_text("") == "");
  CHECK(taq_text("    ") == "");
  CHECK(taq_text(std::string(kTextBytesMax, 'A')));
  CHECK_FALSE(taq_text(std::string(kTextBytesMax + 1, 'A')));
  CHECK_FALSE(taq_text("A\x1b[2J"));
  CHECK_FALSE(taq_text(std::string_view("A\0B", 3)));
  CHECK_FALSE(taq_text("caf\xc3\xa9"));
}

TEST_CASE("a date is one of the calendar, of the years of such files") {
  CHECK(taq_date("20000101") == 0);
  CHECK(taq_date("20200107") == 7311);
  CHECK(taq_date("20200229") == 7364);
  for (const auto* text :
       {"", "2020010", "202001071", "20201301", "20200230", "20190229", "20200100", "00010101",
        "19891231", "21000101", "2020010x", "-2020107"}) {
    INFO(text);
    CHECK_FALSE(taq_date(text));
  }
}

}  // namespace hdbench::datagen
