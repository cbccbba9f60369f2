#include "queries/expression/aggregate_binder.h"

#include <string>

#include "engine/base/catch.h"
#include "queries/testing/expression_text.h"

namespace hdbench::queries {
namespace {

// The results of a query, each as its name, the outputs' places being #0, #1, ...
std::string results_text(const Plan& plan) {
  std::string shown;
  for (const ResultExpression& result : plan.results) {
    shown +=
        (shown.empty() ? "" : " ") + result.name + "=" + expression_text(result.expression, {});
  }
  return shown;
}

}  // namespace

TEST_CASE("an aggregate of an expression is one of a computed field") {
  const Plan plan = bind_good("select vwap:bsize wavg 0.5*bid+ask,sum bid*bsize from quote");
  const std::size_t own = sample_table().schema().fields.size();
  REQUIRE(plan.computed.size() == 2);
  CHECK(plan.computed[0].text == "0.5*bid+ask");
  CHECK(plan.outputs[0].aggregate == Aggregate::kWavg);
  CHECK(plan.outputs[0].weights == 7U);
  CHECK(plan.outputs[0].field == own);
  CHECK(plan.outputs[1].field == own + 1);
  CHECK(plan.outputs[1].name == "bsize");
  CHECK(plan.results.empty());
}

TEST_CASE("a count of an expression counts rows") {
  const Plan plan = bind_good("select count bid+ask,count[i],count bid from quote");
  CHECK(plan.computed.empty());
  CHECK_FALSE(plan.outputs[0].field.has_value());
  CHECK_FALSE(plan.outputs[1].field.has_value());
  CHECK(plan.outputs[2].field == 5U);
}

TEST_CASE("any and all of numbers are of those that are not zero") {
  const Plan plan = bind_good("select any bsize,all bid+1 from quote");
  REQUIRE(plan.computed.size() == 3);
  const Schema& schema = sample_table().schema();
  CHECK(expression_text(plan.computed[0].expression, schema) == "differ(bsize,0j)");
  CHECK(expression_text(plan.computed[2].expression, schema) == "differ(add(bid,1f),0f)");
}

TEST_CASE("an expression around aggregates reads them, equal ones once") {
  const Plan plan = bind_good("select (max[ask]-min bid)%avg bid,s:sum bsize from quote");
  CHECK(results_text(plan) == "bid=divide(subtract(#0,#1),#2) s=#3");
  REQUIRE(plan.outputs.size() == 4);
  CHECK(plan.outputs[0].name == "max[ask]");
  const Plan vwap = bind_good("select sum[bsize*bid]%sum bsize,n:sum bsize by col1 from quote");
  CHECK(results_text(vwap) == "bsize=divide(#0,float(#1)) n=#1");
  CHECK(vwap.outputs.size() == 2);
  CHECK(vwap.by.size() == 1);
}

TEST_CASE("results may be of any type, a symbol too") {
  const Plan plan = bind_good("select first col1,(first col1)=`val1,2*last time from quote");
  CHECK(results_text(plan).starts_with("col1=#0 col11=set(#0,0)"));
}

TEST_CASE("aggregates beside columns, in others and in conditions are made before") {
  const auto is_beside = [](const std::string& text) {
    const Plan plan = bind_good(text);
    return plan.source != nullptr && plan.source->kind == SourceKind::kLeft;
  };
  CHECK(is_beside("select bid-avg bid from quote"));
  CHECK(is_beside("select max bid-min bid by col1 from quote"));
  CHECK(is_beside("select from quote where bid=max bid"));
  CHECK_FALSE(is_beside("select max bid from quote where date=last date"));
  check_bad("select count i by @max bid from quote",
            "not supported yet: the aggregate max within an expression of rows");
}

TEST_CASE("a type that an aggregate does not take is refused at what it is of") {
  check_bad("select var @col1 from quote", "'type: var of column col1, which is a symbol");
  check_bad("select count distinct @text from quote",
            "'type: count of column text, which is a list");
  check_bad("select bid cor @gx from quote", "'type: cor of column gx, which is a guid");
  CHECK(bind_good("select sum bid>ask from quote").computed.size() == 1);
}

}  // namespace hdbench::queries
