#include "bench/model/query_check.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"
#include "engine/testing/column_files.h"

namespace hdbench::bench {
namespace {

QueryCheck checked(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("hdbench_query_check_test_" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary) << text;
  const auto check = check_queries(path, nullptr);
  std::filesystem::remove(path);
  if (!check.ok()) FAIL(check.error().message);
  return *check;
}

TEST_CASE("a file without errors has none, one without queries one") {
  const QueryCheck good = checked("/ a remark\nselect from a\nselect max x by y from b\n");
  CHECK(good.queries == 2);
  CHECK(good.errors.empty());
  CHECK(checked("").errors.size() == 1);
  CHECK_FALSE(check_queries("/nowhere/x.q", nullptr).ok());
}

TEST_CASE("advice goes by the word at the caret, then by the message") {
  CHECK(instead_of("a xexp b", 2, "not supported yet: xexp") == "exp y*log x");
  CHECK(instead_of("date.nope", 0, "").starts_with("a column's part"));
  CHECK(instead_of("", 0, "'type: a condition is a boolean").starts_with("a comparison"));
  CHECK(instead_of("plain", 0, "").empty());
}

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

}  // namespace

}  // namespace hdbench::bench
