#include "bench/run/kdb_limits.h"

#include <memory>

namespace hdbench::bench {

KdbSettings kdb_settings(const Setting& setting) {
  KdbSettings settings;
  settings.version = setting.mode == Mode::k36 ? KdbVersion::k36 : KdbVersion::k40;
  settings.secondary_threads = setting.threads > 1 ? setting.threads : 0;
  settings.use_index = setting.attr == AttrUse::kParted;
  return settings;
}

KdbSettings kdb_settings(const Setting& setting, const Medium& medium) {
  KdbSettings settings = kdb_settings(setting);
  settings.in_memory = setting.layout == Layout::kFlat && !medium.has_cache();
  return settings;
}

Result<KdbSteps> measure_kdb_steps(Session& session, const BoundQuery& query,
                                   const Setting& setting, Medium& medium) {
  Setting unlimited = setting;
  unlimited.limit_mib = 0;
  const KdbRun run = [&](const Table* table, const Plan& plan,
                         const std::function<void(const ResultTable&)>& use) -> Status {
    // Of a plan that its caller holds.
    const std::shared_ptr<const Plan> shared(std::shared_ptr<const Plan>(), &plan);
    HDB_ASSIGN(const TimedRun timed,
               session.run({table != nullptr ? table : query.table, shared}, unlimited, medium,
                           KeepUnpacked::kUntilPartitionRead));
    if (!timed.table) return Error{ErrorKind::kLimit, timed.limit_message, {}};
    use(*timed.table);
    return ok_status();
  };
  return count_steps(query.table, *query.plan, run);
}

KdbNeed kdb_need(const BoundQuery& query, const KdbSteps& steps, const KdbSettings& settings) {
  const KdbMemory memory = kdb_memory(query.table, *query.plan, steps, settings);
  return {std::string(word(settings.version)), settings.secondary_threads, memory.least_w_mib(),
          memory.peaks.used, memory.peaks.heap};
}

}  // namespace hdbench::bench
