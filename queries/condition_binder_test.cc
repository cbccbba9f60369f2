#include "queries/condition_binder.h"

#include <limits>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/order_key.h"
#include "queries/testing/sample_table.h"

namespace hdbench::queries {
namespace {

using Keys = std::vector<std::int64_t>;
using CodeList = std::vector<std::uint64_t>;

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// {low, high} of a condition that became a range.
Keys range(const std::string& condition) {
  const Condition bound = bind_where(condition);
  INFO(condition);
  REQUIRE(std::holds_alternative<RangeTest>(bound.test));
  const auto& test = std::get<RangeTest>(bound.test);
  return {test.low, test.high};
}

Keys set(const std::string& condition) {
  const Condition bound = bind_where(condition);
  INFO(condition);
  REQUIRE(std::holds_alternative<SetTest>(bound.test));
  return std::get<SetTest>(bound.test).keys;
}

// The codes of a condition on symbols; its members must say the same.
CodeList codes(const std::string& condition) {
  const Condition bound = bind_where(condition);
  INFO(condition);
  REQUIRE(std::holds_alternative<CodeTest>(bound.test));
  const auto& test = std::get<CodeTest>(bound.test);
  REQUIRE(test.member.size() == sample_domain()->size());
  CodeList members;
  for (std::size_t code = 0; code < test.member.size(); ++code) {
    if (test.member[code] == 1) members.push_back(code);
  }
  REQUIRE(members == test.codes);
  return test.codes;
}

std::string pattern(const std::string& condition) {
  const Condition bound = bind_where(condition);
  REQUIRE(std::holds_alternative<LikeTest>(bound.test));
  return std::get<LikeTest>(bound.test).pattern;
}

bool negated(const std::string& condition) { return bind_where(condition).negated; }

}  // namespace

TEST_CASE("comparisons become ranges of order keys") {
  CHECK(range("bsize=5") == Keys{5, 5});
  CHECK(range("bsize<5") == Keys{kMin, 4});
  CHECK(range("bsize<=5") == Keys{kMin, 5});
  CHECK(range("bsize>5") == Keys{6, kMax});
  CHECK(range("bsize>=5") == Keys{5, kMax});
  CHECK(range("bid>1.5") == Keys{float_order_key(1.5) + 1, kMax});
}

TEST_CASE("within includes both ends, spaces or a semicolon between them") {
  CHECK(range("date within 2020.01.03 2020.01.31") == Keys{7307, 7335});
  CHECK(range("date within (2020.01.03 2020.01.31)") == Keys{7307, 7335});
  CHECK(range("date within (2020.01.03;2020.01.31)") == Keys{7307, 7335});
  CHECK(range("bsize within 5 3") == Keys{1, 0});
  CHECK(range("ix within (1.5;3)") == Keys{2, 3});
}

TEST_CASE("a literal on the left is flipped") {
  CHECK(range("5<bsize") == Keys{6, kMax});
  CHECK(range("5>=bsize") == Keys{kMin, 5});
  CHECK(range("5=bsize") == Keys{5, 5});
  CHECK(codes("`val1=col3") == CodeList{0});
}

TEST_CASE("not and <> negate, and undo each other") {
  CHECK(negated("bsize<>5"));
  CHECK(range("bsize<>5") == Keys{5, 5});
  CHECK(negated("not bsize=5"));
  CHECK(negated("not bsize within 1 5"));
  CHECK(negated("not col3 in `val1"));
  CHECK_FALSE(negated("not bsize<>5"));
  CHECK_FALSE(negated("not not bsize=5"));
  CHECK(negated("not (bsize=5)"));
  CHECK_FALSE(negated("bsize=5"));
}

TEST_CASE("in takes an atom or a list, and keeps distinct rising keys") {
  CHECK(set("bsize in 3 1 2 1") == Keys{1, 2, 3});
  CHECK(range("bsize in 7") == Keys{7, 7});
  CHECK(range("bsize in 7 7") == Keys{7, 7});
  CHECK(range("bsize in enlist 7") == Keys{7, 7});
  CHECK(set("ix in (1;2.5;3)") == Keys{1, 3});
  CHECK(set("date in (2019.11.01;2020.01.31)") == Keys{7244, 7335});
  CHECK(set("bx in 10b") == Keys{0, 1});
  CHECK(set("xx in 0x1f2e") == Keys{0x1f, 0x2e});
}

TEST_CASE("an in that nothing can pass is an empty range") {
  CHECK(range("ix in 0.5 1.5") == Keys{1, 0});
  CHECK(range("bsize in `long$()") == Keys{1, 0});
  CHECK(range("bsize in \"f\"$()") == Keys{1, 0});
  CHECK(range("cx in \"\"") == Keys{1, 0});
  CHECK(range("date in `date$()") == Keys{1, 0});
  CHECK(codes("col3 in `symbol$()").empty());
  CHECK(std::get<GuidTest>(bind_where("gx in `guid$()").test).values.empty());
}

TEST_CASE("symbols become codes, those that the domain lacks no code") {
  CHECK(codes("col3 in `val2`val1`val3") == CodeList{0, 1, 2});
  CHECK(codes("col3 in `val1") == CodeList{0});
  CHECK(codes("col3 in (`val1;`other)") == CodeList{0, 4});
  CHECK(codes("col3=`nowhere").empty());
  CHECK(codes("col3=`") == CodeList{3});
  CHECK(codes("col3=`$\"val2\"") == CodeList{1});
  CHECK(codes("col3 in `$(\"val2\";\"other\")") == CodeList{1, 4});
  CHECK(codes("col3<>`val1") == CodeList{0});
  CHECK(negated("col3<>`val1"));
}

TEST_CASE("symbols order by their text, not by their code") {
  CHECK(codes("col3<`val1") == CodeList{3, 4});
  CHECK(codes("col3<=`val1") == CodeList{0, 3, 4});
  CHECK(codes("col3>`val1") == CodeList{1, 2});
  CHECK(codes("col3>=`p") == CodeList{0, 1, 2});
  CHECK(codes("col3 within `other`val1") == CodeList{0, 4});
}

TEST_CASE("two codes of one text are the same symbol") {
  Schema schema;
  schema.fields.push_back(
      {"s", QType::kSymbol, Attribute::kNone, make_domain("sym", {"a", "b", "a"})});
  Column column = make_column<std::int32_t>(QType::kSymbol, {}, schema.fields[0].domain);
  const MemoryTable table("t", schema, {{0, {column}}});
  const auto plan = bind_text("select from t where s=`a", table);
  REQUIRE(plan.ok());
  CHECK(std::get<CodeTest>((*plan)->where[0].test).codes == CodeList{0, 2});
}

TEST_CASE("like works on symbols, strings and chars") {
  CHECK(codes("col3 like \"val*\"") == CodeList{0, 1, 2});
  CHECK(codes("col3 like \"val[12]\"") == CodeList{0, 1});
  CHECK(codes("col3 like \"\"") == CodeList{3});
  CHECK(negated("not col3 like \"val*\""));
  CHECK(pattern("text like \"*x?\"") == "*x?");
  CHECK(pattern("cx like \"[A-N]\"") == "[A-N]");
  CHECK(pattern("cx like \"A\"") == "A");
}

TEST_CASE("nulls compare as the least value") {
  CHECK(range("bsize=0N") == Keys{kMin, kMin});
  CHECK(range("ix=0N") == Keys{kNullInt, kNullInt});
  CHECK(range("ix>0Ni") == Keys{kNullInt + 1, kMax});
  CHECK(range("bid=0n") == Keys{kMin, kMin});
  CHECK(range("bid<>0n") == Keys{kMin, kMin});
  CHECK(range("date=0Nd") == Keys{kNullInt, kNullInt});
  CHECK(range("time<0Nt") == Keys{1, 0});
  CHECK(range("bsize<5") == Keys{kMin, 4});
}

TEST_CASE("guids are equal or not") {
  const Guid guid = {0x8c, 0x6b, 0x8b, 0x64, 0x68, 0x15, 0x60, 0x84,
                     0x0a, 0x3e, 0x17, 0x84, 0x01, 0x25, 0x1b, 0x68};
  const std::string text = "\"8c6b8b64-6815-6084-0a3e-178401251b68\"";
  const auto values = [](const std::string& condition) {
    return std::get<GuidTest>(bind_where(condition).test).values;
  };
  CHECK(values("gx=\"G\"$" + text) == std::vector<Guid>{guid});
  CHECK(values("gx in \"G\"$(" + text + ";" + text + ")") == std::vector<Guid>{guid});
  CHECK(values("gx=0Ng") == std::vector<Guid>{Guid{}});
  CHECK(values("gx in (0Ng;\"G\"$" + text + ")") == std::vector<Guid>{Guid{}, guid});
  CHECK(negated("gx<>0Ng"));
}

TEST_CASE("integers compare with temporals by number, timestamps with times by the day's time") {
  CHECK(range("date>5") == Keys{6, kMax});
  CHECK(set("date in 7305 0N") == Keys{kNullInt, 7305});
  CHECK(range("time<=1000i") == Keys{kMin, 1000});
  CHECK(range("ix=2000.01.06") == Keys{5, 5});
  CHECK(range("zx>5") == Keys{float_order_key(5) + 1, kMax});
  CHECK(range("time>2020.01.07D09:30:00.5") == Keys{34200501, kMax});
  CHECK(range("ux=2020.01.07D09:30:59") == Keys{570, 570});
  CHECK(range("time=1999.12.31D23:59:59.999999999") == Keys{86399999, 86399999});
  CHECK(range("mx=0N") == Keys{kNullInt, kNullInt});
}

TEST_CASE("constant expressions are as good as literals") {
  CHECK(range("date=2020.01.01+6") == Keys{7311, 7311});
  CHECK(range("bsize>2*3") == Keys{7, kMax});
  CHECK(range("(neg 5)<bsize") == Keys{-4, kMax});
  CHECK(prunes_partitions(bind_good("select from quote where date=2020.01.01+6"), 0, true));
}

TEST_CASE("a boolean column is a condition") {
  CHECK(range("bx") == Keys{1, 1});
  CHECK(bind_where("bx").field == 9);
  CHECK(negated("not bx"));
}

TEST_CASE("any other condition is a computed boolean") {
  const std::size_t own = sample_table().schema().fields.size();
  for (const char* text : {"bid<ask", "bid>bsize+1", "1.5>ask-bid", "(bid>5)|ask<6", "null bid",
                           "px within 09:30 16:00", "i<100", "col1=col2", "0=bsize mod 2"}) {
    INFO(text);
    const Plan plan = bind_good(std::string("select from quote where ") + text);
    REQUIRE(plan.computed.size() == 1);
    CHECK(plan.computed[0].expression.type() == QType::kBoolean);
    CHECK(plan.where[0].field == own);
    CHECK(plan.where[0].text == text);
    CHECK(std::get<RangeTest>(plan.where[0].test).low == 1);
    CHECK(std::get<RangeTest>(plan.where[0].test).high == 1);
    CHECK_FALSE(plan.where[0].negated);
  }
  CHECK(negated("not bid<ask"));
  const Plan zero = bind_good("select from quote where not bsize");
  REQUIRE(zero.computed.size() == 1);
  CHECK_FALSE(zero.where[0].negated);
  CHECK(bind_good("select from quote where bid<ask,bid<ask").computed.size() == 1);
}

TEST_CASE("a condition that is no boolean is refused") {
  check_bad("select from quote where @bid",
            "'type: a condition is a boolean, such as bid>0; found a float");
  check_bad("select from quote where bsize>0,@bid-ask",
            "'type: a condition is a boolean, such as bid-ask>0; found a float");
}

TEST_CASE("conditions keep their order and their text") {
  const Plan plan =
      bind_good("select from quote where date=2020.01.07, not (col3 in `val1) , 5<bsize");
  REQUIRE(plan.where.size() == 3);
  CHECK(plan.where[0].text == "date=2020.01.07");
  CHECK(plan.where[1].text == "not (col3 in `val1)");
  CHECK(plan.where[2].text == "5<bsize");
  CHECK(plan.where[0].field == 0);
  CHECK(plan.where[1].field == 4);
  CHECK(plan.where[2].field == 7);
}

TEST_CASE("only a first condition on the partition column prunes") {
  CHECK(prunes_partitions(bind_good("select from quote where date=2020.01.07,bx"), 0, true));
  CHECK_FALSE(prunes_partitions(bind_good("select from quote where date=2020.01.07,bx"), 1, true));
  const Plan later = bind_good("select from quote where bsize>5, date=2020.01.07");
  CHECK_FALSE(prunes_partitions(later, 0, true));
  CHECK_FALSE(prunes_partitions(later, 1, true));
}

TEST_CASE("a type that does not fit names both") {
  check_bad("select from quote where col3=@5",
            "'type: column col3 is a symbol, the value is a long");
  check_bad("select from quote where col3=@\"val1\"",
            "'type: column col3 is a symbol, the value is a char (a symbol is written `abc)");
  check_bad("select from quote where bid=@`a",
            "'type: column bid is a float, the value is a symbol");
  check_bad("select from quote where date=@09:30",
            "'type: column date is a date, the value is a minute");
  check_bad("select from quote where bsize in @`symbol$()",
            "'type: column bsize is a long, the value is a symbol");
  check_bad("select from quote where gx=@\"8c6b8b64-6815-6084-0a3e-178401251b68\"",
            "'type: column gx is a guid, the value is a char");
  check_bad("select from quote where @5=col3",
            "'type: column col3 is a symbol, the value is a long");
}

TEST_CASE("a comparison that a type does not have is refused at the comparison") {
  check_bad("select from quote where bid @like \"a*\"",
            "'type: like needs symbols, strings or chars, column bid is a float");
  check_bad("select from quote where gx@<0Ng",
            "'type: column gx is a guid, which only = <> and in can test");
  check_bad("select from quote where text@=\"abc\"",
            "'type: column text is a list, which only like can test");
  check_bad("select from quote where col3 like @`a",
            "'type: like takes a pattern such as \"a*\", the value is a symbol");
  check_bad("select from quote where col3 like @\"[a\"", "the pattern has a [ without its ]");
}

TEST_CASE("a wrong number of values is refused") {
  check_bad("select from quote where date within @2020.01.01",
            "'length: within takes two values, the low and the high end; found 1");
  check_bad("select from quote where date within @2020.01.01 2020.01.02 2020.01.03",
            "'length: within takes two values, the low and the high end; found 3");
  check_bad("select from quote where bid=@1 2",
            "'length: = takes one value, found a list of 2 (in takes a list)");
  check_bad("select from quote where bid<>@enlist 5",
            "'length: <> takes one value, found a list of 1 (in takes a list)");
}

}  // namespace hdbench::queries
