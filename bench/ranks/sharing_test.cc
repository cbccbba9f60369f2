#include "bench/ranks/sharing.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<SharedPartition> days(std::initializer_list<std::uint64_t> bytes) {
  std::vector<SharedPartition> all;
  for (const std::uint64_t one : bytes) {
    const auto day = static_cast<std::int64_t>(all.size());
    all.push_back({day, "2024.01.0" + std::to_string(day + 1), one});
  }
  return all;
}

TEST_CASE("partitions are shared out by number, in turn, or by bytes") {
  const auto all = days({1, 1, 1, 1, 4, 4});
  CHECK(owners_by_share(all, 3, Share::kContiguous) ==
        Owners{{0, 0}, {1, 0}, {2, 1}, {3, 1}, {4, 2}, {5, 2}});
  CHECK(owners_by_share(all, 3, Share::kRoundRobin) ==
        Owners{{0, 0}, {1, 1}, {2, 2}, {3, 0}, {4, 1}, {5, 2}});
  CHECK(owners_by_share(all, 3, Share::kBytes) ==
        Owners{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 1}, {5, 2}});
  CHECK(owners_by_share({}, 3, Share::kBytes).empty());
  CHECK(owners_by_share(days({0}), 3, Share::kBytes) == Owners{{0, 0}});
}

TEST_CASE("a word that is no way to share is refused") {
  CHECK(*parse_share("bytes") == Share::kBytes);
  CHECK(has(parse_share("size").error().message, "round-robin"));
}

TEST_CASE("a file of shards names each partition's rank, or the host of one") {
  const auto shards =
      parse_shards("# days\n0 2024.01.01..2024.01.02\nb\t2024.01.03 2024.01.04\n", "f");
  REQUIRE(shards.ok());
  const auto owners = owners_by_shards(days({1, 1, 1, 1}), *shards, "f", {"a", "b"});
  REQUIRE(owners.ok());
  CHECK(*owners == Owners{{0, 0}, {1, 0}, {2, 1}, {3, 1}});
}

TEST_CASE("whole numbers are compared as such") {
  const auto shards = parse_shards("0 1..9\n1 10..100", "f");
  const auto owners = owners_by_shards({{9, "9", 0}, {10, "10", 0}}, *shards, "f", {"a", "b"});
  REQUIRE(owners.ok());
  CHECK(*owners == Owners{{9, 0}, {10, 1}});
}

TEST_CASE("what a file of shards has wrong is said with its line") {
  const auto problem = [](const char* text) {
    const auto shards = parse_shards(text, "f");
    if (!shards.ok()) return shards.error().message;
    const auto owners = owners_by_shards(days({1, 1}), *shards, "f", {"a", "b", "b"});
    return owners.ok() ? std::string() : owners.error().message;
  };
  CHECK(problem("") == "--shards: f: names no partition");
  CHECK(has(problem("0"), "line 1: '0' has no partitions"));
  CHECK(has(problem("\n0 2024.01.02..2024.01.01"), "line 2"));
  CHECK(has(problem("0 .."), "is no range"));
  CHECK(has(problem("3 2024.01.01..2024.01.02"), "no rank of this job"));
  CHECK(has(problem("b 2024.01.01..2024.01.02"), "the host of several"));
  CHECK(has(problem("0 2024.01.01"), "partition 2024.01.02 is no rank's"));
  CHECK(has(problem("0 2024.01.01..2024.01.02\n1 2024.01.02"),
            "line 2: partition 2024.01.02 is rank 0's by line 1"));
}

}  // namespace
}  // namespace hdbench::bench
