// Forms that a desk writes, over two small tables: what each gives, and what is refused.
#include <array>
#include <span>

#include "queries/testing/run_text.h"

namespace hdbench::queries {
namespace {

struct Form {
  const char* text;
  const char* rows;
};

void check_forms(std::span<const Form> forms) {
  for (const Form& form : forms) CHECK(rows_of(form.text) == form.rows);
}

}  // namespace

TEST_CASE("aggregates stand beside columns, in other aggregates and in conditions") {
  constexpr auto kForms = std::to_array<Form>({
      {"select pct:100*size%sum size by sym from trade where date=2020.01.01",
       "sym,pct|a,50  50|b,100"},
      {"select max price-min price by date,sym from trade",
       "date,sym,price|2020-01-01,a,2|2020-01-01,b,0|2020-01-02,a,0|2020-01-02,b,0|2020-01-02,c,0"},
      {"select from trade where size=max size",
       "date,sym,time,size,price|2020-01-01,b,00:00:02.000,7,4|2020-01-02,a,00:00:01.500,9,6"},
      {"select from trade where date=2020.01.02, price>avg price",
       "date,sym,time,size,price|2020-01-02,b,00:00:01.000,2,8|2020-01-02,a,00:00:01.500,9,6"},
      {"select a:1, max price from trade", "a,price|1,8"},
      {"select a:1, d:last date from trade", "a,d|1,2020-01-02"},
      {"select a:1, price by sym from trade", "sym,a,price|a,1,1 2 3 6|b,1,4 8|c,1,1"},
      {"select a:1 by sym from trade", "sym,a|a,1|b,1|c,1"},
      {"select sym from trade where date=2020.01.01, i in til 2", "sym|a|a"},
      {"exec price from trade where price in til[4], date=2020.01.02", "price|1"},
      {"select sym from trade where size in til 0", "sym"},
      {"fills select price by sym from trade", "sym,price|a,1 2 3 6|b,4 8|c,1"},
      {"select y:sum differ price, price by 5, sym from trade where date=2020.01.01",
       "x,sym,y,price|5,a,3,1 2 3|5,b,1,4"},
      {"select a:1, sym from trade where date=2020.01.02", "a,sym|1,b|1,a|1,c"},
      {"select 1 2 sublist desc price by sym from trade", "sym,price|a,3 2|b,4|c,"},
      {"select med size, 2#size by sym from trade", "sym,size,size1|a,5,5 |b,4.5,7 2|c,2,2 2"},
      {"update m:price-avg price by sym from trade",
       "date,sym,time,size,price,m|2020-01-01,a,00:00:01.000,5,1,-1|2020-01-01,a,00:00:02.000,,2,0"
       "|2020-01-01,b,00:00:02.000,7,4,0|2020-01-01,a,00:00:03.000,5,3,1|2020-01-02,b,00:00:01.000"
       ",2,8,0|2020-01-02,a,00:00:01.500,9,6,0|2020-01-02,c,00:00:04.000,2,1,0"},
      {"select sum size where price=max price by sym from trade", "sym,price|a,14|b,9|c,2"},
      {"select count distinct sym, price from trade where date=2020.01.02",
       "sym,price|3,8|3,6|3,1"},
  });
  check_forms(kForms);
}

TEST_CASE("tables are joined by keys, by time, in windows, and one behind another") {
  constexpr auto kForms = std::to_array<Form>({
      {"wj[-00:00:01.000 00:00:01.000+\\:exec time from trade where date=2020.01.01;`sym`time;sele"
       "ct from trade where date=2020.01.01;(select from quote where date=2020.01.01;(max;`bid);(c"
       "ount;`size))]",
       "date,sym,time,size,price,bid|2020-01-01,a,00:00:01.000,3,1,30|2020-01-01,a,00:00:02.000,3,"
       "2,30|2020-01-01,b,00:00:02.000,1,4,40|2020-01-01,a,00:00:03.000,2,3,30"},
      {"wj1[-00:00:01.000 00:00:01.000+\\:exec time from trade where date=2020.01.01;`sym`time;sel"
       "ect from trade where date=2020.01.01;(select from quote where date=2020.01.01;(max;`bid);("
       "wavg;`size;`bid))]",
       "date,sym,time,size,price,bid|2020-01-01,a,00:00:01.000,5,1,23.333333333333332|2020-01-01,a"
       ",00:00:02.000,,2,23.333333333333332|2020-01-01,b,00:00:02.000,7,4,40|2020-01-01,a,00:00:03"
       ".000,5,3,26"},
      {"t:select sym,time from trade where date=2020.01.01; wj[-00:00:01.000 00:00:01.000+\\:t.tim"
       "e;`sym`time;t;(quote;(first;`bid);(last;`size))]",
       "sym,time,bid,size|a,00:00:01.000,10,3|a,00:00:02.000,10,3|b,00:00:02.000,60,4|a,00:00:03.0"
       "00,20,3"},
      {"(select sym,size from trade where date=2020.01.01) uj select sym,bid from quote where date"
       "=2020.01.02",
       "sym,size,bid|a,5,|a,,|b,7,|a,5,|a,,50|b,,60"},
      {"(select sum size by sym from trade) uj select sum size, max bid by sym from quote",
       "sym,size,bid|a,11,50|b,10,60|c,2,"},
      {"(select sum size by sym from trade) pj select sum size, max bid by sym from quote",
       "sym,size,bid|a,30,50|b,19,60|c,2,0"},
      {"ej[`sym;select sym,size from trade where date=2020.01.01;select sym,size,bid from quote wh"
       "ere date=2020.01.02]",
       "sym,size,bid|a,5,50|a,5,50|b,6,60|a,5,50"},
      {"(select sym,size from trade where date=2020.01.02),select sym,size from quote where date=2"
       "020.01.02",
       "sym,size|b,2|a,9|c,2|a,5|b,6"},
      {"(update tag:`x from select sym from trade where date=2020.01.02),update tag:`y from select"
       " sym from quote where date=2020.01.02",
       "sym,tag|b,x|a,x|c,x|a,y|b,y"},
      {"ajf[`sym`time;select sym,time,size from trade where date=2020.01.01;select sym,time,size f"
       "rom quote where date=2020.01.01]",
       "sym,time,size|a,00:00:01.000,5|a,00:00:02.000,3|b,00:00:02.000,7|a,00:00:03.000,3"},
      {"(select sym,time from trade) lj 1!select sym,size from trade",
       "sym,time,size|a,00:00:01.000,5|a,00:00:02.000,5|b,00:00:02.000,7|a,00:00:03.000,5|b,00:00:"
       "01.000,7|a,00:00:01.500,5|c,00:00:04.000,2"},
  });
  check_forms(kForms);
}

TEST_CASE("the last key becomes columns") {
  constexpr auto kForms = std::to_array<Form>({
      {".pvt.pivot select sum size by date,sym from trade",
       "date,a,b,c|2020-01-01,10,7,|2020-01-02,9,2,2"},
      {"fills .pvt.pivot select sum size by date,sym from trade",
       "date,a,b,c|2020-01-01,10,7,|2020-01-02,9,2,2"},
  });
  check_forms(kForms);
}

TEST_CASE("a query for each value is one join") {
  constexpr auto kForms = std::to_array<Form>({
      {"raze {select from trade where sym=x, size=(min;size) fby date} peach exec asc distinct sym"
       " from trade",
       "date,sym,time,size,price|2020-01-01,a,00:00:01.000,5,1|2020-01-01,a,00:00:03.000,5,3|2020-"
       "01-02,a,00:00:01.500,9,6|2020-01-01,b,00:00:02.000,7,4|2020-01-02,b,00:00:01.000,2,8|2020-"
       "01-02,c,00:00:04.000,2,1"},
  });
  check_forms(kForms);
}

TEST_CASE("functional forms are queries") {
  constexpr auto kForms = std::to_array<Form>({
      {"?[`trade;enlist(=;`date;2020.01.02);0b;()]",
       "date,sym,time,size,price|2020-01-02,b,00:00:01.000,2,8|2020-01-02,a,00:00:01.500,9,6|2020-"
       "01-02,c,00:00:04.000,2,1"},
      {"?[trade;((>;`size;2);(in;`sym;enlist`a`b));(enlist`sym)!enlist`sym;`n`vwap!((count;`i);(wa"
       "vg;`size;`price))]",
       "sym,n,vwap|a,3,3.8947368421052633|b,1,4"},
      {"?[`trade;();();`size]", "size|5||7|5|2|9|2"},
      {"![`trade;();0b;`time`price]",
       "date,sym,size|2020-01-01,a,5|2020-01-01,a,|2020-01-01,b,7|2020-01-01,a,5|2020-01-02,b,2|20"
       "20-01-02,a,9|2020-01-02,c,2"},
      {"![trade;();0b;(enlist`v)!enlist(*;`size;`price)]",
       "date,sym,time,size,price,v|2020-01-01,a,00:00:01.000,5,1,5|2020-01-01,a,00:00:02.000,,2,|2"
       "020-01-01,b,00:00:02.000,7,4,28|2020-01-01,a,00:00:03.000,5,3,15|2020-01-02,b,00:00:01.000"
       ",2,8,16|2020-01-02,a,00:00:01.500,9,6,54|2020-01-02,c,00:00:04.000,2,1,2"},
      {"?[`trade;();0b;();3]",
       "date,sym,time,size,price|2020-01-01,a,00:00:01.000,5,1|2020-01-01,a,00:00:02.000,,2|2020-0"
       "1-01,b,00:00:02.000,7,4"},
      {"?[`trade;enlist(=;`size;(fby;(enlist;max;`size);`sym));0b;()]",
       "date,sym,time,size,price|2020-01-01,a,00:00:01.000,5,1|2020-01-01,b,00:00:02.000,7,4|2020-"
       "01-01,a,00:00:03.000,5,3|2020-01-02,b,00:00:01.000,2,8|2020-01-02,a,00:00:01.500,9,6|2020-"
       "01-02,c,00:00:04.000,2,1"},
  });
  check_forms(kForms);
}

TEST_CASE("values are looked up in lists and dictionaries") {
  constexpr auto kForms = std::to_array<Form>({
      {"select 00:00:01.000 00:00:02.000 bin time from trade where date=2020.01.01",
       "time|0|1|1|1"},
      {"d:`a`b!10 20; select d sym from trade where date=2020.01.02", "sym|20|10|"},
      {"d:00:00:01.000 00:00:02.000!`early`late; select n:count i by (`s#d) time from trade",
       "time,n|early,3|late,4"},
      {"select n:count i by (`a`b!`x`y) sym from trade", "sym,n|,1|x,4|y,2"},
      {"tb:`pre`open!00:00:00.000 00:00:02.000; update key[tb] b from select n:count i by b:value["
       "tb] bin time from trade",
       "b,n|pre,3|open,4"},
  });
  check_forms(kForms);
}

TEST_CASE("lists of a group are ordered, cut and chosen from") {
  constexpr auto kForms = std::to_array<Form>({
      {"select rank price by sym from trade", "sym,price|a,0 1 2 0|b,0 0|c,0"},
      {"select from trade where 2>(rank;neg size) fby sym",
       "date,sym,time,size,price|2020-01-01,a,00:00:01.000,5,1|2020-01-01,a,00:00:02.000,,2|2020-0"
       "1-01,b,00:00:02.000,7,4|2020-01-02,b,00:00:01.000,2,8|2020-01-02,a,00:00:01.500,9,6|2020-0"
       "1-02,c,00:00:04.000,2,1"},
      {"select 2#desc size by sym from trade", "sym,size|a,9 5|b,7 2|c,2 2"},
      {"select 2 sublist desc size by sym from trade", "sym,size|a,9 5|b,7 2|c,2"},
      {"select 2#desc size from trade where date=2020.01.02", "size|9|2"},
      {"select til count i by sym from trade", "sym,x|a,0 1 2 0|b,0 0|c,0"},
      {"select reverse size by sym from trade", "sym,size|a,9 5  5|b,2 7|c,2"},
      {"select price where size>4 by sym from trade", "sym,size|a,1 3 6|b,4|c,"},
      {"select sum price where size>4, count i where size>4, first price where size>4 by sym from "
       "trade",
       "sym,size,size1,size2|a,10,3,1|b,4,1,4|c,0,0,"},
      {"select n:count i by sym, g:(sums differ@;size) fby sym from trade",
       "sym,g,n|a,1,2|a,2,1|a,3,1|b,1,2|c,1,1"},
      {"ungroup select from (select d: size where (<) prior size by sym from trade) where 0 < coun"
       "t each d",
       "sym,d|a,"},
      {"select sum 2#desc size by sym from trade", "sym,size|a,14|b,9|c,4"},
  });
  check_forms(kForms);
}

TEST_CASE("groups are chosen by how many rows they have") {
  constexpr auto kForms = std::to_array<Form>({
      {"select from (select n:count i,sum size by sym from trade) where n>1",
       "sym,n,size|a,4,19|b,2,9"},
      {"select sym from (select sum size,n:count i by sym from trade) where n within 1 3,size<5",
       "sym|c"},
      {"select from (select sum size,n:count i by sym from trade) where not n in 1 2",
       "sym,size,n|a,19,4"},
      {"select m:max n from (select n:count i by date,sym from trade) where n<3", "m|1"},
  });
  check_forms(kForms);
}

TEST_CASE("names and lambdas stand for what defines them") {
  constexpr auto kForms = std::to_array<Form>({
      {"f:{select from trade where date=x}; f 2020.01.02",
       "date,sym,time,size,price|2020-01-02,b,00:00:01.000,2,8|2020-01-02,a,00:00:01.500,9,6|2020-"
       "01-02,c,00:00:04.000,2,1"},
      {"f:{[d;s] select from trade where date=d,sym=s}; f[2020.01.02;`a]",
       "date,sym,time,size,price|2020-01-02,a,00:00:01.500,9,6"},
      {"select {x%first x} price by sym from trade", "sym,price|a,1 2 3 6|b,1 2|c,1"},
      {"select r:{x%first x} price from trade where date=2020.01.02", "r|1|0.75|0.125"},
      {"n:3; n#select sym from trade where date=2020.01.02", "sym|b|a|c"},
      {"{select[x] sym from trade}[2]", "sym|a|a"},
      {"n:2; select v:n*size, w:size*n from trade where date=2020.01.02", "v,w|4,4|18,18|4,4"},
  });
  check_forms(kForms);
}

TEST_CASE("a table passes stages from right to left, and values are made of symbols") {
  constexpr auto kForms = std::to_array<Form>({
      {"select h:?[price>3;`hi;`lo] from trade", "h|lo|lo|hi|lo|hi|hi|lo"},
      {"count select from trade", "x|7"},
      {"10#select sym from trade where date=2020.01.02", "sym|b|a|c|b|a|c|b|a|c|b"},
      {"-2#select sym,time from trade", "sym,time|a,00:00:01.500|c,00:00:04.000"},
      {"`size xdesc 3#select sym,size from trade", "sym,size|b,7|a,5|a,"},
      {"desc select sum size by sym from trade", "sym,size|a,19|b,9|c,2"},
      {"asc select sum size by sym from trade", "sym,size|c,2|b,9|a,19"},
      {"cols quote", "cols|date|sym|time|size|bid"},
      {"keys select sum size by sym from trade", "keys|sym"},
      {"delete time,price from select from trade where date=2020.01.02",
       "date,sym,size|2020-01-02,b,2|2020-01-02,a,9|2020-01-02,c,2"},
      {"delete from trade where size<6",
       "date,sym,time,size,price|2020-01-01,b,00:00:02.000,7,4|2020-01-02,a,00:00:01.500,9,6"},
      {"0!select sum size by sym from trade", "sym,size|a,19|b,9|c,2"},
      {"1!select sym,size from trade where date=2020.01.02", "sym,size|b,2|a,9|c,2"},
      {"first select from trade", "date,sym,time,size,price|2020-01-01,a,00:00:01.000,5,1"},
      {"last select sum size by sym from trade", "size|2"},
      {"reverse select sym,size from trade where date=2020.01.02", "sym,size|c,2|a,9|b,2"},
      {"exec sym from select from trade where size>5", "sym|b|a"},
      {"max exec size from trade", "size|9"},
      {"2_select sym,size from trade", "sym,size|b,7|a,5|b,2|a,9|c,2"},
      {"-2_select sym,size from trade", "sym,size|a,5|a,|b,7|a,5|b,2"},
      {"`a`b xcol select sym,size from trade where date=2020.01.02", "a,b|b,2|a,9|c,2"},
      {"`size`sym#select sym,time,size from trade where date=2020.01.02", "size,sym|2,b|9,a|2,c"},
      {"`size _ select sym,size from trade where date=2020.01.02", "sym|b|a|c"},
      {"2 3 sublist select sym,size from trade", "sym,size|b,7|a,5|b,2"},
      {"fills select sym,size from trade", "sym,size|a,5|a,5|b,7|a,5|b,2|a,9|c,2"},
      {"distinct select sym from trade", "sym|a|b|c"},
      {"select from trade where date within 2020.01.01 2020.01.31d, sym=first sym",
       "date,sym,time,size,price|2020-01-01,a,00:00:01.000,5,1|2020-01-01,a,00:00:02.000,,2|2020-0"
       "1-01,a,00:00:03.000,5,3|2020-01-02,b,00:00:01.000,2,8"},
      {"select count i by date.week from trade", "week,x|2019-12-30,7"},
      {"select time.ss, time.hh, date.year from trade where date=2020.01.02",
       "ss,hh,year|1,0,2020|1,0,2020|4,0,2020"},
      {"select string sym, string price from trade where date=2020.01.02", "sym,price|b,8|a,6|c,1"},
      {"select upper sym from trade where date=2020.01.02", "sym|B|A|C"},
      {"select from trade where sym in 2#exec sym from quote",
       "date,sym,time,size,price|2020-01-01,a,00:00:01.000,5,1|2020-01-01,a,00:00:02.000,,2|2020-0"
       "1-01,a,00:00:03.000,5,3|2020-01-02,a,00:00:01.500,9,6"},
      {"select from trade where size>avg exec size from quote",
       "date,sym,time,size,price|2020-01-01,a,00:00:01.000,5,1|2020-01-01,b,00:00:02.000,7,4|2020-"
       "01-01,a,00:00:03.000,5,3|2020-01-02,a,00:00:01.500,9,6"},
      {"asc exec distinct sym from trade", "sym|a|b|c"},
  });
  check_forms(kForms);
}

TEST_CASE("what a group or a table lacks is a null") {
  constexpr auto kForms = std::to_array<Form>({
      {"select 3#price, mx:max size from trade where size>100", "price,mx|,|,|,"},
      {"select asc 3#size from trade where size>100", "size|||"},
      {"distinct select 3#price from trade where size>100", "price|"},
      {"select sum null size where price>1 from trade", "price|1"},
      {"select count neg price where size>4 by sym from trade", "sym,size|a,3|b,1|c,0"},
      {"select avg 0^size where price<3 from trade", "price|2.3333333333333335"},
      {"select 2*price where size>4 by sym from trade", "sym,size|a,2 6 12|b,8|c,"},
      {"select count distinct size where price<7 by sym from trade", "sym,price|a,3|b,1|c,1"},
      {"fills .pvt.pivot select size:first size by time,sym from trade where date=2020.01.01",
       "time,a,b|00:00:01.000,5,|00:00:02.000,5,7|00:00:03.000,5,7"},
      {"delete from trade", "date,sym,time,size,price"},
      {"![trade;();0b;`symbol$()]", "date,sym,time,size,price"},
      {"delete from trade where date=2020.01.01, size<>9",
       "date,sym,time,size,price|2020-01-02,b,00:00:01.000,2,8|2020-01-02,a,00:00:01.500,9,6|2020-"
       "01-02,c,00:00:04.000,2,1"},
      {"select sym,i from (select n:count i by sym from trade) where n<3", "sym,x|b,1|c,2"},
      {"wj1[-00:00:01.000 00:00:01.000+\\:exec time from trade;`sym`time;trade;(select "
       "sym,time,s:string bid from quote;(last;`s))]",
       "date,sym,time,size,price,s|2020-01-01,a,00:00:01.000,5,1,30|2020-01-01,a,00:00:02.000,,2,30"
       "|2020-01-01,b,00:00:02.000,7,4,40|2020-01-01,a,00:00:03.000,5,3,30|2020-01-02,b,00:00:01."
       "000,2,8,60|2020-01-02,a,00:00:01.500,9,6,30|2020-01-02,c,00:00:04.000,2,1,"},
      {"select d:(1 2!(1;2.5)) size from trade where date=2020.01.02", "d|2.5||2.5"},
      {"select 1 1e30 bin size from trade where date=2020.01.02", "size|0|0|0"},
  });
  check_forms(kForms);
}

TEST_CASE("what would take no end of memory or time is refused") {
  std::string priors, composed, forms, keyed = "k:select n:count i by sym from trade; k";
  for (int i = 0; i < 60; ++i) {
    priors += "(=) prior ";
    composed += "(sums differ@;size) fby ";
    forms += ",";
    keyed += " uj k";
  }
  for (const std::string& text : {
           std::string("a:{x+x};b:{a a x};c:{b b x};d:{c c x};e:{d d x};f:{e e x}; select f size "
                       "from trade"),
           "select " + priors + "size from trade",
           "select " + composed + "sym from trade",
           "?[trade;" + std::string(100'000, ',') + "size;0b;()]",
           keyed,
           std::string("9223372036854775807#trade"),
           std::string("select 9223372036854775807#size by sym from trade"),
       }) {
    const std::string found = rows_of(text);
    INFO(text.substr(0, 80));
    CHECK((found.find("too") != found.npos || found.find("not supported") != found.npos ||
           found.find("'limit") != found.npos));
  }
}

TEST_CASE("what is not run says where, and what would do instead") {
  check_caret(
      "wj[-00:00:01.000 00:00:01.000+\\:exec time from trade;`sym`time;trade;(quote;(@all;`bid))]",
      "all of bid in a window is not supported: make the column in a query within, as in select "
      "time,x:0<>bid from ...");
  check_caret("select from trade where size in til @-1",
              "'type: til takes a whole number from 0 to 65536");
  check_caret("select @$[price>3;`hi;`lo] from trade",
              "'type: $[c;a;b] takes one boolean, not a column of them: write ?[c;a;b]");
  check_caret(
      "select @date.foo from trade",
      "'type: a date has no part foo; its parts are: date month timestamp datetime week year mm "
      "dd");
  check_caret("f:{@f x}; f 5", "recursion is not supported: f calls itself");
  check_caret("f:{a@:x+1}; f 5",
              "assignments in lambdas are not supported: a lambda is one expression");
  check_caret("f:{x@;x}; select f size from trade",
              "a lambda of several expressions is not supported: write one");
  check_caret("select @{x+y} size from trade", "'rank: the lambda takes 2 arguments, found 1");
  check_caret("select from trade@; select from quote",
              "found ';' (one query at a time), expected the end of the query");
  check_caret("@raze {select from trade where size>x} each exec size from quote",
              "each takes {select ... from t where column=x, ...}, without by and limits");
  check_caret("@.pvt.pivot select sum size by sym from trade",
              "'type: a pivot takes select ... by two keys or more, with one column beside them");
  check_caret(
      "wj[@1 2;`sym`time;trade;(quote;(max;`bid))]",
      "found other windows, expected the windows as -0D00:00:01 0D00:00:01+\\:exec time from t");
  check_caret("(select sym from trade)@,select size from quote",
              "'mismatch: the right side has no column sym (uj takes tables of different columns)");
  check_caret("select size where @size from trade", "'type: where takes a boolean on its right");
  check_caret("@`symbol$() xasc trade", "found no symbols, expected names of columns");
  check_caret("(0!select size by sym from trade)@,0!select size:price by sym from trade",
              "'type: size is lists of longs on the left and lists of floats on the right");
  check_caret(
      "delete from trade where sym=`a, @price=max price",
      "delete takes aggregates, fby and functions of the rows before in its first condition "
      "alone: write delete from select from ... where ...");
  check_caret("select @![1 2 3;4 5] size from trade", "'length: 3 keys for 2 values");
  check_caret("?[`trade;();(`sym;@`symbol$());`size]",
              "the form has another value here, expected a column");
  check_caret(
      "select size wavg price @where size>4 from trade",
      "'where' gives a list of another length: it can stand first in a column, with an aggregate "
      "before it, alone");
  check_caret(
      "select @distinct 3#price from trade",
      "not supported yet: distinct and select[...] of what is made of a list: write distinct "
      "select ..., 5 sublist select ...");
  check_caret("?[`trade;();0b;5 6;7;@8]",
              "the form has another value here, expected an order such as (>:;`price)");
}

}  // namespace hdbench::queries
