#include "bench/placement_rounds.h"

#include "bench/progress.h"

namespace hdbench {
namespace {

// `at`: rounds before this one, of all blocks.
Status run_round(const RoundsSetting& setting, const RoundParts& parts, std::size_t at,
                 RoundKind kind) {
  Progress progress(setting.title);
  const std::size_t cells = parts.own.cells().size();
  const std::size_t total = cells * (setting.repetitions + 1) * parts.peers.block_count();
  progress.show(at * cells, total, "ceilings");
  HDB_TRY(kind == RoundKind::kTimed ? parts.ceilings.measure(parts.pools, setting.threads)
                                    : parts.ceilings.warm_up(parts.pools, setting.threads));
  return parts.own.run_round(kind, parts.books, [&](std::size_t done, const std::string& cell) {
    progress.show(at * cells + done, total, cell);
  });
}

Status run_block(const RoundsSetting& setting, const RoundParts& parts, std::size_t block) {
  HDB_TRY(parts.peers.load(block));
  for (std::size_t round = 0; round <= setting.repetitions; ++round) {
    const RoundKind kind = round == 0 ? RoundKind::kUntimed : RoundKind::kTimed;
    HDB_TRY(run_round(setting, parts, block * (setting.repetitions + 1) + round, kind));
    HDB_TRY(kind == RoundKind::kUntimed ? parts.peers.verify(parts.books.ledger, block)
                                        : parts.peers.repeat(block));
  }
  parts.peers.end(block);
  return ok_status();
}

}  // namespace

Status run_rounds(const RoundsSetting& setting, const RoundParts& parts) {
  for (std::size_t block = 0; block < parts.peers.block_count(); ++block) {
    HDB_TRY(run_block(setting, parts, block));
  }
  return parts.own.verify_placement();
}

}  // namespace hdbench
