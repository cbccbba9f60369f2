#include "bench/advise/verification.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

#include "bench/base/progress.h"
#include "bench/base/statistics.h"
#include "bench/model/column_places.h"

namespace hdbench::bench {
namespace {

struct VerifiedQuery {
  std::vector<double> ms;
  std::uint64_t checksum = 0;
};
using VerifiedQueries = std::map<int, VerifiedQuery>;

// Rounds of all queries on one placement, after a first that is not counted.
Result<VerifiedQueries> run_rounds(Session& session, const std::vector<ListedQuery>& queries,
                                   const Setting& setting, PlacementChoice choice,
                                   std::size_t rounds) {
  HDB_ASSIGN(const auto placement, session.place(tables_of(queries), std::move(choice)));
  HDB_ASSIGN(const BoundQueries bound, bind_all(queries, *placement));
  HDB_TRY(session.map_needed(queries, bound, *placement));
  Medium& medium = placement->medium();
  const Cache cache = medium.has_cache() ? Cache::kCold : Cache::kWarm;
  VerifiedQueries verified;
  Progress progress("verifying on " + medium.name());
  for (std::size_t round = 0; round <= rounds; ++round) {
    progress.show(round, rounds + 1);
    for (const ListedQuery& listed : queries) {
      if (cache == Cache::kCold || round == 0) HDB_TRY(session.prepare(*placement, cache));
      const auto run = session.run(bound.at(listed.id), setting, medium);
      if (!run.ok()) return error_in(listed, run.error());
      if (!run->table) return error_in(listed, Error{ErrorKind::kLimit, run->limit_message, {}});
      VerifiedQuery& query = verified[listed.id];
      query.checksum = checksum(*run->table);
      if (round > 0) query.ms.push_back(run->real_ms);
    }
  }
  HDB_TRY(medium.verify_placement());
  return verified;
}

}  // namespace

Status verify(Session& session, const std::vector<ListedQuery>& queries, Setting setting,
              std::size_t rounds, Advice& advice) {
  const PlacementChoice in_dram{"dram", setting.layout, setting.codes, setting.compressed, {}};
  HDB_ASSIGN(const VerifiedQueries dram, run_rounds(session, queries, setting, in_dram, rounds));
  PlacementChoice advised = in_dram;
  advised.medium = setting.medium = advice.run.medium;
  HDB_ASSIGN(advised.places, parse_places(advice.run.places));
  HDB_ASSIGN(const VerifiedQueries placed, run_rounds(session, queries, setting, advised, rounds));
  for (AdvisedQuery& query : advice.queries) {
    const VerifiedQuery& here = dram.at(query.query);
    const VerifiedQuery& there = placed.at(query.query);
    if (here.checksum != there.checksum) {
      return Error{ErrorKind::kMismatch,
                   fmt::format("{}: its result in DRAM has checksum {:x}, as advised {:x}",
                               query_label(query.query), here.checksum, there.checksum),
                   {}};
    }
    query.measured_dram_ms = median(here.ms);
    query.measured_ms = median(there.ms);
  }
  return ok_status();
}

}  // namespace hdbench::bench
