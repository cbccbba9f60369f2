#include "datagen/query_counts.h"

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
