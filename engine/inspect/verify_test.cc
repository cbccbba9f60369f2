#include "engine/inspect/verify.h"

#include <algorithm>

#include "engine/base/catch.h"
#include "engine/testing/column_files.h"
#include "engine/testing/saved_objects.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

VerifyReport verified(const fs::path& root) {
  DatabaseOptions tolerant;
  tolerant.tolerates_problems = true;
  const auto database = Database::open(root, tolerant);
  REQUIRE(database.ok());
  return verify(**database);
}

struct OneDay {
  OneDay() {
    write_sym(scratch.path());
    write_quote(quote, 0, 6);
  }
  std::vector<std::string> findings() const { return verified(scratch.path()).findings; }
  // Overwrites the eight bytes at `offset` of a column.
  void poke(const char* name, std::size_t offset, std::int64_t value) const {
    auto bytes = file_bytes(quote / name);
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    write_bytes(quote / name, bytes);
  }
  std::string file(const char* name) const { return (quote / name).string(); }

  ScratchDirectory scratch;
  fs::path quote = scratch / "2020.01.07/quote";
};

using Findings = std::vector<std::string>;
const Findings kNothingWrong;

TEST_CASE("a good database has no findings and is counted") {
  const OneDay day;
  const VerifyReport report = verified(day.scratch.path());
  CHECK(report.findings == kNothingWrong);
  CHECK(report.tables == 1);
  CHECK(report.partitions == 1);
  CHECK(report.columns == 3);
  CHECK(report.rows == 6);
  CHECK(report.bytes == 6 * 3 * 8);
}

TEST_CASE("codes outside the domain are found once a column, with their number") {
  const OneDay day;
  day.poke("sym", 4096 + 5 * 8, 7);
  day.poke("sym", 4096 + 4 * 8, 7);
  const Findings findings = day.findings();
  REQUIRE(findings.size() == 2);
  CHECK(findings[0] == day.file("sym") +
                           ": byte 4128 (row 4): index 7, but domain sym has 2 symbols (and 1 "
                           "more)");
  CHECK(findings[1] ==
        day.file("sym") + ": byte 4144 (p# index): 2 distinct values, but the column has 3");
}

TEST_CASE("a column that is not parted, or parted otherwise, is found") {
  const OneDay day;
  day.poke("sym", 4096 + 5 * 8, 0);
  CHECK(day.findings() == Findings{day.file("sym") + ": byte 4136 (row 5): a value of an earlier "
                                                     "part, but the column is p#"});
  const OneDay other;
  other.poke("sym", 4096 + 3 * 8, 0);
  CHECK(other.findings() ==
        Findings{other.file("sym") + ": byte 4144 (p# index): value 1 is index 1 from row 3, but "
                                     "the column has index 1 from row 4"});
}

TEST_CASE("a column that is not sorted or not unique is found") {
  const OneDay day;
  day.poke("time", 16 + 3 * 8, 1);
  auto bytes = file_bytes(day.quote / "time");
  bytes[3] = std::byte{1};
  write_bytes(day.quote / "time", bytes);
  CHECK(day.findings() ==
        Findings{day.file("time") + ": byte 40 (row 3): less than the row before, "
                                    "but the column is s#"});
  bytes[3] = std::byte{2};
  write_bytes(day.quote / "time", bytes);
  CHECK(day.findings() == Findings{day.file("time") + ": byte 40 (row 3): a value that was there "
                                                      "before, but the column is u#"});
}

TEST_CASE("every broken file is found, not only the first") {
  const OneDay day;
  fs::remove(day.quote / "time");
  fs::resize_file(day.quote / "bid", 16 + 5 * 8);
  CHECK(day.findings() == Findings{day.file("time") + ": named by .d, but there is no such file",
                                   day.file("bid") + ": 5 rows, but sym has 6"});
}

TEST_CASE("saved tables are verified, and links against their tables' rows") {
  const ScratchDirectory scratch;
  const Object table = table_object({"a"}, {vector_object<std::int64_t>(QType::kLong, {1, 2})});
  save_object(scratch / "ref", table);
  const std::vector<std::int64_t> codes{0, 2, kNullLong};
  const std::filesystem::path link = scratch / "2020.01.07/t/lk";
  REQUIRE(write_column<std::int64_t>(link, symbol_spec(Attribute::kNone, "ref"), codes));
  save_object(scratch / "2020.01.07/t/.d", symbols_object({"lk"}));
  auto report = verify(**Database::open(scratch.path()));
  CHECK((report.tables == 2 && report.rows == 5 && report.columns == 2));
  CHECK(report.findings == std::vector<std::string>{
                               link.string() + ": byte 4104 (row 1): index 2, but ref has 2 rows"});
  Object longer = saved(table);
  longer.push_back(std::byte{7});
  write_bytes(scratch / "ref", longer);
  report = verify(**Database::open(scratch.path()));
  CHECK(report.notes ==
        std::vector<std::string>{(scratch / "ref").string() +
                                 ": 1 bytes behind the object, which are not read"});
  write_bytes(scratch / "ref", Bytes(saved(table)).first(30));
  report = verify(**Database::open(scratch.path()));
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings[0].find("/ref: byte ") != std::string::npos);
}

TEST_CASE("symbols that a domain has twice are found") {
  const OneDay day;
  fs::remove(day.scratch / "sym");
  const std::vector<std::string> symbols{"a", "b", "a", "c", "a"};
  REQUIRE(write_symbol_list(day.scratch / "sym", symbols).ok());
  CHECK(day.findings() == Findings{(day.scratch / "sym").string() +
                                   ": symbol 2 is \"a\", as symbol 0 is (and 1 more)"});
}

TEST_CASE("a domain that cannot be read is found once, with what it takes") {
  const OneDay day;
  write_quote(day.scratch / "2020.01.08/quote", 0, 2);
  write_bytes(day.scratch / "sym", bytes_of("not a list"));
  const std::string sym = (day.scratch / "sym").string();
  CHECK(day.findings() ==
        Findings{sym + ": byte 0: 6e 6f 74, but a symbol list starts with ff 01 0b (2 column files "
                       "cannot be read without it)"});
  fs::remove(day.scratch / "sym");
  CHECK(day.findings() == Findings{(day.scratch / "2020.01.08/quote/sym").string() +
                                   ": enumerated over domain sym, but there is no file " + sym +
                                   " (2 column files cannot be read without it)"});
}

TEST_CASE("a .d that names others than the newest one's is a note where the files are there") {
  const OneDay day;
  write_quote(day.scratch / "2020.01.08/quote", 0, 2);
  const std::vector<std::string> names{"time", "nada"};
  fs::remove(day.quote / ".d");
  REQUIRE(write_symbol_list(day.quote / ".d", names).ok());
  const VerifyReport report = verified(day.scratch.path());
  CHECK(report.findings == kNothingWrong);
  CHECK(report.notes ==
        Findings{day.file(".d") + ": names time nada, but the newest partition's names time sym "
                                  "bid: the newest counts"});
  fs::remove(day.quote / "bid");
  CHECK(day.findings() ==
        Findings{day.file(".d") + ": names no column bid, which newer partitions have (--missing "
                                  "null reads nulls)"});
}

TEST_CASE("a list of columns that is broken in the newest partition ends nothing") {
  const OneDay day;
  write_quote(day.scratch / "2020.01.08/quote", 0, 2);
  write_bytes(day.scratch / "2020.01.08/quote/.d", bytes_of("broken"));
  fs::resize_file(day.quote / "bid", 16 + 5 * 8);
  const Findings findings = day.findings();
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].starts_with((day.scratch / "2020.01.08/quote/.d").string()));
  CHECK(findings[1] == day.file("bid") + ": 5 rows, but time has 6");
}

TEST_CASE("a segment that is not there, and partitions of two kinds, end nothing") {
  const OneDay day;
  fs::resize_file(day.quote / "bid", 16 + 5 * 8);
  const std::string bid = day.file("bid") + ": 5 rows, but time has 6";
  write_quote(day.scratch / "2020.01/quote", 0, 2);
  write_quote(day.scratch / "2020.01.08/quote", 0, 2);
  Findings findings = day.findings();
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].find(": a partition by ") != std::string::npos);
  CHECK(findings[1] == bid);
  fs::remove_all(day.scratch / "2020.01");
  const std::string root = day.scratch.path().string();
  write_bytes(day.scratch / "par.txt", bytes_of("/absent\n" + root + "\n" + root + "\n"));
  findings = day.findings();
  REQUIRE(findings.size() == 3);
  CHECK(findings[0] == root + "/par.txt: line 1: no directory /absent");
  CHECK(findings[1].find("line 3: the directory") != std::string::npos);
  CHECK(findings[2] == bid);
  CHECK_FALSE(Database::open(day.scratch.path()).ok());
}

TEST_CASE("a table of more columns than can be mapped at once is noted") {
  const OneDay day;
  DatabaseOptions options;
  options.map_count_max = 4;
  const auto database = Database::open(day.scratch.path(), options).value();
  const VerifyReport report = verify(*database);
  CHECK(report.findings == kNothingWrong);
  CHECK(report.notes == Findings{"quote: 4 columns are more than can be mapped for one query; "
                                 "vm.max_map_count is 4: as root: sysctl -w "
                                 "vm.max_map_count=65536"});
}

TEST_CASE("a partition that is a link to nothing is found") {
  const OneDay day;
  fs::create_symlink("absent", day.scratch / "2020.01.08");
  CHECK(day.findings() ==
        Findings{(day.scratch / "2020.01.08").string() + ": a link to absent, which is not there"});
}

TEST_CASE("the whole samples are whole and the broken ones are reported exactly") {
  if (!have_samples()) return;
  CHECK(verified(samples() / "v36-gzip/hdb").findings == kNothingWrong);
  CHECK(verified(samples() / "v36-tiny/hdb").findings == kNothingWrong);
  CHECK(verified(samples() / "v2-plain/no_part_fixture").findings == kNothingWrong);

  const fs::path ipc = samples() / "v3-ipc-compressed/hdb";
  Findings missing;
  for (const char* name : {"time", "sym", "bid", "ask", "bsize", "asize"}) {
    missing.push_back((ipc / "2015.01.08/quote" / name).string() +
                      ": named by .d, but there is no such file");
  }
  CHECK(verified(ipc).findings == missing);

  const Findings flights = verified(samples() / "v36-anymap/hdb").findings;
  REQUIRE_FALSE(flights.empty());
  for (const std::string& finding : flights) {
    CHECK(finding.find("but domain sym has 129 symbols") != std::string::npos);
  }
  const std::string first = (samples() / "v36-anymap/hdb/2020.11.15/flights/sym").string();
  CHECK(std::any_of(flights.begin(), flights.end(),
                    [&](const std::string& finding) { return finding.starts_with(first); }));
}

TEST_CASE("null indices are no defect, within the p# index neither") {
  const OneDay day;
  const std::vector<std::int64_t> codes{kNullLong, kNullLong, 1, 1, 0, 0};
  const auto index = make_parted_index(make_column<std::int64_t>(QType::kSymbol, codes));
  fs::remove(day.quote / "sym");
  REQUIRE(write_column<std::int64_t>(day.quote / "sym", symbol_spec(Attribute::kParted), codes,
                                     &*index));
  CHECK(day.findings() == kNothingWrong);
  day.poke("sym", 4096 + 8, 1);
  CHECK(day.findings().size() == 1);  // not as the index says
  day.poke("sym", 4096 + 8, 2);
  CHECK_FALSE(day.findings().empty());
}

}  // namespace
}  // namespace hdbench
