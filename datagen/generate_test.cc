#include "datagen/generate.h"

#include <iterator>
#include <set>

#include "datagen/layout.h"
#include "datagen/testing/scratch.h"
#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/storage/database.h"
#include "engine/storage/parted_index.h"

namespace hdbench::datagen {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOneDay = "2020.01.07";

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

TEST_CASE("nothing but sym and the partitions is in the database") {
  const Scratch scratch;
  const auto manifest = generate(scratch.path() / "db", {.scale = 1e-9, .columns = 3});
  REQUIRE(manifest.ok());
  CHECK(manifest->bytes() == expected_bytes(manifest->spec));
  const auto beside = scratch.path() / "db.manifest.json";
  CHECK(manifest_text(*manifest) == hdbench::testing::file_text(beside));
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
  CHECK(hdbench::testing::file_text(scratch.path() / "paper" / "sym") ==
        hdbench::testing::file_text(scratch.path() / "years" / "sym"));
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
