#include "bench/users/query_mix.h"

#include <map>

#include "engine/base/catch.h"
#include "engine/testing/files.h"

namespace hdbench::bench {
namespace {

std::vector<ListedQuery> three() {
  std::vector<ListedQuery> queries(3);
  for (int at = 0; at < 3; ++at) queries[static_cast<std::size_t>(at)].id = at + 1;
  return queries;
}

std::string message(std::string_view text) {
  const auto mix = parse_mix(text, "mix", three());
  return mix.ok() ? "" : mix.error().message;
}

TEST_CASE("a mix has a line a query, and comments as q has them") {
  const auto mix = parse_mix("/ the desk's day\n 3 Q01\n\n1\tQ03 \r\n", "mix", three());
  REQUIRE(mix.ok());
  CHECK(*mix == QueryMix{{1, 3}, {3, 1}});
  CHECK(to_text(*mix) == "Q01 3, Q03 1");
  CHECK(to_text(even_mix(three())) == "Q01 1, Q02 1, Q03 1");
}

TEST_CASE("a mix is known by the texts of its own queries") {
  std::vector<ListedQuery> queries = three();
  const std::string before = texts_of({{1, 3}}, queries);
  CHECK(before.size() == 16);
  queries[1].query.text = "select from trade";
  CHECK(texts_of({{1, 3}}, queries) == before);
  CHECK(texts_of({{2, 1}}, queries) != texts_of({{2, 1}}, three()));
}

TEST_CASE("what is wrong in a mix is said with its line") {
  CHECK(message("1 Q01\n0 Q02") == "--mix: mix: line 2: '0' is not a whole number from 1 to 1000");
  CHECK(message("x Q01") == "--mix: mix: line 1: 'x' is not a whole number from 1 to 1000");
  CHECK(message("3") == "--mix: mix: line 1: '' is no query of this run: known are Q01, Q02, Q03");
  CHECK(message("3 Q04") ==
        "--mix: mix: line 1: 'Q04' is no query of this run: known are Q01, Q02, Q03");
  CHECK(message("3 Q01\n4 Q01") == "--mix: mix: line 2: Q01 is named a second time");
  CHECK(message("/ nothing") == "--mix: mix: names no query, expected lines such as '3 Q01'");
  CHECK_FALSE(read_mix("/no/such/mix", three()).ok());
}

TEST_CASE("a deck holds each query as often as the mix says, and is the same for a seed") {
  QueryDeck deck({{1, 3}, {2, 1}}, 7);
  QueryDeck same({{1, 3}, {2, 1}}, 7);
  for (int round = 0; round < 5; ++round) {
    std::map<int, int> dealt;
    for (int at = 0; at < 4; ++at) {
      const int query = deck.next();
      CHECK(query == same.next());
      ++dealt[query];
    }
    CHECK(dealt == std::map<int, int>{{1, 3}, {2, 1}});
  }
}

}  // namespace
}  // namespace hdbench::bench
