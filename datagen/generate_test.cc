#include "datagen/generate.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "datagen/domain_list.h"
#include "datagen/layout.h"
#include "datagen/scratch.h"
#include "engine/base/catch.h"
#include "engine/column/format_value.h"
#include "engine/column/memory_table.h"
#include "engine/storage/database.h"
#include "engine/storage/page_cache_store.h"
#include "engine/storage/parted_index.h"

namespace hdbench::datagen {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kVectorHeader = 16;
constexpr std::size_t kEnumerationHeader = 4096;
constexpr const char* kOneDay = "2020.01.07";

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Element>
std::vector<Element> elements(const fs::path& path, std::size_t header, std::size_t rows) {
  const std::string bytes = read_file(path);
  REQUIRE(bytes.size() >= header + rows * sizeof(Element));
  std::vector<Element> values(rows);
  std::memcpy(values.data(), bytes.data() + header, rows * sizeof(Element));
  return values;
}

std::vector<std::string> symbols_of(const fs::path& table, const char* column, std::size_t rows) {
  const auto domain = domain_list(Profile::kPaper);
  std::vector<std::string> texts;
  for (const std::int64_t code : elements<std::int64_t>(table / column, kEnumerationHeader, rows)) {
    texts.push_back(domain.at(static_cast<std::size_t>(code)));
  }
  return texts;
}

// What the paper's queries find on one date, by plain loops over the files.
struct Found {
  std::set<std::string> col1_of_val1, col1_of_val1_val2;
  std::set<std::pair<std::string, std::string>> pairs;
  std::uint64_t selected = 0;
};

Found find(const fs::path& table, std::size_t rows) {
  const auto col1 = symbols_of(table, "col1", rows);
  const auto col2 = symbols_of(table, "col2", rows);
  const auto col3 = symbols_of(table, "col3", rows);
  Found found;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool val1 = col3[row] == "val1", val2 = col3[row] == "val2", val3 = col3[row] == "val3";
    if (val1) found.col1_of_val1.insert(col1[row]);
    if (val1 || val2) found.col1_of_val1_val2.insert(col1[row]);
    if (!val1 && !val2 && !val3) continue;
    found.pairs.insert({col1[row], col2[row]});
    ++found.selected;
  }
  return found;
}

}  // namespace

TEST_CASE("a bad spec or place is refused and leaves nothing") {
  const Scratch scratch;
  CHECK_FALSE(generate(scratch.path() / "db", {.scale = 0.0}).ok());
  CHECK_FALSE(generate(scratch.path() / "no" / "db", {}).ok());
  CHECK(fs::is_empty(scratch.path()));
  fs::create_directory(scratch.path() / "db");
  const auto exists = generate(scratch.path() / "db/", {});
  REQUIRE_FALSE(exists.ok());
  CHECK(exists.error().kind == ErrorKind::kUsage);
}

TEST_CASE("more than the filesystem has is refused before the first byte") {
  const Scratch scratch;
  const auto refused = generate(scratch.path() / "db", {.scale = 100, .columns = 200});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find(" GB free: --scale ") != std::string::npos);
  CHECK(fs::is_empty(scratch.path()));
}

TEST_CASE("a size gives the largest scale whose columns fit into it") {
  const Spec spec{.columns = 12};
  const auto scale = scale_of_bytes(spec, 3'000'000'000);
  REQUIRE(scale);
  Spec fitting = spec;
  fitting.scale = *scale;
  CHECK(expected_bytes(fitting) <= 3'000'000'000);
  CHECK(expected_bytes(fitting) > 2'950'000'000);
  CHECK(*scale_of_bytes(spec, UINT64_MAX) == kScaleMax);
  CHECK_FALSE(scale_of_bytes(spec, 100));
}

TEST_CASE("a small paper database holds what its manifest says, query by query") {
  const Scratch scratch;
  const fs::path db = scratch.path() / "db";
  const auto manifest = generate(db.string() + "/", {.scale = 0.0005, .columns = 11});
  REQUIRE(manifest.ok());
  CHECK(manifest->complete());
  CHECK(manifest->bytes() == expected_bytes(manifest->spec));
  CHECK(manifest_text(*manifest) == read_file(scratch.path() / "db.manifest.json"));

  std::map<std::uint32_t, std::uint64_t> printed;
  std::set<std::string> col1_anywhere;
  std::vector<Found> by_day;
  for (const PartitionEntry& entry : manifest->partitions) {
    const bool january = entry.day.date >= 7307;
    const std::string name = partition_name(QType::kDate, entry.day.date);
    const Found found = find(db / name / "quote", entry.day.rows());
    CHECK(found.selected == entry.day.selected);
    if (name == kOneDay) {
      printed[1] = found.col1_of_val1.size();
      printed[4] = found.selected;
      printed[5] = found.pairs.size();
    }
    printed[2] += january ? found.col1_of_val1.size() : 0;
    printed[3] += found.col1_of_val1.size();
    printed[6] += january ? found.pairs.size() : 0;
    printed[7] += found.pairs.size();
    col1_anywhere.insert(found.col1_of_val1_val2.begin(), found.col1_of_val1_val2.end());
    printed[9] += found.col1_of_val1_val2.size();
    printed[10] += january ? found.selected : 0;
    printed[11] += found.selected;
    by_day.push_back(found);
  }
  printed[8] = col1_anywhere.size();
  auto counted = printed;
  const Found &first = by_day.front(), &start = by_day[42], &end = by_day.back();
  counted[2] = start.col1_of_val1.size() + end.col1_of_val1.size();
  counted[3] = first.col1_of_val1.size() + end.col1_of_val1.size();
  counted[6] = start.pairs.size() + end.pairs.size();
  counted[7] = first.pairs.size() + end.pairs.size();
  counted[9] = first.col1_of_val1_val2.size() + end.col1_of_val1_val2.size();
  REQUIRE(manifest->queries.size() == 11);
  for (const QueryCount& query : manifest->queries) {
    CHECK(query.as_printed == printed[query.id]);
    CHECK(query.as_counted == counted[query.id]);
  }
}

TEST_CASE("nothing but sym and the partitions is in the database") {
  const Scratch scratch;
  REQUIRE(generate(scratch.path() / "db", {.scale = 1e-9, .columns = 3}).ok());
  std::set<std::string> top;
  for (const auto& entry : fs::directory_iterator(scratch.path())) {
    top.insert(entry.path().filename());
  }
  CHECK(top == std::set<std::string>{"db", "db.manifest.json"});
  const auto contents = tree_contents(scratch.path() / "db");
  CHECK(contents.size() == 1 + 62 * 3);
  CHECK(contents.count("sym") == 1);
  for (const auto* name : {".d", "time", "col1"}) {
    CHECK(contents.count(std::string(kOneDay) + "/quote/" + name) == 1);
  }
}

TEST_CASE("the engine opens what was made: schema, partitions, rows, symbols") {
  const Scratch scratch;
  const Spec spec{.scale = 0.0001, .columns = 10, .parted = "col2"};
  const auto manifest = generate(scratch.path() / "db", spec);
  REQUIRE(manifest.ok());
  const auto database = Database::open(scratch.path() / "db");
  REQUIRE(database.ok());
  CHECK((*database)->table_names() == std::vector<std::string>{"quote"});
  const auto opened = (*database)->table("quote", make_page_cache_store());
  REQUIRE(opened.ok());
  const Table& table = **opened;
  const auto columns = table_plans(spec).front().columns;
  REQUIRE(table.schema().fields.size() == columns.size() + 1);
  CHECK(table.schema().fields[0].name == "date");
  REQUIRE(table.part_count() == manifest->partitions.size());
  for (std::size_t part = 0; part < table.part_count(); ++part) {
    CHECK(table.partition_value(part) == manifest->partitions[part].day.date);
    CHECK(table.rows(part).value() == manifest->partitions[part].day.rows());
    for (std::size_t field = 1; field <= columns.size(); ++field) {
      const auto column = table.column(part, field);
      REQUIRE(column.ok());
      CHECK(table.schema().fields[field].name == columns[field - 1].name);
      CHECK((*column)->type == columns[field - 1].type);
      const bool parted = columns[field - 1].name == spec.parted;
      CHECK((*column)->attribute == (parted ? Attribute::kParted : Attribute::kNone));
      if (parted) CHECK(parted_index(**column).value()->keys.size() == 3);
    }
  }
}

TEST_CASE("one thread and eight write the same bytes, and they are the pinned ones") {
  const Spec specs[] = {{.scale = 0.0002, .columns = 11},
                        {.scale = 0.0002, .columns = 11, .parted = "col3"},
                        {.profile = Profile::kTaq, .scale = 0.0002}};
  const std::uint64_t pinned[] = {0xddce7c7c366730d7, 0xc4ff39ea4e624459, 0x3336d96394af90bc};
  for (std::size_t i = 0; i < std::size(specs); ++i) {
    const Scratch scratch;
    Spec spec = specs[i];
    spec.threads = 1;
    const auto one = generate(scratch.path() / "one", spec);
    spec.threads = 8;
    const auto eight = generate(scratch.path() / "eight", spec);
    REQUIRE(one.ok());
    REQUIRE(eight.ok());
    CHECK(tree_contents(scratch.path() / "one") == tree_contents(scratch.path() / "eight"));
    CHECK(manifest_text(*one) == manifest_text(*eight));
    std::uint64_t mixed = 0;
    for (const PartitionEntry& entry : one->partitions) {
      mixed = mixed * 31 + entry.sum->checksum;
    }
    CHECK(mixed == pinned[i]);
  }
}

TEST_CASE("the paper's days are the same bytes within the three years") {
  const Scratch scratch;
  const auto paper = generate(scratch.path() / "paper", {.scale = 1e-9, .columns = 4});
  const auto years = generate(scratch.path() / "years",
                              {.profile = Profile::kPaper3y, .scale = 1e-9, .columns = 4});
  REQUIRE(paper.ok());
  REQUIRE(years.ok());
  REQUIRE(years->partitions.size() == 784);
  for (std::size_t i = 0; i < 62; ++i) {
    const PartitionEntry& there = years->partitions[784 - 62 + i];
    CHECK(there.day.date == paper->partitions[i].day.date);
    CHECK(there.sum->checksum == paper->partitions[i].sum->checksum);
  }
  CHECK(read_file(scratch.path() / "paper" / "sym") == read_file(scratch.path() / "years" / "sym"));
}

TEST_CASE("a parted database is the same rows in another order, and its index agrees with them") {
  const Scratch scratch;
  const auto plain = generate(scratch.path() / "plain", {.scale = 0.0005});
  const auto parted = generate(scratch.path() / "parted", {.scale = 0.0005, .parted = "col3"});
  REQUIRE(plain.ok());
  REQUIRE(parted.ok());
  for (const std::size_t day : {0U, 44U, 61U}) {
    const std::size_t rows = plain->partitions[day].day.rows();
    const auto name = partition_name(QType::kDate, plain->partitions[day].day.date);
    const fs::path from = scratch.path() / "plain" / name / "quote";
    const fs::path table = scratch.path() / "parted" / name / "quote";

    const std::string bytes = read_file(table / "col3");
    Column column;
    column.type = QType::kSymbol;
    column.rows = rows;
    column.attribute = static_cast<Attribute>(bytes.at(4083));
    column.data = reinterpret_cast<const std::byte*>(bytes.data()) + kEnumerationHeader;
    column.index_bytes = {column.data + rows * 8, bytes.size() - kEnumerationHeader - rows * 8};
    column.domain = make_domain("sym", domain_list(Profile::kPaper));
    const auto index = parted_index(column);
    REQUIRE(index.ok());
    REQUIRE(*index != nullptr);
    const auto codes = elements<std::int64_t>(table / "col3", kEnumerationHeader, rows);
    CHECK((*index)->keys.size() > 3);
    for (std::size_t k = 0; k < (*index)->keys.size(); ++k) {
      for (auto row = (*index)->offsets[k]; row < (*index)->offsets[k + 1]; ++row) {
        REQUIRE(codes[static_cast<std::size_t>(row)] == (*index)->keys[k]);
      }
    }

    // Time tells rows apart, so sorting by it gives the plain database back.
    const auto time = elements<std::int64_t>(table / "time", kVectorHeader, rows);
    std::vector<std::size_t> by_time(rows);
    std::iota(by_time.begin(), by_time.end(), std::size_t{0});
    std::sort(by_time.begin(), by_time.end(),
              [&](std::size_t a, std::size_t b) { return time[a] < time[b]; });
    const auto bid = elements<double>(table / "bid", kVectorHeader, rows);
    const auto plain_bid = elements<double>(from / "bid", kVectorHeader, rows);
    const auto plain_codes = elements<std::int64_t>(from / "col3", kEnumerationHeader, rows);
    for (std::size_t i = 0; i < rows; ++i) {
      REQUIRE(bid[by_time[i]] == plain_bid[i]);
      REQUIRE(codes[by_time[i]] == plain_codes[i]);
    }
  }
}

TEST_CASE("progress ends at the whole and never falls") {
  const Scratch scratch;
  Progress last;
  GenerateOptions options;
  options.progress = [&](const Progress& now) {
    CHECK(now.bytes_done >= last.bytes_done);
    CHECK(now.partitions_done >= last.partitions_done);
    last = now;
  };
  const Spec spec{.profile = Profile::kTaq, .scale = 1e-9};
  REQUIRE(generate(scratch.path() / "db", spec, options).ok());
  CHECK(last.partitions_done == 20);
  CHECK(last.partitions == 20);
  CHECK(last.bytes_done == expected_bytes(spec));
  CHECK(last.bytes == expected_bytes(spec));
}

}  // namespace hdbench::datagen
