// What being metered costs a query: the eleven on one placement, without a meter, with one that
// does nothing and with the emulator's for a device faster than any host.
//
//   meter_overhead DB [THREADS [REPS]]
//
// The four ways take turns, so a machine that slows down slows all alike; a ratio is the median of
// the repetitions' own ratios, with the quartiles beside it. "again" is a second run without a
// meter: what two equal things differ by here. A real medium pays less than "null": it has no
// meter, and what is reported to one is not even made. Always exits 0 when the results are right:
// it is read, not passed.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "bench/base/layers.h"
#include "bench/base/report_error.h"
#include "bench/base/statistics.h"
#include "bench/run/session.h"
#include "engine/exec/workspace.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/testing/test_files.h"
#include "queries/query_file.h"

namespace hdbench::bench {
namespace {

constexpr const char* kFast = R"({
  "name": "fast", "about": "faster than any host", "kind": "memory",
  "granularity": {"bytes": 64, "source": "chosen: a cache line"},
  "latency": {"read_random": {"ns": 0.001, "source": "chosen: none"}},
  "bandwidth": {"read": {"sequential": {"gb_s": 1e6, "source": "chosen: no limit"}}}})";

class NullMeter final : public AccessMeter {
 public:
  void access(const Access&) override {}
};

enum Way : std::size_t { kNone, kAgain, kNull, kEmulated, kWays };

struct Query {
  const Table& table;
  const Plan& plan;
  ThreadPool& pool;
  Medium& results;
  EmulatedMeter& emulated;
};

Result<double> seconds_of(const Query& query, Way way, std::uint64_t& rows) {
  static NullMeter null;
  Workspace workspace(0, query.results.results());
  ExecuteSettings settings;
  settings.use_index = false;
  if (way == kNull) settings.meter = &null;
  if (way == kEmulated) settings.meter = &query.emulated;
  const auto begin = std::chrono::steady_clock::now();
  if (way == kEmulated) query.emulated.begin(query.pool.size());
  HDB_ASSIGN(const ResultTable result,
             execute(query.table, query.plan, settings, query.pool, workspace));
  if (way == kEmulated) query.emulated.settle();
  const auto end = std::chrono::steady_clock::now();
  rows = result.rows;
  return std::chrono::duration<double>(end - begin).count();
}

std::string ratio_text(std::vector<double> ratios) {
  std::sort(ratios.begin(), ratios.end());
  return fmt::format("{:>8.4f} ({:.3f}-{:.3f})", median(ratios), ratios[ratios.size() / 4],
                     ratios[ratios.size() * 3 / 4]);
}

Status print_query(int id, const Query& query, std::size_t reps) {
  std::vector<double> ratios[kWays];
  std::vector<double> times;
  std::uint64_t rows = 0;
  for (std::size_t rep = 0; rep <= reps; ++rep) {
    double seconds[kWays];
    for (std::size_t k = 0; k < kWays; ++k) {
      const auto way = static_cast<Way>((k + rep) % kWays);
      std::uint64_t got = 0;
      HDB_ASSIGN(seconds[way], seconds_of(query, way, got));
      if (rep + k > 0 && got != rows)
        return Error{ErrorKind::kMismatch, "another number of rows than before", {}};
      rows = got;
    }
    if (rep == 0) continue;  // warms
    times.push_back(seconds[kNone] * 1e3);
    for (std::size_t way = 0; way < kWays; ++way) ratios[way].push_back(seconds[way] / seconds[0]);
  }
  fmt::print("{:>5}{:>10.3f}  {}  {}  {}\n", id, median(times), ratio_text(ratios[kAgain]),
             ratio_text(ratios[kNull]), ratio_text(ratios[kEmulated]));
  std::fflush(stdout);
  return ok_status();
}

Status measure(const std::filesystem::path& database, std::size_t threads, std::size_t reps) {
  const testing::TemporaryDirectory directory;
  const auto profile = directory.path() / "fast.json";
  testing::write_text(profile, kFast);
  SessionOptions options;
  options.database = database;
  HDB_ASSIGN(const auto session, Session::open(std::move(options)));
  HDB_ASSIGN(const auto file, find_query_file("paper.q"));
  HDB_ASSIGN(std::vector<ListedQuery> queries, queries_of_file(file, std::nullopt));
  HDB_TRY(require_tables(queries, session->database()));
  HDB_ASSIGN(const auto placement,
             session->place(tables_of(queries), {"app-direct:" + profile.string(), Layout::kFlat}));
  HDB_ASSIGN(const BoundQueries bound, bind_all(queries, *placement));
  HDB_TRY(session->map_needed(queries, bound, *placement));
  HDB_ASSIGN(const auto results, make_medium("dram", {}));
  fmt::print("flat, attr none, mode 4.0, {} threads, {} repetitions; times without a meter = 1\n",
             threads, reps);
  fmt::print("{:>5}{:>10}  {:>22}  {:>22}  {:>22}\n", "query", "ms", "again", "null", "emulated");
  const std::shared_ptr<EmulatedMeter> held = as_emulated(placement->medium())->meter();
  EmulatedMeter& meter = *held;
  for (const ListedQuery& listed : queries) {
    HDB_TRY(print_query(listed.id,
                        {*bound.at(listed.id).table, *bound.at(listed.id).plan,
                         session->pools().of(threads), *results, meter},
                        reps));
  }
  return ok_status();
}

}  // namespace
}  // namespace hdbench::bench

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "meter_overhead DB [THREADS [REPS]]\n");
    return 2;
  }
  const std::size_t threads = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  const std::size_t reps = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 31;
  if (threads < 1 || reps < 1) {
    std::fprintf(stderr, "meter_overhead: threads and repetitions are 1 or more\n");
    return 2;
  }
  const hdbench::Status done = hdbench::bench::measure(argv[1], threads, reps);
  return done.ok() ? 0 : hdbench::bench::report_error(done.error());
}
