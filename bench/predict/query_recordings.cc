#include "bench/predict/query_recordings.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/version.h"
#include "bench/machine/host.h"
#include "bench/machine/host_figures.h"
#include "bench/machine/memory_probe.h"
#include "engine/kernel/cpu_tuning.h"
#include "pmem/media/emulated_medium.h"

namespace hdbench::bench {
namespace {

constexpr double kNsPerMs = 1e6;
// Of the last level: columns that take more than this are not there when they are read again.
constexpr double kCachedShare = 0.75;

}  // namespace

ForecastSetting forecast_setting(Session& session, const Setting& setting) {
  return {std::string(version()),
          std::string(commit()),
          describe(read_host(session.pools().all_threads())),
          session.database().root().string(),
          setting.layout,
          setting.attr,
          setting.mode,
          setting.threads,
          setting.codes};
}

Result<std::unique_ptr<QueryRecordings>> QueryRecordings::make(
    Session& session, const std::vector<ListedQuery>& queries, const Setting& setting,
    const std::vector<std::string>& media, std::size_t repetitions) {
  std::unique_ptr<QueryRecordings> made(new QueryRecordings(session, setting));
  made->repetitions_ = repetitions;
  // As `run` has it, whose times are predicted.
  set_cpu_tuning(fastest_cpu_tuning(last_level_bytes(read_host(session.pools().all_threads()))));
  HDB_ASSIGN(made->host_, measure_host_memory(session.pools(), session.options().ceiling_bytes));
  HDB_ASSIGN(made->placement_,
             session.place(tables_of(queries),
                           {"dram", setting.layout, setting.codes, setting.compressed}));
  HDB_ASSIGN(made->bound_, bind_all(queries, *made->placement_));
  HDB_TRY(session.map_needed(queries, made->bound_, *made->placement_));
  for (const std::string& name : tables_of(queries))
    made->tables_.push_back(&made->placement_->table(name));
  made->recording_.emplace(session, *made->placement_, made->bound_);
  HDB_TRY(made->add_devices(media));
  return made;
}

Status QueryRecordings::add_devices(const std::vector<std::string>& media) {
  TraceTargets& targets = recording_->targets();
  EmulationOptions options = session_.options().media.emulation;
  options.host = host_.calibration;
  options.last_level_cache_bytes = host_.cache_bytes;
  HDB_TRY(targets.add_device({host_.profile, 0, {}}, host_.calibration));
  for (const std::string& medium : media) {
    if (medium == "dram") {
      devices_.push_back(kHostDevice);
      continue;
    }
    HDB_ASSIGN(const MediumSpec word, parse_medium_spec(medium));
    if (!is_emulated(word)) {
      return usage_error(fmt::format(
          "{}: expected dram, or a medium with a profile, such as cxl:cxl-cz122", medium));
    }
    HDB_ASSIGN(EmulatedDeviceSetup setup, emulated_setup(word, options));
    HDB_TRY(add_device(std::move(setup)));
  }
  return ok_status();
}

Status QueryRecordings::add_device(EmulatedDeviceSetup setup) {
  // The pages of an interleave that lie locally lie in this machine's memory.
  if (setup.interleave.is_shared() && !setup.local) setup.local = host_.profile;
  HDB_ASSIGN(const std::size_t number, recording_->targets().add_device(setup, host_.calibration));
  devices_.push_back(number);
  return ok_status();
}

const Table* QueryRecordings::table(const std::string& name) const {
  const auto found = std::find_if(tables_.begin(), tables_.end(),
                                  [&](const Table* table) { return table->name() == name; });
  return found == tables_.end() ? nullptr : *found;
}

Result<std::vector<RecordedQuery>> QueryRecordings::record(const std::vector<ListedQuery>& queries,
                                                           const SizeFactors& size) {
  RecordingRule rule;
  rule.workers = setting_.threads;
  rule.repetitions = repetitions_;
  rule.mode = setting_.mode;
  rule.use_index = setting_.attr == AttrUse::kParted;
  double bytes = 0;
  for (std::size_t place = 0; place < places().size(); ++place)
    bytes += static_cast<double>(recording_->targets().bytes_of(place));
  bytes *= size.rows * size.partitions;
  rule.is_cached = bytes < kCachedShare * static_cast<double>(host_.cache_bytes);
  // What queries find of one another's columns in the caches is less where there are more rows.
  rule.evicts = !rule.is_cached && size.rows * size.partitions > 1;
  return recording_->record(queries, bound_, rule, host_.cache_bytes);
}

// How many columns of the wider table stand for each that a query shows because it shows all.
std::vector<double> QueryRecordings::columns_of(const RecordedQuery& query, double columns) const {
  const Table& table = *bound_.at(query.id).table;
  const auto shown = static_cast<double>(query.shown_whole.size());
  const double more = columns - static_cast<double>(table.schema().own_fields());
  std::vector<double> factors(places().size(), 1);
  for (std::size_t place = 0; place < factors.size(); ++place) {
    const bool is_shown =
        place == kNoColumn || std::find(query.shown_whole.begin(), query.shown_whole.end(),
                                        places()[place].column) != query.shown_whole.end();
    if (is_shown) factors[place] = std::max(0.0, (shown + more) / shown);
  }
  return factors;
}

ReplayQuestion QueryRecordings::question(const RecordedQuery& query,
                                         const std::vector<std::size_t>& device_of_place,
                                         const SizeFactors& size) const {
  ReplayQuestion question;
  question.device_of_place = device_of_place;
  question.workers = setting_.threads;
  question.cpus = setting_.threads;
  question.rows = size.rows;
  question.partitions = size.partitions;
  question.is_split = setting_.mode == Mode::k40;
  question.result_grows = query.result_grows;
  question.is_cached = query.is_cached;
  if (size.columns > 0 && !query.shown_whole.empty())
    question.columns = columns_of(query, size.columns);
  return question;
}

std::vector<ReplayTimes> QueryRecordings::replays(const RecordedQuery& query,
                                                  const std::vector<std::size_t>& device_of_place,
                                                  const SizeFactors& size,
                                                  const UseOfMachine& use) {
  ReplayQuestion asked = question(query, device_of_place, size);
  asked.users = use.users;
  asked.host_slowed = use.host_slowed;
  if (use.cpus > 0) asked.cpus = use.cpus;
  std::vector<ReplayTimes> times;
  for (const TraceTiming& timing : query.timings)
    times.push_back(replay(query.trace, timing, query.fixed, recording_->targets(), asked));
  return times;
}

double QueryRecordings::middle_ms(const RecordedQuery& query,
                                  const std::vector<std::size_t>& device_of_place,
                                  const SizeFactors& size, double local_share) {
  ReplayQuestion asked = question(query, device_of_place, size);
  asked.local_share = local_share;
  return replay(query.trace, query.middle(), query.fixed, recording_->targets(), asked).total_ns /
         kNsPerMs;
}

double QueryRecordings::busy_ms(std::size_t device, double all_ms) {
  return recording_->targets().device(device).busy_ns(0, all_ms * kNsPerMs, 1) / kNsPerMs;
}

}  // namespace hdbench::bench
