// Made-up files become a database that the engine opens, and nothing where they cannot.
#include "datagen/import/taq_import.h"

#include <memory>
#include <string>
#include <vector>

#include "datagen/testing/scratch.h"
#include "datagen/testing/taq_files.h"
#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/column/format_value.h"
#include "engine/inspect/verify.h"
#include "engine/storage/database.h"
#include "engine/storage/parted_index.h"

namespace hdbench::datagen {
namespace {

namespace fs = std::filesystem;

const std::string kTrades = std::string(kTradeHeader);
const std::string kQuotes = std::string(kQuoteHeader);

class Imports {
 public:
  fs::path file(const std::string& name, const std::vector<std::string>& lines) {
    return write_lines(scratch_.path() / name, lines);
  }
  fs::path db() const { return scratch_.path() / "db"; }
  Result<ImportReport> import(const std::vector<fs::path>& files,
                              const ImportOptions& options = {}) const {
    return import_taq(db(), files, options);
  }
  // The error, once nothing but the files is there.
  Error refusal(const std::vector<fs::path>& files, const ImportOptions& options = {}) const {
    const auto report = import(files, options);
    REQUIRE_FALSE(report.ok());
    CHECK_FALSE(fs::exists(db()));
    CHECK_FALSE(fs::exists(db().string() + ".partial"));
    return report.error();
  }
  fs::path path() const { return scratch_.path(); }

 private:
  Scratch scratch_;
};

std::string cell(const Column& column, std::uint64_t row) {
  std::string text;
  append_value(text, column.type, column.width, column.data + row * column.width,
               column.domain.get());
  return text;
}

// The table's rows, each as q's csv has it, days one after another.
std::vector<std::string> rows_of(const fs::path& db, const char* name) {
  const auto database = Database::open(db).value();
  CHECK(verify(*database).findings.empty());
  const auto table = database->table(name, make_page_cache_store()).value();
  std::vector<std::string> rows;
  for (std::size_t part = 0; part < table->part_count(); ++part) {
    const std::uint64_t count = table->rows(part).value();
    for (std::uint64_t row = 0; row < count; ++row) {
      std::string text;
      for (std::size_t field = 1; field < table->schema().fields.size(); ++field) {
        const auto column = table->column(part, field).value();
        text += (field == 1 ? "" : ",") + cell(*column, row);
      }
      rows.push_back(text);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("trades and quotes of two days become a database, row by row") {
  Imports made;
  const auto first =
      made.file("EQY_US_ALL_TRADE_20200107",
                {kTrades, "093000000000002|N|MSFT|@  T|100|150.5|N|00|2|5|C|B|092959999999999||1",
                 "093000000000001|Q|MSFT|@F I|5|150.25||00|1|5|N||||0",
                 "093000000000009|D|BRK A||1|30000||08|3|5|N|Q|||0", "END|20200107|3"});
  const auto quotes =
      made.file("quotes", {kQuotes, quote_line("100000000", "B", "1", "2"), "END|20200107|1"});
  const auto second = made.file("EQY_US_ALL_TRADE_20200108.psv",
                                {kTrades, trade_line("093000000", "A", "7"), "END|20200108|1"});
  const auto report = made.import({second, quotes, first});
  REQUIRE(report.ok());
  CHECK(report->partitions == 2);
  CHECK(report->rows == std::array<std::uint64_t, kTaqTables>{4, 1});
  CHECK(report->files.size() == 3);
  CHECK(report->text_bytes() ==
        fs::file_size(first) + fs::file_size(quotes) + fs::file_size(second));
  CHECK(rows_of(made.db(), "trade") ==
        std::vector<std::string>{
            "BRK A,0D09:30:00.000000009,D,,1,30000, ,8,3,N,Q,",
            "MSFT,0D09:30:00.000000001,Q,@F I,5,150.25, ,0,1,N, ,",
            "MSFT,0D09:30:00.000000002,N,@  T,100,150.5,N,0,2,C,B,0D09:29:59.999999999",
            "A,0D09:30:00.000000000,D,@F I,100,7, ,0,1,N,Q,0D09:30:00.000100000"});
  CHECK(rows_of(made.db(), "quote") ==
        std::vector<std::string>{"B,0D10:00:00.000000000,P,1,2,2,3,R,1,C,A,0D09:30:00.000100000"});
  CHECK_FALSE(fs::exists(made.db().string() + ".partial"));
  CHECK_FALSE(fs::exists(made.db().string() + ".manifest.json"));
}

TEST_CASE("the types are gen's but seq's, sym is parted in text order, empty tables too") {
  Imports made;
  const auto file = made.file(
      "t_20200107", {kTrades, trade_line("093000000", "B", "1"), trade_line("093000000", "A", "2"),
                     trade_line("093000000", "B", "3"), "END|20200107|3"});
  REQUIRE(made.import({file}).ok());
  const auto database = Database::open(made.db()).value();
  const std::pair<const char*, const char*> expected[] = {{"trade", "dsncsiechjccn"},
                                                          {"quote", "dsnceieicjccn"}};
  for (const auto& [name, letters] : expected) {
    const auto table = database->table(name, make_page_cache_store()).value();
    std::string types;
    for (const auto& field : table->schema().fields) types += type_letter(field.type);
    CHECK(types == letters);
    const auto sym = table->column(0, 1).value();
    CHECK(sym->attribute == Attribute::kParted);
    const auto index = parted_index(*sym).value();
    REQUIRE(index != nullptr);
    const bool is_trade = std::string_view(name) == "trade";
    CHECK(index->keys.size() == (is_trade ? 2U : 0U));
    CHECK(index->offsets.back() == (is_trade ? 3 : 0));
  }
}

TEST_CASE("files of one day and table are put together in the order given") {
  Imports made;
  const auto a =
      made.file("BBO_A_20200107", {kQuotes, quote_line("093000000", "A", "1", "2", "1"),
                                   quote_line("093000000", "C", "1", "2", "2"), "END|20200107|2"});
  const auto b =
      made.file("BBO_B_20200107", {kQuotes, quote_line("093000000", "A", "1", "2", "3"),
                                   quote_line("092000000", "A", "1", "2", "4"), "END|20200107|2"});
  REQUIRE(made.import({b, a}).ok());
  std::string order;
  for (const std::string& row : rows_of(made.db(), "quote")) {
    order += row.substr(0, 1) + row.substr(row.find(",R,") + 3, 1) + ' ';
  }
  CHECK(order == "A4 A3 A1 C2 ");
}

TEST_CASE("bad lines do not end the import, and more than half of one file's do") {
  Imports made;
  const auto good = made.file("t_20200107", {kTrades, trade_line("093000000", "A", "1"), "x"});
  const auto bad = made.file("t_20200108", {kTrades, "x"});
  CHECK(made.refusal({good, bad}).message.find("1 of 1 lines are bad") != std::string::npos);
  const auto report = made.import({good});
  REQUIRE(report.ok());
  CHECK(report->files.front().bad_lines() == 1);
  CHECK(rows_of(made.db(), "trade").size() == 1);
}

TEST_CASE("the day is the name's or the END line's, or what is said") {
  Imports made;
  const std::string line = trade_line("093000000", "A", "1");
  const auto unknown = made.file("trades", {kTrades, line});
  const Error error = made.refusal({unknown});
  CHECK(error.kind == ErrorKind::kUsage);
  CHECK(error.message ==
        unknown.string() + ": no date in its name or in an END line: say it by --date");
  const auto other = made.file("trades_20200107", {kTrades, line, "END|20200108|1"});
  CHECK(made.refusal({other}).message ==
        other.string() +
            ": of 2020.01.07 by its name, of 2020.01.08 by its END line: say one by --date");
  ImportOptions options;
  options.date = parse_import_date("2019.10.07").value();
  REQUIRE(made.import({unknown, other}, options).ok());
  CHECK(fs::exists(made.db() / "2019.10.07" / "trade" / "price"));
  CHECK(rows_of(made.db(), "trade").size() == 2);
}

TEST_CASE("a date that is said is one of the calendar") {
  CHECK(parse_import_date("2020.01.07").value() == 7311);
  for (const auto* text : {"", "2020-01-07", "20200107", "2020.13.01", "2020.1.7", "2020.01.071"}) {
    INFO(text);
    CHECK(parse_import_date(text).error().kind == ErrorKind::kUsage);
  }
}

TEST_CASE("no file, one twice, or one that cannot be read leaves nothing") {
  Imports made;
  const auto file = made.file("t_20200107", {kTrades, trade_line("093000000", "A", "1")});
  fs::create_symlink(file, made.path() / "link_20200107");
  CHECK(made.refusal({}).kind == ErrorKind::kUsage);
  CHECK(made.refusal({file, made.path() / "link_20200107"}).message.find("given twice") !=
        std::string::npos);
  CHECK(made.refusal({made.path() / "none"}).message.find("cannot open") != std::string::npos);
  CHECK(made.refusal({made.path()}).message.find("not a regular file") != std::string::npos);
  ImportOptions options;
  options.memory_bytes_max = 1;
  CHECK(made.refusal({file}, options).kind == ErrorKind::kLimit);
  const std::atomic<bool> stop = true;
  options.memory_bytes_max = 0;
  options.stop = &stop;
  CHECK(made.refusal({file}, options).message.find("stopped") != std::string::npos);
}

TEST_CASE("what is there already, or lies in a database, is refused and stays") {
  Imports made;
  const auto file = made.file("t_20200107", {kTrades, trade_line("093000000", "A", "1")});
  REQUIRE(made.import({file}).ok());
  const auto before = tree_contents(made.db());
  const auto again = made.import({file});
  REQUIRE_FALSE(again.ok());
  CHECK(again.error().kind == ErrorKind::kUsage);
  CHECK(again.error().message == made.db().string() + ": exists: take another path for DB");
  const auto inside = import_taq(made.db() / "new", {file});
  REQUIRE_FALSE(inside.ok());
  CHECK(inside.error().kind == ErrorKind::kUsage);
  CHECK(tree_contents(made.db()) == before);
}

}  // namespace hdbench::datagen
