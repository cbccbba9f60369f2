#include "queries/list_steps.h"

#include <string>

#include "queries/query_parser.h"
#include "queries/testing/run_text.h"

namespace hdbench::queries {
namespace {

// The item of `select ITEM from trade`: its steps in the order in which they are done, the
// aggregate before them, and what gives the items; or the error.
std::string taken(const std::string& item) {
  const std::string text = "select " + item + " from trade";
  const auto query = parse_query(text);
  REQUIRE(query.ok());
  Phrases phrases(*query);
  const BindTables tables;
  const BindContext context{text, tables};
  PhraseItem& first = phrases.columns.front();
  const BindScope scope{context, trade(), &phrases.made};
  if (const Status status = take_list_steps(first, scope); !status.ok())
    return status.error().message;
  std::string made;
  for (const ListStep& step : first.list.steps) {
    switch (step.kind) {
      case ListStep::Kind::kAscending: made += "asc "; break;
      case ListStep::Kind::kDescending: made += "desc "; break;
      case ListStep::Kind::kDistinct: made += "distinct "; break;
      case ListStep::Kind::kWhere: made += "where "; break;
      case ListStep::Kind::kTake:
        made +=
            std::to_string(step.take.first) + "+" +
            (step.take.count > 1000 ? "all" : std::to_string(step.take.count)) +
            (step.take.is_cyclic ? " cyclic" : "") + (step.take.is_backwards ? " back" : "") +
            (step.take.without_last != 0 ? " less " + std::to_string(step.take.without_last) : "") +
            " ";
    }
  }
  if (first.list.aggregate == Aggregate::kSum) made += "sum ";
  return made + "of " + std::string(scope.written(*first.expression));
}

}  // namespace

TEST_CASE("steps are taken off an item, the last written being the first that is done") {
  CHECK(taken("price") == "of price");
  CHECK(taken("2#desc price") == "desc 0+2 cyclic of price");
  CHECK(taken("-2#price*size") == "0+-2 cyclic of price*size");
  CHECK(taken("3 sublist asc price") == "asc 0+3 of price");
  CHECK(taken("1 2 sublist price") == "1+2 of price");
  CHECK(taken("1_price") == "1+all of price");
  CHECK(taken("-1_reverse distinct price") == "distinct 0+all back 0+all less 1 of price");
}

TEST_CASE("an aggregate of a list is the list's, but where it needs none") {
  CHECK(taken("sum 3#desc price") == "desc 0+3 cyclic sum of price");
  CHECK(taken("first price where size>2") == "where of price");
  CHECK(taken("sum price where size>2") == "of sum price where size>2");
  CHECK(taken("count distinct sym") == "of count distinct sym");
}

TEST_CASE("a step takes a number of rows, and where a column") {
  CHECK(taken("2.5#price").starts_with("'type: # takes a number of rows on its left"));
  CHECK(taken("1 -2 sublist price").starts_with("sublist takes a number of rows"));
  CHECK(taken("(2#price) where size>2").starts_with("where chooses from a column"));
}

}  // namespace hdbench::queries
