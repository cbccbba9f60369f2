#include "bench/ranks/rank_opening.h"

#include <fstream>

#include "bench/testing/thread_job.h"
#include "engine/base/catch.h"
#include "engine/testing/files.h"

namespace hdbench::bench {
namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

RankFacts facts() {
  RankFacts one;
  one.version = "1 (a)";
  one.columns = {"t: bid float", "t: sym symbol"};
  one.domains = {{"sym", 7}};
  one.partitions = {{1, "1", 10}, {2, "2", 10}};
  return one;
}

// By rank: what each had of the opening.
std::vector<Result<Owners>> open_by(const std::vector<Result<RankFacts>>& own,
                                    const Sharing& sharing = {}) {
  std::vector<Result<Owners>> owners(own.size(), Owners{});
  std::vector<std::string> hosts;
  for (std::size_t rank = 0; rank < own.size(); ++rank) hosts.push_back("h" + std::to_string(rank));
  run_job(hosts, [&](RankJob& job) {
    owners[job.rank()] = agree_on_opening(job, own[job.rank()], sharing);
  });
  return owners;
}

TEST_CASE("ranks of one database agree who owns what") {
  const auto owners = open_by({facts(), facts()});
  for (const auto& one : owners) {
    REQUIRE(one.ok());
    CHECK(*one == Owners{{1, 0}, {2, 1}});
  }
}

TEST_CASE("what one rank has otherwise is rank 0's error, which names it") {
  RankFacts other = facts();
  const auto error = [&] {
    const auto owners = open_by({facts(), other});
    REQUIRE_FALSE(owners[0].ok());
    REQUIRE_FALSE(owners[1].ok());
    CHECK(owners[1].error().message.empty());
    CHECK(says(owners[0].error().message, "rank 1 on h1: "));
    return owners[0].error().message;
  };
  SECTION("version") {
    other.version = "1 (b)";
    CHECK(says(error(), "hdbench 1 (b), rank 0 has 1 (a)"));
  }
  SECTION("column") {
    other.columns[0] = "t: bid real";
    CHECK(says(error(), "'t: bid real'"));
  }
  SECTION("symbols") {
    other.domains[0].second = 8;
    CHECK(says(error(), "symbol list 'sym' is another"));
  }
  SECTION("partition") {
    other.partitions.pop_back();
    CHECK(says(error(), "lacks partition 2"));
  }
}

TEST_CASE("an opening that failed on a rank fails on all") {
  const auto owners = open_by({facts(), facts(), Result<RankFacts>(data_error("no such file"))});
  CHECK(owners[0].error().message == "rank 2 on h2: no such file");
  CHECK_FALSE(owners[1].ok());
}

TEST_CASE("an end before the opening is heard by who opens") {
  run_job({"a", "b"}, [&](RankJob& job) {
    if (job.rank() == 1) return report_before_opening(job, usage_error("no query"));
    CHECK(agree_on_opening(job, facts(), {}).error().message == "rank 1 on b: no query");
  });
  run_job({"a", "b"}, [&](RankJob& job) {
    if (job.rank() == 0) return abandon_opening(job, ErrorKind::kData);
    CHECK_FALSE(agree_on_opening(job, facts(), {}).ok());
  });
}

TEST_CASE("with shards each rank needs its own partitions alone") {
  const testing::TemporaryDirectory directory;
  const auto file = directory.path() / "shards";
  std::ofstream(file) << "0 1\n1 2\n";
  RankFacts first = facts();
  RankFacts second = facts();
  first.partitions.pop_back();
  second.partitions.erase(second.partitions.begin());
  const Sharing sharing{Share::kContiguous, file};
  CHECK(*open_by({first, second}, sharing)[1] == Owners{{1, 0}, {2, 1}});
  CHECK(says(open_by({second, first}, sharing)[0].error().message, "lacks partition 1, which"));
}

}  // namespace
}  // namespace hdbench::bench
