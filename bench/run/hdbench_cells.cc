#include "bench/run/hdbench_cells.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "bench/run/kdb_limits.h"
#include "pmem/base/free_room.h"
#include "pmem/media/emulated_medium.h"

namespace hdbench::bench {
namespace {

// The kernel's throttle charges a limited disk for its last requests in the next slice of time
// (throtl_slice of blk-throttle). The pause, longer than a slice, keeps that out of the next cold
// repetition.
constexpr std::chrono::milliseconds kIdleBeforeCold{200};

// Of columns of one name, in whatever table, the sum.
void add_column_bytes(const std::string& column, std::uint64_t bytes,
                      std::vector<std::pair<std::string, std::uint64_t>>& all) {
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == column; });
  if (known == all.end()) {
    all.emplace_back(column, bytes);
  } else {
    known->second += bytes;
  }
}

void take_stats(CellResult& cell, const TimedRun& run) {
  cell.rows_in = run.stats.rows_in;
  cell.bytes_read = run.stats.bytes_read;
  cell.bytes_written = run.stats.bytes_written;
  cell.bytes_unpacked = run.stats.bytes_unpacked;
  cell.emulations = run.emulations;
  cell.used_bytes = run.used_bytes;
  cell.peak_workspace_bytes = std::max(cell.peak_workspace_bytes, run.peak_bytes);
  cell.spilled_bytes = std::max(cell.spilled_bytes, run.spilled_bytes);
  cell.major_faults = std::max(cell.major_faults, run.major_faults);
  cell.minor_faults = std::max(cell.minor_faults.value_or(0), run.minor_faults);
  if (run.device_bytes) {
    cell.device_bytes = std::max(cell.device_bytes.value_or(0), *run.device_bytes);
  }
  cell.bytes_read_by_column.clear();
  for (const TableReads& reads : run.stats.reads) {
    const auto& fields = reads.table->schema().fields;
    for (std::size_t field = 0; field < reads.bytes_by_field.size(); ++field) {
      const std::uint64_t bytes = reads.bytes_by_field[field];
      if (bytes != 0) add_column_bytes(fields[field].name, bytes, cell.bytes_read_by_column);
    }
  }
}

void take_proof(CellResult& cell, const CacheProof& proof, bool is_first) {
  cell.held_bytes = proof.bytes_total;
  cell.resident_max_bytes = std::max(cell.resident_max_bytes, proof.bytes_resident);
  cell.resident_min_bytes =
      is_first ? proof.bytes_resident : std::min(cell.resident_min_bytes, proof.bytes_resident);
}

// Another device's part in a cell's times, where there is none yet: `what` lies there.
void note_emulated(const Medium* columns, std::string_view what, Medium& medium, CellResult& cell,
                   std::optional<std::string>& profile) {
  if (!medium.emulated() || &medium == columns) return;
  cell.emulated = true;
  cell.medium_label += fmt::format("; {}: {}", what, medium.label());
  if (EmulatedMedium* const charged = as_emulated(medium)) {
    profile = charged->profile();
    cell.emulation_mode = charged->mode();
  }
}

CellResult make_cell(Session& session, TablePlacement& placement, const ListedQuery& listed,
                     const Setting& setting) {
  CellResult cell;
  cell.query = listed.id;
  cell.text = listed.query.text;
  cell.name_of_query = listed.name;
  cell.setting = setting;
  cell.emulated = placement.medium().emulated();
  cell.medium_label = placement.medium().label();
  if (!setting.volume.empty()) cell.medium_label += ", held to " + setting.volume;
  const std::vector<Medium*> parts = placement.medium().parts();
  for (Medium* const part : parts) {
    EmulatedMedium* const emulated = as_emulated(*part);
    if (emulated == nullptr) continue;
    auto& placed = cell.place_profiles;
    if (part == parts.front()) {
      cell.profile = emulated->profile();
    } else if (std::find(placed.begin(), placed.end(), emulated->profile()) == placed.end()) {
      placed.push_back(emulated->profile());
    }
    cell.emulation_mode = emulated->mode();
  }
  Medium& columns = placement.medium();
  note_emulated(&columns, "results", session.result_medium_of(columns), cell, cell.result_profile);
  if (Medium* const spill = session.spill_medium_of(columns))
    note_emulated(&columns, "beyond -w", *spill, cell, cell.spill_profile);
  return cell;
}

}  // namespace

HdbenchCells::HdbenchCells(Session& session, const std::vector<ListedQuery>& queries,
                           const BoundQueries& bound, TablePlacement& placement,
                           const std::vector<Setting>& settings, const NamePattern& filter)
    : session_(session), bound_(bound), placement_(placement) {
  for (const Setting& setting : settings) {
    for (const ListedQuery& listed : queries) {
      CellResult cell = make_cell(session, placement, listed, setting);
      if (filter.chooses(cell.name())) cells_.push_back(std::move(cell));
    }
  }
}

void HdbenchCells::repeat_as(const Known& known) {
  repetitions_.clear();
  for (const CellResult& cell : cells_) repetitions_.push_back(known(cell.name()));
}

bool HdbenchCells::wants_more(std::size_t cell, const RepetitionRule& rule) const {
  const bool is_known = !repetitions_.empty() && repetitions_[cell];
  return (is_known ? exactly(*repetitions_[cell]) : rule).wants_more(cells_[cell]);
}

std::vector<std::size_t> HdbenchCells::due(RoundKind kind, const RepetitionRule& rule) const {
  std::vector<std::size_t> due;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (!wants_more(i, rule)) continue;
    const bool first_setting = due.empty() || cells_[i].setting == cells_[due.front()].setting;
    const bool cold = cells_[i].setting.cache == Cache::kCold;
    if (kind == RoundKind::kTimed || !cold || first_setting) due.push_back(i);
  }
  return due;
}

Status HdbenchCells::run_round(RoundKind kind, const std::vector<std::size_t>& order,
                               RunRecorder& recorder, const Show& show) {
  for (std::size_t done = 0; done < order.size(); ++done) {
    CellResult& cell = cells_[order[done]];
    show(done, cell.name());
    HDB_TRY(run_cell(kind, recorder, cell));
  }
  return ok_status();
}

Status HdbenchCells::prepare(CellResult& cell) {
  const Cache cache = cell.setting.cache;
  if (cache == Cache::kCold || prepared_ != cache) {
    HDB_ASSIGN(proof_, session_.prepare(placement_, cache));
    prepared_ = cache;
    if (!is_placement_seen_) HDB_TRY(verify_placement());
    if (cache == Cache::kCold) std::this_thread::sleep_for(kIdleBeforeCold);
  }
  take_proof(cell, proof_, cell.real_ms.empty());
  return ok_status();
}

Status HdbenchCells::verify_placement() {
  is_placement_seen_ = true;
  const auto columns = placement_.medium().verify_placement();
  const auto results = session_.verify_results(placement_.medium());
  const auto spill = session_.verify_spill(placement_.medium());
  const Status status = !columns.ok()   ? Status(columns.error())
                        : !results.ok() ? Status(results.error())
                        : !spill.ok()   ? Status(spill.error())
                                        : ok_status();
  for (CellResult& cell : cells_) {
    if (status.ok()) {
      cell.placement_proof = *columns;
      cell.result_proof = *results;
      cell.spill_proof = *spill;
      continue;
    }
    cell.placement_proof.reset();
    cell.rows_out.reset();
    if (!cell.error) cell.error = status.error().message;
  }
  return status;
}

Status HdbenchCells::warm(const CellResult& cell) {
  const auto end = std::chrono::steady_clock::now() + warm_for_;
  while (std::chrono::steady_clock::now() < end) {
    HDB_ASSIGN(const TimedRun run,
               session_.run(bound_.at(cell.query), cell.setting, placement_.medium()));
    if (!run.table) break;  // the timed one will tell
  }
  return ok_status();
}

Result<TimedRun> HdbenchCells::run_watched(bool counts, RunRecorder& recorder, CellResult& cell) {
  // A cold query has the kernel's own threads at work for it.
  const bool is_watched = counts && cell.setting.cache == Cache::kWarm;
  const CpuThrottling before = recorder.quota.read();
  if (is_watched) recorder.load.begin();
  if (session_.commands() != nullptr && session_.ranks() == nullptr)
    session_.commands()->have_wait();
  Result<TimedRun> run = session_.run(bound_.at(cell.query), cell.setting, placement_.medium());
  if (is_watched) recorder.load.end();
  if (!counts || recorder.quota.empty()) return run;
  const CpuThrottling seen = recorder.quota.read().since(before);
  recorder.throttling.add(seen);
  cell.throttled_periods = cell.throttled_periods.value_or(0) + seen.throttled_periods;
  return run;
}

void HdbenchCells::count_for_kdb(const TimedRun& run, RunRecorder& recorder, CellResult& cell) {
  if (session_.ranks() != nullptr) return;  // each rank has a part of the rows
  const BoundQuery& query = bound_.at(cell.query);
  const auto [known, is_new] =
      recorder.kdb_steps.try_emplace({cell.setting.layout, cell.query}, std::nullopt);
  if (is_new) {
    // Columns that memory does not hold would be read from the device once a step.
    const auto left = memory_left();
    if (left && run.stats.bytes_read > left->bytes) return;
    Result<KdbSteps> steps = measure_kdb_steps(session_, query, cell.setting, placement_.medium());
    if (steps.ok()) known->second = std::move(*steps);
  }
  if (known->second)
    cell.kdb = kdb_need(query, *known->second, kdb_settings(cell.setting, placement_.medium()));
}

Status HdbenchCells::run_cell(RoundKind kind, RunRecorder& recorder, CellResult& cell) {
  const bool counts = kind == RoundKind::kTimed;
  if (counts) HDB_TRY(prepare(cell));
  if (counts && cell.setting.cache == Cache::kWarm) HDB_TRY(warm(cell));
  HDB_ASSIGN(const TimedRun run, run_watched(counts, recorder, cell));
  recorder.memory.look();
  if (!cell.kdb && run.table) count_for_kdb(run, recorder, cell);
  if (!counts && run.table) return ok_status();
  take_stats(cell, run);
  if (!run.table) {
    cell.error = run.limit_message;
    if (session_.options().limit_rule.what != OnLimit::kExit) return ok_status();
    return Error{ErrorKind::kLimit, cell.name() + ": " + *cell.error, {}};
  }
  cell.real_ms.push_back(run.real_ms);
  session_.note_ranks(run, cell.rank_times);
  cell.cpu_ms.push_back(run.cpu_ms);
  cell.rows_out = run.table->rows;
  cell.checksum = checksum(*run.table);
  const Status same = recorder.ledger.add(cell.query, cell.name(), *cell.checksum);
  if (!same.ok()) {
    cell.error = same.error().message;
    return same.error();
  }
  return ok_status();
}

}  // namespace hdbench::bench
