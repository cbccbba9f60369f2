#include "queries/query.h"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/catch.h"
#include "engine/testing/plain_aggregates.h"
#include "queries/expression/expression_builder.h"
#include "queries/testing/sample_table.h"

namespace hdbench::queries {
namespace {

// What every expression keeps to: arguments before what they are of, fields that are there.
void check_expression(const Expression& expression, std::size_t fields) {
  REQUIRE_FALSE(expression.nodes.empty());
  for (std::size_t i = 0; i < expression.nodes.size(); ++i) {
    const ExpressionNode& node = expression.nodes[i];
    for (std::size_t a = 0; a < argument_count(node.operation); ++a) {
      REQUIRE(node.arguments[a] < i);
    }
    if (node.operation == Operation::kField) REQUIRE(node.field < fields);
    const bool rises = node.operation != Operation::kPick;
    if (rises) REQUIRE(std::is_sorted(node.set.begin(), node.set.end()));
  }
}

void check_tree(const Plan& plan);

// What every plan keeps to, wherever its text came from.
void check_plan(const Plan& plan, const Schema& schema) {
  const std::size_t own = schema.fields.size();
  const std::size_t fields = own + plan.computed.size();
  for (const ComputedField& field : plan.computed) check_expression(field.expression, own);
  for (const ResultExpression& result : plan.results) {
    check_expression(result.expression, plan.outputs.size());
  }
  REQUIRE((plan.results.empty() || plan.aggregates()));
  for (const Output& output : plan.outputs) {
    REQUIRE(output.field.value_or(0) < fields);
    REQUIRE((output.field.has_value() || output.aggregate == Aggregate::kCount));
    REQUIRE(output.weights.has_value() == takes_two(output.aggregate));
    REQUIRE((output.aggregate != Aggregate::kNone) == plan.aggregates());
  }
  REQUIRE(plan.last_rows == (!plan.by.empty() && !plan.aggregates()));
  for (const GroupKey& key : plan.by) REQUIRE(key.field < fields);
  for (const Condition& condition : plan.where) {
    REQUIRE(condition.field < fields);
    REQUIRE_FALSE(condition.text.empty());
    if (const auto* set = std::get_if<SetTest>(&condition.test)) {
      REQUIRE(set->keys.size() >= 2);
      REQUIRE(std::is_sorted(set->keys.begin(), set->keys.end()));
    }
    if (const auto* codes = std::get_if<CodeTest>(&condition.test)) {
      REQUIRE(codes->member.size() == sample_domain()->size());
    }
  }
  for (const ConditionQuery& query : plan.condition_queries) {
    REQUIRE(query.condition < plan.where.size());
    check_tree(*query.query.plan);
  }
}

// The same of all that a plan's rows come from.
void check_tree(const Plan& plan) {
  if (plan.source == nullptr) return check_plan(plan, sample_table().schema());
  const PlanSource& source = *plan.source;
  check_plan(plan, source.schema);
  check_tree(*source.left.plan);
  REQUIRE(source.left_keys.size() == source.right_keys.size());
  for (const std::size_t key : source.left_keys) REQUIRE(key < source.left.rows.fields.size());
  for (const std::size_t key : source.right_keys) REQUIRE(key < source.right.rows.fields.size());
  if (source.right.plan == nullptr) return;
  if (!source.is_right_over_left) return check_tree(*source.right.plan);
  check_plan(*source.right.plan, source.left.rows);
}

// Good or bad, a text leads to a plan or to an error with a caret in it; returns whether it was
// good.
bool check_text(const std::string& text) {
  INFO(text);
  const auto check_error = [&](const Error& error) {
    REQUIRE(error.kind == ErrorKind::kUsage);
    REQUIRE(error.caret.has_value());
    REQUIRE(*error.caret <= text.size());
    REQUIRE_FALSE(error.message.empty());
    REQUIRE(error.message.find('\n') == std::string::npos);
  };
  const auto plan = bind_text(text);
  if (!plan.ok()) {
    check_error(plan.error());
    return false;
  }
  check_tree(**plan);
  return true;
}

const std::vector<std::string>& words() {
  static const std::vector<std::string> kWords = {
      "select",      "exec",      "by",          "from",        "where",      "quote",
      "quote",       "date",      "time",        "col1",        "col3",       "bid",
      "bsize",       "cx",        "gx",          "text",        "ix",         "ex",
      "px",          "zx",        "mx",          "count",       "i",          "sum",
      "max",         "wavg",      "first",       "med",         "=",          "<>",
      "<",           "<=",        ">",           ">=",          "within",     "in",
      "like",        "not",       "(",           ")",           ";",          ",",
      ":",           "*",         "-",           "$",           "enlist",     "5",
      "-2.5",        "1 2 3h",    "0N",          "0W",          "0n",         "0x1f2e",
      "101b",        "`val1",     "`val1`val2",  "`",           "\"a\"",      "\"abc\"",
      "2020.01.07",  "2020.01m",  "09:30",       "2020.01.07D", "0D00:00:01", "2020.02.30",
      "0Ng",         "\"G\"$",    "`long$()",    "[",           "+",          "%",
      "xbar",        "]",         "?[",          "null",        "neg",        "`long$",
      "time.minute", "|",         "and",         "^",           "mod",        "sdev",
      "update",      "sums",      "3 mavg",      "prev",        "differ",     "aj[",
      "`col1`time;", "(max;bid)", "([]col1;bx)", "exec col1",   "[5]",        "xasc",
      "xkey",        "ij",        "distinct",    "fby",         "lj",         "(1;2.5)",
      "(`a;`b)",     "0Wd",       "-0Wp"};
  return kWords;
}

const std::vector<std::string>& good_queries() {
  static const std::vector<std::string> kQueries = {
      "select * by date,col1 from quote where date within (2020.01.03 2020.01.31), col3 in `val1",
      "select * from quote where date in (2020.01.03;2020.01.31), col3 in `val2`val1`val3",
      "select n:count i,bsize wavg bid,high:max ask by day:date,col1 from quote where 5<bsize",
      "exec bid,ask from quote where not (col3 like \"val[12]*\"), time within 09:30 16:00",
      "select from quote where gx=\"G\"$\"8c6b8b64-6815-6084-0a3e-178401251b68\", cx in \"AB\"",
      "select from quote where px<2020.01.07D09:30:00.123456789, ex>=1.1e, ix<>-5, hx in 1 2 3h",
      "select from quote where zx>2020.01.07T12:00:00.000, mx=2020.01m, nx<0D00:00:01, bx=1b",
      "select open:first bid,vwap:bsize wavg .5*bid+ask,count distinct col1 by date,5 xbar "
      "time.minute from quote where bsize>0,(ask-bid)<0.1*bid,not null bid",
      "select (max[ask]-min bid)%avg bid,sum[bsize*bid]%sum bsize by col1 from quote where bx",
      "exec bid,mid:?[bid>ask;bid;ask]^0.5*bid+ask,`long$time,px.date from quote where px within "
      "09:30 16:00, (col1=`val1)|col2 in `val1`val2, col1=col2, date=2020.01.01+5",
      "select[5;>bid] distinct col1,bid from `time xasc select from quote where bid>5",
      "aj[`col1`time;select col1,time,bid from quote;select col1,time,ask from quote where bx]",
      "select n:count i by col1 from quote where bid=(max;bid) fby ([]col1;5 xbar bsize),ask>5",
      "update m:avg bid,sums bsize by col1 from select from quote where col1 in exec col1 from "
      "quote where bid>5",
      "select dev log bid%prev bid,n:sum differ ask by col1 from quote lj select last ask by col1 "
      "from quote"};
  return kQueries;
}

}  // namespace

TEST_CASE("partitions may be months or ints") {
  for (const auto& [type, condition, key] :
       {std::tuple(QType::kMonth, "p=2020.01m", 240), std::tuple(QType::kInt, "p=5", 5)}) {
    Schema schema;
    schema.partitioned = true;
    schema.fields.push_back({"p", type, Attribute::kNone, nullptr});
    const MemoryTable table("t", schema, {});
    const auto plan = bind_text(std::string("select from t where ") + condition, table);
    REQUIRE(plan.ok());
    CHECK(std::get<RangeTest>((*plan)->where[0].test).low == key);
    CHECK(prunes_partitions(**plan, 0, true));
  }
}

TEST_CASE("the first and the last partition are known when a query is bound") {
  Schema schema;
  schema.partitioned = true;
  schema.fields.push_back({"date", QType::kDate, Attribute::kNone, nullptr});
  const MemoryTable table("t", schema, {{7300, {}}, {7301, {}}, {7305, {}}});
  const auto key = [&](const std::string& condition) {
    const auto plan = bind_text("select from t where " + condition, table);
    REQUIRE(plan.ok());
    CHECK((*plan)->computed.empty());
    CHECK(prunes_partitions(**plan, 0, true));
    return std::get<RangeTest>((*plan)->where[0].test).low;
  };
  CHECK(key("date=last date") == 7305);
  CHECK(key("date=max date") == 7305);
  CHECK(key("date=(max date)-1") == 7304);
  CHECK(key("date>=first date") == 7300);
  CHECK(key("date=min[date]") == 7300);
  CHECK(key("date within (last[date]-4;last date)") == 7301);
  CHECK(key("date in (2020.01.01;last date)") == 7305);
  CHECK(std::get<RangeTest>(bind_where("date=last date").test).low == kNullInt);
}

TEST_CASE("random bytes never crash") {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string text = round % 2 == 0 ? "select from quote where " : "";
    for (std::size_t n = random() % 40; n > 0; --n) text += static_cast<char>(random() % 256);
    check_text(text);
  }
}

TEST_CASE("random words never crash, and some make queries") {
  std::mt19937 random(2);
  int good = 0;
  for (int round = 0; round < 40000; ++round) {
    std::string text = round % 2 == 0 ? "select from quote where " : "select ";
    for (std::size_t n = random() % 8; n > 0; --n) {
      text += words()[random() % words().size()] + (random() % 4 == 0 ? "" : " ");
    }
    if (check_text(text)) ++good;
  }
  CHECK(good > 10);
}

TEST_CASE("mutated good queries never crash") {
  std::mt19937 random(3);
  for (const std::string& good : good_queries()) REQUIRE(check_text(good));
  for (int round = 0; round < 40000; ++round) {
    std::string text = good_queries()[random() % good_queries().size()];
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0: text.erase(at, 1 + random() % 5); break;
        case 1: text.insert(at, words()[random() % words().size()]); break;
        case 2: text[at] = static_cast<char>(32 + random() % 95); break;
        default: text.insert(at, text.substr(random() % text.size(), 1 + random() % 10)); break;
      }
      if (text.empty()) text = "select";
    }
    check_text(text);
  }
}

}  // namespace hdbench::queries
