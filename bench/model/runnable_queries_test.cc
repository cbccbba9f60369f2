#include "bench/model/runnable_queries.h"

#include <fstream>

#include "engine/base/catch.h"
#include "engine/testing/column_files.h"

namespace hdbench::bench {
namespace {

// Three queries, the second of which reads `bid`.
std::vector<ListedQuery> three_queries() {
  std::vector<ListedQuery> queries;
  for (const char* text : {"select count i from quote where date=2020.01.08",
                           "select max bid from quote", "select from quotes"}) {
    const int id = static_cast<int>(queries.size()) + 1;
    queries.push_back(
        {id, parse_query(text).value(), std::nullopt, "", "my.q: query " + std::to_string(id)});
  }
  return queries;
}

TEST_CASE("queries that a database cannot answer are left out, each with its reason") {
  const ScratchDirectory place;
  const std::filesystem::path root = place.path() / "db";
  write_quote(root / "2020.01.07" / "quote", 0, 4);
  write_quote(root / "2020.01.08" / "quote", 4, 4);
  write_sym(root);
  std::vector<std::string> left_out;
  const auto before = Database::open(root).value();
  CHECK(runnable_queries(three_queries(), *before, left_out)->size() == 2);
  CHECK(left_out == std::vector<std::string>{"my.q: query 3: " + root.string() +
                                             ": no table 'quotes': it has quote"});
  // In one of the days alone.
  const std::filesystem::path bid = root / "2020.01.07" / "quote" / "bid";
  std::ofstream(bid, std::ios::binary) << "cut";
  const auto database = Database::open(root).value();
  left_out.clear();
  const auto kept = runnable_queries(three_queries(), *database, left_out);
  REQUIRE(kept.ok());
  REQUIRE(kept->size() == 1);
  CHECK(kept->front().id == 1);
  REQUIRE(left_out.size() == 2);
  CHECK(left_out[0].starts_with("my.q: query 2: " + bid.string() + ": "));
}

TEST_CASE("where no query can be answered the first one's reason is the error") {
  const ScratchDirectory place;
  const std::filesystem::path root = place.path() / "db";
  write_quote(root / "2020.01.07" / "quote", 0, 4);
  write_sym(root);
  std::vector<ListedQuery> queries = three_queries();
  queries.erase(queries.begin(), queries.begin() + 2);
  std::vector<std::string> left_out;
  const auto none = runnable_queries(std::move(queries), *Database::open(root).value(), left_out);
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == ErrorKind::kUsage);
  CHECK(none.error().place == "select from quotes\n            ^");
  CHECK(runnable_queries({}, *Database::open(root).value(), left_out)->empty());
}

}  // namespace
}  // namespace hdbench::bench
