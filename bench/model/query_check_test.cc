#include "bench/model/query_check.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"

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

TEST_CASE("all errors are told at once, each with what would do instead") {
  const QueryCheck check = checked(
      "select avg price by 5 xbar time.minute from trade where (a<b)|null c\n"
      "/ 2\n"
      "select avgs price from trade\n"
      "/ 2\n"
      "asc trade\n"
      "select lower sym from trade\n"
      "select from trade where size[1]\n"
      "delete from trade\n"
      "select from t uj u\n");
  CHECK(check.queries == 7);
  REQUIRE(check.errors.size() == 7);
  CHECK(check.errors[0].find(":5: a second query with the number 2\n  instead: another number") !=
        std::string::npos);
  const auto has = [&](const std::string& place, const std::string& instead) {
    for (const std::string& error : check.errors) {
      if (error.find(place) == std::string::npos) continue;
      INFO(error);
      CHECK(error.find("\n  instead: " + instead) != std::string::npos);
      CHECK(error.find("^") != std::string::npos);
      return true;
    }
    return false;
  };
  CHECK(has(":3: query 2: ", "a moving average"));
  CHECK(has(":5: query 2: ", "`column xasc"));
  CHECK(has(":6: query 4: ", "the column itself"));
  CHECK(has(":8: query 6: ", "hdbench only reads"));
  CHECK(has(":9: query 7: ", "aj, lj or ij"));
}

TEST_CASE("advice goes by the word at the caret, then by the message") {
  CHECK(instead_of("a uj b", 2, "not supported yet: uj").starts_with("aj, lj or ij"));
  CHECK(instead_of("date.nope", 0, "").starts_with("a column's part"));
  CHECK(instead_of("", 0, "'type: a condition is a boolean").starts_with("a comparison"));
  CHECK(instead_of("plain", 0, "").empty());
}

}  // namespace
}  // namespace hdbench::bench
