#include "datagen/manifest.h"

#include <vector>

#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

std::vector<std::uint64_t> counted(const Spec& spec) {
  std::vector<std::uint64_t> rows;
  for (const QueryCount& query : paper_query_counts(day_counts(spec))) {
    rows.push_back(query.as_counted);
  }
  return rows;
}

}  // namespace

TEST_CASE("a manifest of nothing written says so and knows the whole") {
  const Manifest manifest = new_manifest({});
  CHECK(manifest.partitions.size() == 62);
  CHECK(manifest.partitions_complete() == 0);
  CHECK_FALSE(manifest.complete());
  CHECK(manifest.rows() == 191113021);
  CHECK(manifest.bytes() == 0);
  CHECK(manifest_text(manifest).find("\"state\": \"incomplete\"") != std::string::npos);
}

TEST_CASE("text read back gives the same text, sums and all") {
  for (const auto profile : {Profile::kPaper, Profile::kPaper3y, Profile::kTaq}) {
    Manifest manifest = new_manifest({.profile = profile, .scale = 0.1, .seed = ~0ULL});
    manifest.partitions[3].sum = {123, 0xFEDCBA9876543210};
    const std::string text = manifest_text(manifest);
    const auto again = parse_manifest(text, "m.json");
    REQUIRE(again.ok());
    CHECK(manifest_text(*again) == text);
    CHECK(again->partitions[3].sum->checksum == 0xFEDCBA9876543210);
    CHECK(again->partitions_complete() == 1);
    CHECK(again->queries.empty() == (profile == Profile::kTaq));
  }
}

TEST_CASE("the manifest of taq lists both tables, and counts the rows of both") {
  const Manifest manifest = new_manifest({.profile = Profile::kTaq});
  CHECK(manifest.rows() > 200'000'000 + 14'200'000);
  CHECK(manifest.rows() < 200'000'000 + 14'300'000);
  const std::string text = manifest_text(manifest);
  CHECK(text.find("\"format\": 2,") != std::string::npos);
  CHECK(text.find("\"parted\": \"sym\"") != std::string::npos);
  CHECK(text.find("\"name\": \"trade\"") < text.find("\"name\": \"quote\""));
  CHECK(text.find("\"columns\"") == std::string::npos);
  CHECK(text.find("\"selected\"") == std::string::npos);
}

TEST_CASE("the manifest of an older taq is refused") {
  std::string text = manifest_text(new_manifest({.profile = Profile::kTaq}));
  text.replace(text.find("\"format\": 2"), 11, "\"format\": 1");
  CHECK(parse_manifest(text, "m.json").error().message == "m.json: format 1, expected 2");
}

TEST_CASE("a file that is no manifest is an error that names it") {
  for (const auto* text : {"", "{", "[]", "{\"format\": 2}", "{\"format\": 1}",
                           "{\"format\": 1, \"spec\": {\"profile\": \"no\"}}"}) {
    const auto manifest = parse_manifest(text, "db.manifest.json");
    REQUIRE_FALSE(manifest.ok());
    CHECK(manifest.error().message.find("db.manifest.json: ") == 0);
  }
  CHECK_FALSE(read_manifest("/nonexistent/db.manifest.json").ok());
}

TEST_CASE("another spec is refused by the field that differs, but threads may differ") {
  CHECK(check_same_spec({.threads = 1}, {.threads = 8}, "m.json").ok());
  const auto seed = check_same_spec({.seed = 1}, {.seed = 2}, "m.json");
  REQUIRE_FALSE(seed.ok());
  CHECK(seed.error().message == "m.json: made with seed 1, not 2: --resume needs the same spec");
  CHECK(check_same_spec({}, {.parted = "col1"}, "m").error().message ==
        "m: made with parted \"\", not \"col1\": --resume needs the same spec");
  CHECK_FALSE(check_same_spec({}, {.scale = 0.5}, "m").ok());
  CHECK_FALSE(check_same_spec({}, {.columns = 10}, "m").ok());
  CHECK_FALSE(check_same_spec({}, {.profile = Profile::kTaq}, "m").ok());
}

TEST_CASE("as counted, both paper profiles give the published table") {
  const std::vector<std::uint64_t> published = {2, 4, 4, 3064072,  4,        8,
                                                8, 3, 6, 71643220, 189941620};
  CHECK(counted({}) == published);
  CHECK(counted({.profile = Profile::kPaper3y}) == published);
}

TEST_CASE("as printed, a grouped range gives its groups on every date") {
  const std::vector<std::uint64_t> literal = {2,   40, 124, 3064072,  4,        80,
                                              248, 3,  186, 71643220, 189941620};
  std::vector<std::uint64_t> rows;
  for (const QueryCount& query : paper_query_counts(day_counts({}))) {
    CHECK(query.id == rows.size() + 1);
    rows.push_back(query.as_printed);
  }
  CHECK(rows == literal);
}

}  // namespace hdbench::datagen
