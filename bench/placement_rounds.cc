#include "bench/placement_rounds.h"

#include "bench/progress.h"

namespace hdbench {
namespace {

Status run_round(const RoundsSetting& setting, const RoundParts& parts, std::size_t round) {
  Progress progress(setting.title);
  const std::size_t cells = parts.own.cells().size();
  const std::size_t total = cells * (setting.repetitions + 1);
  progress.show(round * cells, total, "ceilings");
  HDB_TRY(parts.ceilings.measure(parts.pools, setting.threads));
  return parts.own.run_round(round == 0 ? RoundKind::kUntimed : RoundKind::kTimed, parts.ledger,
                             [&](std::size_t done, const std::string& cell) {
                               progress.show(round * cells + done, total, cell);
                             });
}

}  // namespace

Status run_rounds(const RoundsSetting& setting, const RoundParts& parts) {
  HDB_TRY(parts.peers.load());
  for (std::size_t round = 0; round <= setting.repetitions; ++round) {
    HDB_TRY(run_round(setting, parts, round));
    HDB_TRY(round == 0 ? parts.peers.verify(parts.ledger) : parts.peers.repeat());
  }
  return ok_status();
}

}  // namespace hdbench
