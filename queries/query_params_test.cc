#include "queries/query_params.h"

#include "engine/base/catch.h"
#include "queries/sample_table.h"

namespace hdbench::queries {

TEST_CASE("a parameter is a literal, or a line each of a list") {
  CHECK(parse_param("2020.01.07")->type == QType::kDate);
  CHECK(parse_param("`a`b")->atoms.size() == 2);
  CHECK_FALSE(parse_param("select").ok());
  CHECK_FALSE(parse_param("5 +").ok());
  const auto symbols = parse_param_lines("AAPL\n\n MSFT \r\n`5\n6");
  REQUIRE(symbols.ok());
  REQUIRE(symbols->atoms.size() == 4);
  CHECK(symbols->type == QType::kSymbol);
  CHECK(std::get<std::string>(symbols->atoms[2].value) == "5");
  const auto numbers = parse_param_lines("5\n6");
  REQUIRE(numbers.ok());
  CHECK(numbers->is_list);
  CHECK(numbers->type == QType::kLong);
  CHECK_FALSE(parse_param_lines("\n \n").ok());
}

TEST_CASE("names that are no columns are parameters") {
  const QueryParams params = {{"few", *parse_param("`val1`val3")},
                              {"least", *parse_param("5")},
                              {"bid", *parse_param("7")}};
  const auto query =
      Query::parse("select x:bid*least from quote where col1 in few,bid>least", params);
  REQUIRE(query.ok());
  const auto plan = query->bind(sample_table());
  REQUIRE(plan.ok());
  CHECK(std::get<CodeTest>(plan->where[0].test).codes == std::vector<std::uint64_t>{0, 2});
  CHECK(plan->computed.size() == 1);
  const auto unknown =
      Query::parse("select from quote where bid>most", params)->bind(sample_table());
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().caret == 28);
}

}  // namespace hdbench::queries
