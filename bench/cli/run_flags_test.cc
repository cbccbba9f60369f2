#include "bench/cli/run_flags.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("flags that say what hdbench's own say are taken") {
  const auto flags =
      parse_google_flags({"--benchmark_filter=Q0[17]", "--benchmark_repetitions=7",
                          "--benchmark_list_tests", "--benchmark_format=json",
                          "--benchmark_out_format=json", "--benchmark_context=room=cold=1"});
  REQUIRE(flags.ok());
  CHECK(flags->filter == "Q0[17]");
  CHECK(flags->repetitions == 7u);
  CHECK(flags->list);
  CHECK(flags->json);
  using Entries = std::vector<std::pair<std::string, std::string>>;
  CHECK(flags->context == Entries{{"room", "cold=1"}});
}

TEST_CASE("flags that mean nothing here are errors that say why") {
  for (const char* flag :
       {"--benchmark_min_time=1", "--benchmark_repetitions=0", "--benchmark_format=xml",
        "--benchmark_out_format=csv", "--benchmark_no_such_thing=1", "--benchmark_context=space",
        "--benchmark_context==cold"}) {
    const auto flags = parse_google_flags({flag});
    REQUIRE_FALSE(flags.ok());
    CHECK(flags.error().kind == ErrorKind::kUsage);
  }
}

}  // namespace

}  // namespace hdbench::bench
