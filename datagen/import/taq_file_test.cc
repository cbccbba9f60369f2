#include "datagen/import/taq_file.h"

#include <algorithm>
#include <string>
#include <vector>

#include "datagen/testing/scratch.h"
#include "datagen/testing/taq_files.h"
#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

// Reads one file into rows of its own.
class OneFile {
 public:
  OneFile(TaqTable table, const std::vector<std::string>& lines, const TaqReadOptions& options = {},
          const ReadProgress& progress = {})
      : store_(types_of(table, options.price_type)),
        path_(write_lines(scratch_.path() / "file", lines)) {
    result_ = read_taq_file(path_, table, store_, symbols_, options, progress);
  }
  static std::vector<QType> types_of(TaqTable table, QType price_type) {
    std::vector<QType> types;
    for (const ColumnPlan& column : taq_table(table, price_type).columns)
      types.push_back(column.type);
    return types;
  }

  const TaqFileReport& report() const { return *result_; }
  std::string error() const { return result_.error().message; }
  const RowStore& rows() const { return store_; }
  std::string symbol(std::size_t column, std::uint64_t row) const {
    return symbols_.texts().at(static_cast<std::size_t>(store_.get<std::int32_t>(column, row)));
  }
  std::string path() const { return path_.string(); }
  std::vector<std::string> warnings() const { return warnings_of(report()); }

 private:
  Scratch scratch_;
  RowStore store_;
  SymbolTable symbols_;
  std::filesystem::path path_;
  Result<TaqFileReport> result_ = data_error("not read");
};

const std::string kEnd = "END|20200107|";

}  // namespace

TEST_CASE("a file without rows, without an END line, or with a mark before its header is read") {
  CHECK(OneFile(TaqTable::kTrade, {std::string(kTradeHeader), kEnd + "0"}).warnings().empty());
  const OneFile cut(TaqTable::kTrade, {std::string(kTradeHeader)});
  CHECK(cut.report().rows == 0);
  CHECK(cut.warnings() ==
        std::vector<std::string>{cut.path() + ": no END line: the file may be cut"});
  const OneFile marked(TaqTable::kTrade, {"\xef\xbb\xbf" + std::string(kTradeHeader) + "\r",
                                          trade_line("093000000", "A", "1") + "\r", kEnd + "1\r"});
  CHECK(marked.report().rows == 1);
  CHECK(marked.warnings().empty());
}

TEST_CASE("bad lines are left out, the first few named, all counted by reason") {
  std::vector<std::string> lines = {std::string(kTradeHeader)};
  for (int i = 0; i < 20; ++i) lines.push_back(trade_line("093000000", "A", "1"));
  lines.insert(lines.begin() + 2,
               {"a|b|c", trade_line("240000000", "A", "1"), trade_line("093000000", "", "1"),
                trade_line("093000000", "A\x1b[2J", "1"), trade_line("093000000", "A", "-1"),
                trade_line("093000000", "A", "inf"), trade_line("093000000", "A", "nan"),
                std::string(100'000, 'x'), trade_line("093000000", "A", "1") + "|"});
  lines.insert(lines.end(), {kEnd + "30", "", trade_line("093000000", "A", "1")});
  const OneFile file(TaqTable::kTrade, lines);
  REQUIRE(file.report().rows == 20);
  CHECK(file.report().lines == 30);
  CHECK(file.report().bad_lines() == 10);
  const std::string at = file.path() + ":";
  CHECK(
      file.warnings() ==
      std::vector<std::string>{
          at + "3: 3 fields, the header has 15", at + "4: Time: '240000000'", at + "5: no symbol",
          at + "6: Symbol: 'A\\u001b[2J'", at + "7: Trade Price: '-1'", at + " ... and 5 more",
          at +
              " 10 of 30 lines left out: 2 with another number of fields than the header, 1 with "
              "too many characters, 1 with a place behind the END line, 1 with no symbol, 1 with a "
              "symbol that is too long or not of printable ASCII, 1 with a time that is none of a "
              "day, 3 with a price that is no number from 0 up"});
  // A line that was left out has added no symbol.
  CHECK(file.symbol(0, 19) == "A");
}

TEST_CASE("a lesser field that does not fit is null and counted, and its row stays") {
  const std::string far = "2147483648";
  const OneFile file(TaqTable::kTrade,
                     {std::string(kTradeHeader), trade_line("093000000", "A", "1", far),
                      "093000001|NN|A|" + std::string(kTextBytesMax + 1, 'x') +
                          "|1.5|2|\t|C1|x|5|C|B|250000000||1",
                      "093000002|N|A|@|0.5|2|N|C2|1|5|C|B|093000000||1",
                      "093000003|N|A|@|0.5|-2|N|C2|1|5|C|B|093000000||1", kEnd + "4"});
  REQUIRE(file.report().rows == 3);
  const RowStore& rows = file.rows();
  CHECK(rows.get<std::int64_t>(8, 0) == 2147483648);
  CHECK(rows.get<char>(2, 1) == ' ');
  CHECK(file.symbol(3, 1).empty());
  CHECK(rows.get<std::int32_t>(4, 1) == kNullInt);
  CHECK(rows.get<float>(5, 1) == 2);
  CHECK(rows.get<char>(6, 1) == ' ');
  CHECK(rows.get<std::int16_t>(7, 1) == kNullShort);
  CHECK(rows.get<std::int64_t>(8, 1) == kNullLong);
  CHECK(rows.get<std::int64_t>(11, 1) == kNullLong);
  CHECK(rows.get<std::int32_t>(4, 2) == kNullInt);
  const auto told = file.warnings();
  const auto is_told = [&](const std::string& line) {
    return std::find(told.begin(), told.end(), file.path() + ": " + line) != told.end();
  };
  CHECK(told.size() == 2 + 7);
  CHECK(is_told("2 of 3 values of Trade Volume do not fit: null; the first is '1.5' in line 3"));
  CHECK(
      is_told("2 of 3 values of Trade Correction Indicator do not fit: null; the first is 'C1' in "
              "line 3"));
  CHECK(is_told("1 of 3 values of Sequence Number do not fit: null; the first is 'x' in line 3"));
}

TEST_CASE("prices that are others as reals are counted, and floats keep them") {
  const std::vector<std::string> lines = {
      std::string(kTradeHeader), trade_line("093000000", "A", "187.43"),
      trade_line("093000000", "BRK A", "523456.78"), trade_line("093000000", "BRK A", "627000.01"),
      kEnd + "3"};
  const OneFile reals(TaqTable::kTrade, lines);
  CHECK(reals.warnings() ==
        std::vector<std::string>{
            reals.path() +
            ": 2 of 3 values of Trade Price lose digits as reals (--price-type float "
            "keeps them); the first is '523456.78' in line 3"});
  TaqReadOptions options;
  options.price_type = QType::kFloat;
  const OneFile floats(TaqTable::kTrade, lines, options);
  CHECK(floats.warnings().empty());
  CHECK(floats.rows().get<double>(5, 1) == 523456.78);
}

TEST_CASE("an END line that counts other lines is reported") {
  const std::string line = trade_line("093000000", "A", "1");
  const OneFile fewer(TaqTable::kTrade, {std::string(kTradeHeader), line, kEnd + "2"});
  CHECK(fewer.warnings() ==
        std::vector<std::string>{fewer.path() + ": END counts 2 lines, 1 are there"});
  const OneFile none(TaqTable::kTrade, {std::string(kTradeHeader), line, "END|20200107"});
  CHECK(none.warnings() == std::vector<std::string>{none.path() + ": its END line has no count"});
}

TEST_CASE("half of the lines may be bad, and not one more") {
  const std::string good = trade_line("093000000", "A", "1");
  const OneFile half(TaqTable::kTrade, {std::string(kTradeHeader), good, "x"});
  CHECK(half.report().rows == 1);
  const OneFile more(TaqTable::kTrade, {std::string(kTradeHeader), good, "x", "y"});
  CHECK(more.error() == more.path() +
                            ":3: 1 fields, the header has 15; 2 of 3 lines are bad, which is more "
                            "than half");
}

TEST_CASE("no header, no lines, or another table's file is an error") {
  CHECK(OneFile(TaqTable::kTrade, {}).error().find("empty, expected a header") !=
        std::string::npos);
  CHECK(
      OneFile(TaqTable::kTrade, {std::string(100'000, 'x')}).error().find("header: longer than") !=
      std::string::npos);
  CHECK(OneFile(TaqTable::kTrade, {std::string(kQuoteHeader)}).error().find("changed while") !=
        std::string::npos);
}

TEST_CASE("rows beyond the memory that may be taken are one line, and a stop ends the reading") {
  const std::vector<std::string> lines = {std::string(kTradeHeader),
                                          trade_line("093000000", "A", "1"), kEnd + "1"};
  TaqReadOptions options;
  options.memory_bytes_max = 1 << 20;
  const OneFile small(TaqTable::kTrade, lines, options);
  CHECK(small.error() ==
        small.path() +
            ": no memory for more than 0 rows of 50 bytes of one day's trade: 1 MiB are left");
  std::uint64_t told = 0;
  options.memory_bytes_max = 0;
  const auto progress = [&](std::uint64_t bytes) { told = bytes; };
  CHECK(OneFile(TaqTable::kTrade, lines, options, progress).report().rows == 1);
  CHECK(told > 0);
  const std::atomic<bool> stop = true;
  options.stop = &stop;
  CHECK(OneFile(TaqTable::kTrade, lines, options).error().find("stopped") != std::string::npos);
}

TEST_CASE("the END line is found without reading rows") {
  const Scratch scratch;
  const auto path = write_lines(scratch.path() / "f", {"any", "thing", kEnd + "7", "more"});
  CHECK(find_taq_end(path, nullptr).value()->date == 7311);
  write_lines(path, {"any", "thing"});
  CHECK_FALSE(find_taq_end(path, nullptr).value());
}

}  // namespace hdbench::datagen
