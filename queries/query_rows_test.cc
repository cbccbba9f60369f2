// Queries of several steps, run over two small tables: what they give, row by row.
#include <atomic>
#include <memory_resource>

#include "engine/base/catch.h"
#include "engine/exec/execute.h"
#include "queries/testing/run_text.h"

namespace hdbench::queries {
namespace {

struct Bytes {
  std::uint64_t read = 0;
  std::uint64_t written = 0;
};

// What a meter is told of: the table's columns, and rows that are made on the way.
Bytes bytes_of(const std::string& text) {
  struct Meter final : AccessMeter {
    std::atomic<std::uint64_t> read{0};
    std::atomic<std::uint64_t> written{0};
    void access(const Access& access) override {
      (access.kind == AccessKind::kRead ? read : written) += access.bytes;
    }
  };
  INFO(text);
  const auto query = bound(text);
  REQUIRE(query.ok());
  ThreadPool pool(1);
  Meter meter;
  ExecuteSettings settings;
  settings.meter = &meter;
  ExecuteStats stats;
  Workspace workspace(0, *std::pmr::new_delete_resource());
  REQUIRE(execute(*query->table, *query->plan, settings, pool, workspace, &stats).ok());
  CHECK(stats.bytes_written <= meter.written);  // working memory beside the rows
  return {meter.read, meter.written};
}

void check_bytes(const std::string& text, std::uint64_t read, std::uint64_t written) {
  const Bytes bytes = bytes_of(text);
  INFO(text);
  CHECK(bytes.read == read);
  CHECK(bytes.written == written);
}

const std::string kFirst = " from trade where date=2020.01.01";

}  // namespace

TEST_CASE("a meter is told of all that each operator reads and writes") {
  const std::string day = " where date=2020.01.01";  // four rows of either table
  constexpr std::uint64_t kCodes = 4, kTimes = 16, kWords = 32;
  constexpr std::uint64_t kRun = 8;                // of rows with one key
  constexpr std::uint64_t kFree = 4, kTaken = 12;  // places of a hash table, and the key in one
  // The partition's dates; the window's input, which is the column itself, keys and output.
  check_bytes("select sums size from trade" + day, 16 + kWords + kFree + kRun, 16 + kWords + kRun);
  // Codes, which are checked; the keys of both, and two bids that match; the left side, which
  // becomes the result's, and the bids beside; two keys of the right side in a hash table, and
  // three runs of the left side that find theirs.
  check_bytes("aj[`sym`time;select sym,time from trade" + day + ";select sym,time,bid from quote" +
                  day + "]",
              2 * kCodes + 2 * (kCodes + kTimes) + 16 + (kCodes + kTimes) + 2 * kFree + 3 * kTaken +
                  2 * kRun,
              (kCodes + kTimes) + kWords + 2 * kRun);
  // The column; the order's words, and each row once more.
  check_bytes("`price xdesc select price from trade" + day, 2 * kWords, kWords);
  CHECK(bytes_of("select distinct sym from trade").written > 0);  // all of it in the statistics
  check_bytes("select[2;>price] price from trade" + day, kWords + 16, 16);
}

TEST_CASE("distinct keeps the first of equal rows, in the order of the rows") {
  CHECK(rows_of("exec distinct size from trade") == "size|5||7|2|9");
  CHECK(rows_of("select distinct date,big:size>5 from trade") ==
        "date,big|2020-01-01,0|2020-01-01,1|2020-01-02,0|2020-01-02,1");
  CHECK(rows_of("select[2] distinct sym from trade") == "sym|a|b");
  CHECK(rows_of("select q:1%p from (select distinct p:0*price-2" + kFirst + ")") == "q|-0w");
  check_caret("select @distinct sum size by sym from trade",
              "distinct and by: groups are distinct already");
}

TEST_CASE("rows are taken from either end, or in an order") {
  CHECK(rows_of("select[3;<size] sym from trade") == "sym|a|b|c");  // by what is not shown
  CHECK(rows_of("select[>v] v:price*2 from trade where size=5") == "v|6|2");
  CHECK(rows_of("select[-1;<price] price from trade") == "price|8");
  check_caret(
      "select@[5] sum size by sym from trade",
      "select[...] of a query with by: write select[...] from select ... by ..., or n sublist "
      "column for the first of each group");
  check_caret("select[@1.5] from trade", "'type: select[...] takes a number of rows");
  check_caret("select[@1 2 3] from trade",
              "select[...] takes a number of rows, or a first row and a number");
  CHECK(rows_of("select[5;>nope] from trade").starts_with("trade has no column 'nope'"));
}

TEST_CASE("queries read what queries give") {
  CHECK(rows_of("select max n from select n:count i by sym from trade") == "n|4");
  CHECK(rows_of("select from (select sum size by sym from trade) where size>5") ==
        "sym,size|a,19|b,9");
  CHECK(rows_of("select sym from trade where size=exec max size from trade") == "sym|a");
  CHECK(
      rows_of("select price from trade where sym in (exec sym from quote where bid>40), size>5") ==
      "price|4|6");
  CHECK(rows_of("select p from (select p:price-1 from trade) where p<0") == "p");
  CHECK(rows_of("select p from (select p:price-1 from trade) where p<=0") == "p|0|0");
  CHECK(rows_of("select price from trade where sym in exec sym from trade where size=99") ==
        "price");
  CHECK(rows_of("select price from trade where sym=exec sym from quote") ==
        "'length: one value is compared, the query within gives 6");
  check_caret("select from trade where sym in @exec sym,bid from quote",
              "'type: the query within gives no list of values: exec one column");
  CHECK(rows_of("select f:first sym from (select first sym from trade where size>99)") == "f|");
  CHECK(rows_of("select from trade where price in exec sym from quote").starts_with("'type"));
}

TEST_CASE("as-of joins take the last right row that is not later") {
  const std::string day = " where date=2020.01.01";
  CHECK(rows_of("aj[`sym`time;select sym,time,price from trade" + day +
                ";select sym,time,bid from quote" + day + "]") ==
        "sym,time,price,bid|a,00:00:01.000,1,|a,00:00:02.000,2,30|b,00:00:02.000,4,|"
        "a,00:00:03.000,3,30");
  CHECK(rows_of("aj0[`sym`time;select sym,time from trade" + day +
                ";select time,sym,bid from quote" + day + "]") ==
        "sym,time,bid|a,00:00:01.000,|a,00:00:02.000,30|b,00:00:02.000,|a,00:00:02.000,30");
  // Right columns represent left ones of their name, which keep what nothing is beside.
  CHECK(rows_of("select size from aj[`date`sym`time;trade;quote]") == "size|5|3|7|3|6|5|2");
  CHECK(rows_of("aj[`time;select time from trade" + day + ";select time,bid from quote" + day +
                "]") == "time,bid|00:00:01.000,|00:00:02.000,30|00:00:02.000,30|00:00:03.000,40");
  check_caret(
      "aj[`sym@`nope;trade;quote]",
      "the left side of aj has no column 'nope', its columns are: date sym time size price");
  check_caret("@aj[`sym`time;select sym,time,bid:size from trade;quote]",
              "'type: aj replaces bid, which is a long on the left and a float on the right");
  check_caret("aj[@`sym`time;select sym:time,time from trade;quote]",
              "'type: aj of sym, which is a time on the left and a symbol on the right");
  check_caret("aj[`time@`sym;trade;quote]",
              "'type: aj by sym, which is a symbol: its last column is one that rows are in the "
              "order of, such as a time");
}

TEST_CASE("joins by keys keep the left rows, or those that have a right one") {
  CHECK(rows_of("select sym,price,size from trade lj select last size by sym from quote where "
                "bid<50") == "sym,price,size|a,1,3|a,2,3|b,4,4|a,3,3|b,8,4|a,6,3|c,1,2");
  // A right row's null represents the left value.
  CHECK(rows_of("(select sym,size from trade where price>3) lj select size:first size+0N by sym "
                "from quote where sym=`b") == "sym,size|b,|b,|a,9");
  CHECK(rows_of("(select sym,price from trade where price>3) ij select n:count i by sym from "
                "quote") == "sym,price,n|b,4,2|b,8,2|a,6,4");
  CHECK(rows_of("(select n:count i by sym from trade) lj `sym xkey select sym,bid from quote where "
                "size=5") == "sym,n,bid|a,4,50|b,2,|c,1,");
  check_caret("(select c:sym,f:sym from trade) @lj meta quote",
              "'type: lj replaces f, which is a symbol on the left and a symbol on the right, of "
              "another domain");
  check_caret("trade @lj quote",
              "'type: lj needs a keyed table on its right, such as select ... by ..., or `column "
              "xkey a table");
}

TEST_CASE("fby compares each row with its group") {
  // Conditions before it choose the rows; partitions are apart.
  CHECK(rows_of("select date,price from trade where size>2,price=(max;price) fby sym") ==
        "date,price|2020-01-01,4|2020-01-01,3|2020-01-02,6");
  CHECK(rows_of("select price from trade where 2=(count;i) fby ([]sym;size),price>1") == "price|3");
  CHECK(rows_of("select price from trade where price>(avg;price*2) fby sym") == "price");
  check_caret("select from trade where price=@max fby sym",
              "fby takes an aggregate and its values on its left, such as (max;size)");
}

TEST_CASE("functions of the rows so far begin anew in each partition and group") {
  CHECK(rows_of("select t:time-prev time,n:next sym" + kFirst) ==
        "t,n|,a|00:00:01.000,b|00:00:00.000,a|00:00:01.000,");
  CHECK(rows_of("select n:sum differ price,last sums price by sym from trade") ==
        "sym,n,price|a,4,6|b,2,8|c,1,1");
  CHECK(rows_of("select n:count i by run:sums differ sym from trade") == "run,n|1,3|2,2|3,2");
  CHECK(rows_of("select x:sums 2*sums price" + kFirst) == "x|2|8|22|42");
  CHECK(rows_of("select price from trade where 2<deltas price") == "price|8");
  CHECK(rows_of("select price from trade where date=2020.01.02,differ sym") == "price|8|6|1");
  check_caret("select price from trade where size>1,@sums sym",
              "'type: sums of sym, which is a symbol");
  CHECK(rows_of("select a:0 mavg price,d:0 mdev price,c:0 mcount size,s:0 msum price" + kFirst) ==
        "a,d,c,s|,,0,0|,,0,0|,,0,0|,,0,0");
  check_caret("select @sums sym from trade", "'type: sums of sym, which is a symbol");
  check_caret("select @price mavg price from trade",
              "'type: mavg takes a number of rows on its left, such as 5 mavg x");
}

TEST_CASE("tables[] names the database's tables") {
  CHECK(rows_of("tables[]") == "tables|quote|trade");
  CHECK(rows_of("select n:count i from tables[] where tables in `trade`none") == "n|1");
  CHECK(rows_of("exec tables from tables[]") == "tables|quote|trade");
  CHECK(bound("tables[]", {}).error().message == "tables[] needs a database");
}

TEST_CASE("meta tells a table's columns, or a query's") {
  CHECK(rows_of("meta trade") == "c,t,f,a|date,d,,|sym,s,,|time,t,,|size,j,,|price,f,,");
  CHECK(rows_of("select c from (meta select n:count i by sym from trade) where t=\"j\"") == "c|n");
  // Of no chars the first is a blank.
  CHECK(rows_of("select first t from (meta trade) where c=`none") == "t| ");
}

TEST_CASE("columns beside by are lists, which ungroup takes apart") {
  CHECK(rows_of("ungroup select time,sums price by sym from trade") ==
        "sym,time,price|a,00:00:01.000,1|a,00:00:02.000,3|a,00:00:03.000,6|a,00:00:01.500,6|"
        "b,00:00:02.000,4|b,00:00:01.000,8|c,00:00:04.000,1");
  CHECK(rows_of("select s:sum size,price by sym from trade").starts_with("sym,s,price|a,19,"));
  CHECK(rows_of("ungroup select s:sum size,price by big:size>5 from trade where sym=`a") ==
        "big,s,price|0,10,1|0,10,2|0,10,3|1,9,6");
  CHECK(rows_of("ungroup select price by sym from trade where size>99") == "sym,price");
  check_caret("@ungroup select sum size by sym from trade",
              "ungroup takes a query whose columns are lists: select ... by ... without "
              "aggregates");
}

TEST_CASE("update keeps all rows and gives groups' aggregates to each of theirs") {
  CHECK(rows_of("update m:max price,price:2*price by sym from select sym,price from trade") ==
        "sym,price,m|a,2,6|a,4,6|b,8,8|a,6,6|b,16,8|a,12,6|c,2,1");
  CHECK(rows_of("update n:count i from select sym" + kFirst) == "sym,n|a,4|a,4|b,4|a,4");
  check_caret("update n:1+size from trade where @size>3",
              "not supported yet: where in update: put the conditions into a query within, update "
              "... from select from ... where ...");
}

}  // namespace hdbench::queries
