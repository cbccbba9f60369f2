#include "datagen/layout.h"

#include <algorithm>
#include <set>
#include <string>

#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

std::string names(const Spec& spec) {
  std::string joined;
  for (const TablePlan& table : table_plans(spec)) {
    joined += std::string(table.name) + ": ";
    for (const ColumnPlan& column : table.columns) joined += column.name + " ";
  }
  return joined;
}

}  // namespace

TEST_CASE("two columns are date and time") { CHECK(names({.columns = 2}) == "quote: time "); }

TEST_CASE("columns count the virtual date") {
  CHECK(names({}) == "quote: time col1 col2 col3 bid ask bsize asize ");
  CHECK(names({.columns = 12}) == "quote: time col1 col2 col3 bid ask bsize asize f1 l1 f2 ");
}

TEST_CASE("taq is the two tables of NYSE's daily files, a trade for fourteen quotes") {
  const Spec taq{.profile = Profile::kTaq};
  CHECK(names(taq) ==
        "trade: sym time ex cond size price stop corr seq source trf ptime "
        "quote: sym time ex bid bsize ask asize cond seq source ssr ptime ");
  const auto tables = table_plans(taq);
  std::string types;
  for (const TablePlan& table : tables) {
    for (const ColumnPlan& column : table.columns) types += type_letter(column.type);
  }
  CHECK(types == "sncsiechiccnsnceieiciccn");
  CHECK(rows_of(tables, {.date = 7307, .selected = 1400}) == 1500);
  CHECK(rows_of(tables, {.date = 7307, .selected = 64}) == 64 + 5);
  CHECK(tables.front().day_of({.date = 7307, .selected = 3}).rows() == 1);
}

TEST_CASE("every count gives as many columns with names of their own") {
  for (std::uint32_t count = kColumnsMin; count <= kColumnsMax; ++count) {
    std::set<std::string> distinct;
    const TablePlan table = table_plans({.columns = count}).front();
    for (const ColumnPlan& column : table.columns) distinct.insert(column.name);
    CHECK(distinct.size() == count - 1);
  }
}

TEST_CASE("both paper profiles share one domain and taq has tickers, then conditions") {
  CHECK(domain_list(Profile::kPaper) == domain_list(Profile::kPaper3y));
  const auto taq = domain_list(Profile::kTaq);
  REQUIRE(taq.size() == 8000 + 10);
  CHECK(taq[8000].empty());
  CHECK(taq[8001] == "F");
  CHECK(std::set<std::string>(taq.begin(), taq.end()).size() == taq.size());
}

TEST_CASE("the values that the published queries name are there") {
  const auto symbols = domain_list(Profile::kPaper);
  for (const auto* name : {"val1", "val2", "val3", "val4"}) {
    CHECK(std::count(symbols.begin(), symbols.end(), name) == 1);
  }
}

}  // namespace hdbench::datagen
