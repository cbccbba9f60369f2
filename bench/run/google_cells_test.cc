#include "bench/run/google_cells.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("no cells are no error") { CHECK(run_google_cells({}).ok()); }

TEST_CASE("each cell is called once, in the order given") {
  std::vector<int> called;
  std::vector<GoogleCell> cells;
  for (const int id : {3, 1, 2}) {
    cells.push_back({"Q0" + std::to_string(id) + "/medium:dram",
                     [&called, id]() -> Result<std::optional<CalledOnce>> {
                       called.push_back(id);
                       return std::optional(CalledOnce{1.5, 10, 2});
                     }});
  }
  CHECK(run_google_cells(cells).ok());
  CHECK(called == std::vector<int>{3, 1, 2});
  CHECK(run_google_cells(cells).ok());
  CHECK(called.size() == 6);
}

TEST_CASE("a cell without a figure lets the next one run, an error does not") {
  int after = 0;
  const auto next = [&]() -> Result<std::optional<CalledOnce>> {
    ++after;
    return std::optional<CalledOnce>();
  };
  CHECK(run_google_cells({{"a", next}, {"b", next}}).ok());
  CHECK(after == 2);
  const auto wrong = []() -> Result<std::optional<CalledOnce>> { return data_error("cut short"); };
  const Status status = run_google_cells({{"a", wrong}, {"b", next}});
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().message == "cut short");
  CHECK(after == 2);
}

TEST_CASE("flags that say what hdbench's own say are taken") {
  const auto flags = parse_google_flags({"--benchmark_filter=Q0[17]", "--benchmark_repetitions=7",
                                         "--benchmark_list_tests", "--benchmark_format=json",
                                         "--benchmark_context=room=cold"});
  REQUIRE(flags.ok());
  CHECK(flags->filter == "Q0[17]");
  CHECK(flags->repetitions == 7u);
  CHECK(flags->list);
  CHECK(flags->json);
}

TEST_CASE("flags that mean nothing here are errors that say why") {
  for (const char* flag : {"--benchmark_min_time=1", "--benchmark_repetitions=0",
                           "--benchmark_format=xml", "--benchmark_no_such_thing=1"}) {
    const auto flags = parse_google_flags({flag});
    REQUIRE_FALSE(flags.ok());
    CHECK(flags.error().kind == ErrorKind::kUsage);
  }
}

TEST_CASE("a filter is a regular expression, and a dash turns it round") {
  CHECK(CellFilter().holds("anything"));
  const auto some = CellFilter::make("Q0[17]/.*dram");
  REQUIRE(some.ok());
  CHECK(some->holds("Q07/medium:dram/layout:flat"));
  CHECK_FALSE(some->holds("Q02/medium:dram/layout:flat"));
  const auto others = CellFilter::make("-Q0[17]");
  REQUIRE(others.ok());
  CHECK_FALSE(others->holds("Q07/medium:dram"));
  CHECK(others->holds("Q02/medium:dram"));
  CHECK_FALSE(CellFilter::make("Q0[").ok());
}

}  // namespace
}  // namespace hdbench
