#include "queries/column_binder.h"

#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "queries/query.h"
#include "queries/testing/sample_table.h"

namespace hdbench::queries {
namespace {

using Names = std::vector<std::string>;

Names output_names(const std::string& text) {
  Names names;
  for (const Output& output : bind_good(text).outputs) names.push_back(output.name);
  return names;
}

Names key_names(const Plan& plan) {
  Names names;
  for (const GroupKey& key : plan.by) names.push_back(key.name);
  return names;
}

// t: k, lk, and lk's followed columns k and v.
const Table& linked_table() {
  static const MemoryTable table = [] {
    Schema schema;
    schema.fields = {{"k", QType::kLong, Attribute::kNone, nullptr},
                     {"lk", QType::kLong, Attribute::kNone, nullptr, {}, "ref"},
                     {"lk.k", QType::kLong, Attribute::kNone, nullptr, {}, "", true},
                     {"lk.v", QType::kFloat, Attribute::kNone, nullptr, {}, "", true}};
    MemoryTable::Part part;
    part.columns.resize(4);
    return MemoryTable("t", std::move(schema), {std::move(part)});
  }();
  return table;
}

std::string names_of(const std::string& text) {
  const auto plan = bind_text(text, linked_table());
  if (!plan.ok()) return plan.error().message;
  std::string names;
  for (const GroupKey& key : (*plan)->by) names += key.name + " ";
  for (const Output& output : (*plan)->outputs) names += output.name + " ";
  return names;
}

}  // namespace

TEST_CASE("nothing and a star are all columns, the virtual date first") {
  for (const char* text : {"select from quote", "select * from quote", "exec from quote"}) {
    const Plan plan = bind_good(text);
    REQUIRE(plan.outputs.size() == sample_table().schema().fields.size());
    for (std::size_t i = 0; i < plan.outputs.size(); ++i) CHECK(plan.outputs[i].field == i);
    CHECK(plan.outputs[0].name == "date");
    CHECK_FALSE(plan.last_rows);
    CHECK_FALSE(plan.aggregates());
  }
}

TEST_CASE("select by keeps last rows of the columns that are no key, in table order") {
  for (const char* text : {"select * by col1,date from quote", "select by col1,date from quote"}) {
    const Plan plan = bind_good(text);
    CHECK(plan.last_rows);
    CHECK(key_names(plan) == Names{"col1", "date"});
    CHECK(plan.by[0].field == 2);
    CHECK(plan.by[1].field == 0);
    REQUIRE(plan.outputs.size() == sample_table().schema().fields.size() - 2);
    CHECK(plan.outputs[0].name == "time");
    CHECK(plan.outputs[1].name == "col2");
  }
}

TEST_CASE("an unnamed result is named after its last column, count i is x") {
  CHECK(output_names("select max bid from quote") == Names{"bid"});
  CHECK(output_names("select count i from quote") == Names{"x"});
  CHECK(output_names("select count bid from quote") == Names{"bid"});
  CHECK(output_names("select bsize wavg bid from quote") == Names{"bid"});
}

TEST_CASE("an expression is named after its last column, a part after itself") {
  CHECK(output_names("select bid+ask,2*bid,i,5 from quote") == Names{"ask", "bid", "x", "x1"});
  CHECK(output_names("select time.minute,`date$px from quote") == Names{"minute", "px"});
  const Plan plan =
      bind_good("select count i by date,5 xbar time.minute,10 xbar bid,big:bsize>5 from quote");
  CHECK(key_names(plan) == Names{"date", "minute", "bid", "big"});
  CHECK(plan.computed.size() == 3);
  CHECK(plan.by[1].field == sample_table().schema().fields.size());
}

TEST_CASE("a followed column is named by its last part and is none of all columns") {
  CHECK(names_of("select from t") == "k lk ");
  CHECK(names_of("select lk.v,lk.k,k from t") == "v k k1 ");
  CHECK(names_of("select max lk.v by lk.k from t where lk.v>1") == "k v ");
  CHECK(names_of("select by v:lk.v from t") == "v k lk ");
  CHECK(names_of("select lk.nope from t") == "t has no column 'lk.nope', its columns are: k lk");
}

TEST_CASE("names that come again are numbered") {
  CHECK(output_names("select max bid,min bid,last bid from quote") == Names{"bid", "bid1", "bid2"});
  CHECK(output_names("select bid,bid from quote") == Names{"bid", "bid1"});
  CHECK(output_names("select count i,count i from quote") == Names{"x", "x1"});
  CHECK(output_names("select max bid,bid:min bid from quote") == Names{"bid1", "bid"});
  CHECK(output_names("select max date by date from quote") == Names{"date1"});
}

TEST_CASE("a colon names a column or a key") {
  CHECK(output_names("select high:max bid,n:count i from quote") == Names{"high", "n"});
  const Plan plan = bind_good("select n:count i by day:date,s:col1 from quote");
  CHECK(key_names(plan) == Names{"day", "s"});
  CHECK(plan.by[0].field == 0);
}

TEST_CASE("every aggregate is known, wavg with its weights") {
  const Plan plan = bind_good(
      "select count i,a:count bid,sum bid,avg bid,min bid,max bid,first bid,last bid,"
      "bsize wavg bid,dev bid,med bid,var bid,svar bid,sdev bid,bsize wsum bid,bid cov ask,"
      "bid scov ask,cor[bid;ask],any bx,all bx,count distinct col1 by date from quote");
  const std::vector<Aggregate> expected = {
      Aggregate::kCount,        Aggregate::kCount,     Aggregate::kSum,   Aggregate::kAvg,
      Aggregate::kMin,          Aggregate::kMax,       Aggregate::kFirst, Aggregate::kLast,
      Aggregate::kWavg,         Aggregate::kDev,       Aggregate::kMed,   Aggregate::kVar,
      Aggregate::kSampleVar,    Aggregate::kSampleDev, Aggregate::kWsum,  Aggregate::kCov,
      Aggregate::kSampleCov,    Aggregate::kCor,       Aggregate::kAny,   Aggregate::kAll,
      Aggregate::kCountDistinct};
  REQUIRE(plan.outputs.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(plan.outputs[i].aggregate == expected[i]);
  CHECK_FALSE(plan.outputs[0].field.has_value());
  CHECK(plan.outputs[1].field == 5U);
  CHECK(plan.outputs[8].weights == 7U);
  CHECK(plan.outputs[8].field == 5U);
  CHECK(plan.aggregates());
  CHECK_FALSE(plan.last_rows);
}

TEST_CASE("plain columns are lists beside by, and rows beside aggregates") {
  const auto are_lists = [](const std::string& text) {
    const Plan plan = bind_good(text);
    std::vector<bool> found(plan.lists->columns.size());
    for (std::size_t c = 0; c < found.size(); ++c) found[c] = plan.lists->columns[c].is_list;
    return found;
  };
  CHECK(are_lists("select bid by col1 from quote") == std::vector<bool>{false, true});
  CHECK(are_lists("select max bid,x:ask by col1 from quote") ==
        std::vector<bool>{false, false, true});
  CHECK(are_lists("select bid%max bid by col1 from quote") == std::vector<bool>{false, true});
  check_bad("select @text by col1 from quote", "'type: lists of text, which is a list");
  CHECK(bind_good("select max bid,ask from quote").outputs.size() == 2);
}

TEST_CASE("a name given twice is refused") {
  check_bad("select max bid by col1,@col1 from quote",
            "'dup: the result has a column 'col1' already");
  check_bad("select max bid by col1,@col1:col2 from quote",
            "'dup: the result has a column 'col1' already");
  check_bad("select a:max bid,@a:min bid from quote", "'dup: the result has a column 'a' already");
  check_bad("select @col1:max bid by col1 from quote",
            "'dup: the result has a column 'col1' already");
  check_bad("select by bid:@col1 from quote", "'dup: the key 'bid' has the name of another column");
}

}  // namespace hdbench::queries
