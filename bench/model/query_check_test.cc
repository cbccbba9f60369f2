#include "bench/model/query_check.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"

namespace hdbench {
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
      "select avg price by 5 xbar time from trade\n"
      "/ 2\n"
      "select from trade where sym=`a or sym=`b\n"
      "/ 2\n"
      "update price:1 from trade\n"
      "select distinct sym from trade\n"
      "select price+size from trade\n"
      "select from trade where i<5\n"
      "select from trade where date.month=2024.01m\n");
  CHECK(check.queries == 7);
  REQUIRE(check.errors.size() == 6);
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
  CHECK(has(":1: query 1: ", "group by a column"));
  CHECK(has(":3: query 2: ", "for one column `in`"));
  CHECK(has(":5: query 2: ", "hdbench only reads"));
  CHECK(has(":6: query 4: ", "select count i by"));
  CHECK(has(":7: query 5: ", "the columns by themselves"));
}

TEST_CASE("advice goes by the word at the caret, then by the message") {
  CHECK(instead_of("a xbar b", 2, "found 'xbar'").starts_with("group by a column"));
  CHECK(instead_of("a | b", 2, "").starts_with("for one column"));
  CHECK(instead_of("date.month", 0, "").starts_with("a range of"));
  CHECK(instead_of("", 0, "comparing two columns is not supported").starts_with("the comparison"));
  CHECK(instead_of("plain", 0, "").empty());
}

}  // namespace
}  // namespace hdbench
