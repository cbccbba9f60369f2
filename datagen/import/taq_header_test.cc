#include "datagen/import/taq_header.h"

#include <string>
#include <vector>

#include "datagen/import/taq_files_for_tests.h"
#include "engine/base/catch.h"

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

}  // namespace hdbench::datagen
