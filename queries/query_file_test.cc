#include "queries/query_file.h"

#include <unistd.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "queries/testing/sample_table.h"

namespace hdbench::queries {
namespace {

// A file that is removed with its guard.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("hdbench_query_file_test_" + std::to_string(getpid()))) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::vector<QueryEntry> read_good(const std::string& text) {
  const TemporaryFile file(text);
  const auto entries = read_query_file(file.path());
  if (!entries.ok()) FAIL(entries.error().message);
  return *entries;
}

// The message without the path that it begins with.
std::string read_bad(const std::string& text) {
  const TemporaryFile file(text);
  const auto entries = read_query_file(file.path());
  REQUIRE_FALSE(entries.ok());
  CHECK(entries.error().kind == ErrorKind::kUsage);
  const std::string path = file.path().string();
  REQUIRE(entries.error().message.substr(0, path.size()) == path);
  return entries.error().message.substr(path.size());
}

std::vector<QueryEntry> read_own(const std::string& name) {
  const auto path = find_query_file(name);
  REQUIRE(path.ok());
  const auto entries = read_query_file(*path);
  if (!entries.ok()) FAIL(entries.error().message);
  return *entries;
}

}  // namespace

TEST_CASE("queries without numbers count from 1 in file order") {
  const auto entries = read_good("select from a\n\n/ a remark\r\n  select from b  \r\n");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].id == 1);
  CHECK(entries[0].text == "select from a");
  CHECK_FALSE(entries[0].expected_rows_scale1.has_value());
  CHECK(entries[1].id == 2);
  CHECK(entries[1].text == "select from b");
}

TEST_CASE("a comment gives the next query its number and its row count") {
  const auto entries = read_good("/ 7: expect 8\nselect from a\n/9\nselect from b");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].id == 7);
  CHECK(entries[0].expected_rows_scale1 == 8U);
  CHECK(entries[1].id == 9);
  CHECK_FALSE(entries[1].expected_rows_scale1.has_value());
}

TEST_CASE("an indented line goes on with the query above it") {
  const auto entries = read_good(
      "select bid\n  from a / the first\n  / a remark\n\twhere bid>5;\nselect from b\n\n"
      "  select from c\n/ x\n  select from d\n");
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].text == "select bid from a where bid>5;");
  CHECK(entries[0].line == 1);
  CHECK(entries[1].text == "select from b");
  CHECK(entries[1].line == 5);
  CHECK(entries[2].text == "select from c");
  CHECK(entries[3].text == "select from d");
}

TEST_CASE("comments behind queries, blocks and a byte order mark are passed over") {
  const auto entries = read_good(
      "\xef\xbb\xbfselect from a where c like \"x / \\\" / y\" / not this\n/\nselect from b\n"
      "\\\nselect from c / this\n/\nselect from d");
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].text == "select from a where c like \"x / \\\" / y\"");
  CHECK(entries[1].text == "select from c");
  CHECK(entries[1].line == 5);
  CHECK(entries[2].text == "select from d");
}

TEST_CASE("words right above a query say what it asks, others are remarks") {
  const auto entries = read_good(
      "/ a file\n\n/ last quote\n/ of each symbol\n/ 7: expect 8\nselect from a\n"
      "select from b\n/ far away\n\nselect from c\n/ 9\n/ near\nselect from d");
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].name == "last quote of each symbol");
  CHECK(entries[0].id == 7);
  CHECK(entries[1].name.empty());
  CHECK(entries[2].name.empty());
  CHECK(entries[3].name == "near");
  CHECK(entries[3].id == 9);
}

TEST_CASE("a whole file is read past its errors") {
  const TemporaryFile file("/ 3\n/ 4\nselect from a\n/ 3\nselect from b\n/ 9");
  const auto whole = read_whole_query_file(file.path());
  REQUIRE(whole.ok());
  CHECK(whole->entries.size() == 2);
  CHECK(whole->entries[1].line == 5);
  REQUIRE(whole->errors.size() == 3);
  CHECK(whole->errors[0].message.ends_with(":2: two numbers for one query"));
  CHECK(whole->errors[1].message.ends_with(":5: a second query with the number 3"));
  CHECK(whole->errors[2].message.ends_with(":6: a query's number without a query after it"));
}

TEST_CASE("a file that is no query file is an error naming file and line") {
  CHECK(read_bad("") == ": holds no query");
  CHECK(read_bad("/ nothing\n\n") == ": holds no query");
  CHECK(read_bad("select from a\n/ 7: expect\nselect from b\n") ==
        ":2: found '/ 7: expect', expected '/ 7: expect ROWS'");
  CHECK(read_bad("/ 7: expect 8 rows\nselect from b\n") ==
        ":1: found '/ 7: expect 8 rows', expected '/ 7: expect ROWS'");
  CHECK(read_bad("/ 1\n/ 2\nselect from b\n") == ":2: two numbers for one query");
  CHECK(read_bad("/ 0\nselect from b\n") == ":1: a query's number is 1 to 1000000");
  CHECK(read_bad("select from a\n/ 1\nselect from b\n") == ":3: a second query with the number 1");
  CHECK(read_bad("select from a\n/ 2: expect 5\n") ==
        ":2: a query's number without a query after it");
}

TEST_CASE("a missing file and a directory are errors") {
  const auto missing = read_query_file("/nowhere/at/all.q");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message == "/nowhere/at/all.q: No such file or directory");
  CHECK_FALSE(read_query_file(std::filesystem::temp_directory_path()).ok());
}

TEST_CASE("the paper's files expect the published counts, and a group a trading day in a range") {
  using Counts = std::vector<std::uint64_t>;
  const auto counts_of = [](const std::string& name) {
    Counts counts;
    for (const QueryEntry& entry : read_own(name)) {
      counts.push_back(entry.expected_rows_scale1.value());
      CHECK(entry.id == static_cast<int>(counts.size()));
    }
    return counts;
  };
  CHECK(counts_of("paper-counted.q") ==
        Counts{2, 4, 4, 3064072, 4, 8, 8, 3, 6, 71643220, 189941620});
  CHECK(counts_of("paper.q") ==
        Counts{2, 2 * 20, 2 * 62, 3064072, 4, 4 * 20, 4 * 62, 3, 3 * 62, 71643220, 189941620});
}

TEST_CASE("the aggregates return one row, a row a group, or as many as there are times") {
  std::map<int, std::uint64_t> wanted;
  for (const int id : {1, 2, 3, 4, 5, 6, 7, 15, 16}) wanted[id] = 1;
  for (const int id : {8, 9, 10, 13}) wanted[id] = 4;
  for (const int id : {11, 12}) wanted[id] = std::uint64_t{4} * 62;
  std::map<int, std::uint64_t> found;
  const auto aggregates = read_own("aggregates.q");
  for (const QueryEntry& entry : aggregates) {
    INFO(entry.text);
    CHECK(bind_good(entry.text).aggregates());
    if (entry.id != 14) found[entry.id] = entry.expected_rows_scale1.value();
  }
  CHECK(aggregates.size() == 16);
  CHECK(found == wanted);
}

TEST_CASE("the two files differ in the conditions on date of 2, 3, 6, 7 and 9 only") {
  const auto printed = read_own("paper.q");
  const auto counted = read_own("paper-counted.q");
  REQUIRE(printed.size() == 11);
  REQUIRE(counted.size() == 11);
  for (std::size_t i = 0; i < 11; ++i) {
    INFO(printed[i].text);
    CHECK(printed[i].id == counted[i].id);
    const bool differs = printed[i].id == 2 || printed[i].id == 3 || printed[i].id == 6 ||
                         printed[i].id == 7 || printed[i].id == 9;
    CHECK((printed[i].text != counted[i].text) == differs);
    const Plan a = bind_good(printed[i].text);
    const Plan b = bind_good(counted[i].text);
    CHECK(a.last_rows == b.last_rows);
    CHECK(a.by.size() == b.by.size());
    REQUIRE(a.where.size() == b.where.size());
    if (!differs) continue;
    const auto& range = std::get<RangeTest>(a.where[0].test);
    CHECK(std::get<SetTest>(b.where[0].test).keys == std::vector{range.low, range.high});
  }
}

TEST_CASE("lines that define names stand before the queries that use them, and are none") {
  const QueryFile whole = read_query_text(
      "f:{select from trade where date=x};\n"
      "t:f 2020.01.07\n"
      "g:{x+1}\n"
      "select from t\n"
      "/ 7\n"
      "select g size from trade\n",
      "text");
  REQUIRE(whole.errors.empty());
  REQUIRE(whole.entries.size() == 2);
  CHECK(whole.entries[0].id == 1);
  CHECK(whole.entries[0].text ==
        "f:{select from trade where date=x}; t:f 2020.01.07; select from t");
  CHECK(whole.entries[1].id == 7);
  CHECK(whole.entries[1].text == "g:{x+1}; select g size from trade");
}

}  // namespace hdbench::queries
