#include "bench/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "bench/expected_counts.h"
#include "bench/host.h"
#include "bench/host_figures.h"
#include "bench/memory_probe.h"
#include "bench/progress.h"
#include "engine/base/check.h"
#include "pmem/emulated_medium.h"
#include "pmem/medium_word.h"
#include "pmem/spill_resource.h"

namespace hdbench {
namespace {

// Scratch bytes go beside the database, on the disk under test, where that can be written.
std::filesystem::path default_scratch_dir(const std::filesystem::path& database) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::canonical(database, error);
  if (error) return {};
  const std::filesystem::path parent = whole.parent_path();
  return access(parent.c_str(), W_OK) == 0 ? parent : std::filesystem::path();
}

Status check_directory(std::string_view flag, const std::filesystem::path& directory) {
  std::error_code error;
  if (directory.empty() || std::filesystem::is_directory(directory, error)) return ok_status();
  return usage_error(fmt::format("{}: {} is no directory", flag, directory.string()));
}

}  // namespace

Result<std::unique_ptr<Session>> Session::open(SessionOptions options) {
  HDB_TRY(check_directory("--scratch-dir", options.media.scratch_dir));
  HDB_TRY(check_directory("--pmem-dir", options.media.pmem_dir));
  std::unique_ptr<Session> session(new Session());
  HDB_ASSIGN(session->database_, Database::open(options.database));
  warn_if_incomplete(options.database);
  if (options.media.scratch_dir.empty()) {
    options.media.scratch_dir = default_scratch_dir(options.database);
  }
  session->options_ = options;
  const std::string results = options.result_medium.empty() ? "dram" : options.result_medium;
  HDB_TRY(session->calibrate_for(results));
  options.media = session->options_.media;
  HDB_ASSIGN(session->result_medium_, make_medium(results, options.media));
  if (options.on_limit == OnLimit::kSpill) {
    HDB_ASSIGN(session->spill_, SpillResource::make(options.media.scratch_dir.empty()
                                                        ? std::filesystem::temp_directory_path()
                                                        : options.media.scratch_dir));
  }
  session->options_ = std::move(options);
  return session;
}

Result<std::unique_ptr<TablePlacement>> Session::place(const std::vector<std::string>& tables,
                                                       const std::string& medium, Layout layout,
                                                       Codes codes) {
  HDB_TRY(calibrate_for(medium));
  MediumOptions media = options_.media;
  // A flat table is made of the files, it is none of them.
  if (options_.pmem_keep && layout == Layout::kPartitioned) {
    media.keep_database = options_.database;
  }
  HDB_ASSIGN(auto placement, TablePlacement::make(*database_, tables, {medium, layout, codes},
                                                  media, pools_.widest()));
  if (const std::string note = placement->medium().note(); !note.empty()) {
    fmt::print(stderr, "{}\n", note);
  }
  return placement;
}

Status Session::map_needed(const std::vector<ListedQuery>& queries,
                           const std::map<int, Plan>& plans, const TablePlacement& placement) {
  Progress progress(fmt::format("reading into {}", placement.medium_name()));
  for (const std::string& name : tables_of(queries)) {
    NeededColumns needed(placement.table(name));
    for (const ListedQuery& listed : queries) {
      if (listed.query.table_name() == name) needed.add(plans.at(listed.id));
    }
    HDB_TRY(needed.map_all(
        pools_.widest(), *options_.stop,
        [&](std::size_t done, std::size_t total) { progress.show(done, total, name); }));
  }
  return ok_status();
}

Prefetcher& Session::prefetcher_of(Medium& medium) {
  if (!read_ahead_ || read_ahead_->store != medium.store()) {
    read_ahead_ = std::make_unique<ReadAhead>(medium.store(), pools_.cpus());
    const std::string& note = read_ahead_->prefetcher.note();
    if (note != read_ahead_note_) fmt::print(stderr, "{}\n", note);
    read_ahead_note_ = note;
  }
  return read_ahead_->prefetcher;
}

Status Session::calibrate_for(const std::string& medium) {
  HDB_ASSIGN(const MediumWord parsed, parse_medium_word(medium));
  if (calibrated_ || !is_emulated(parsed)) return ok_status();
  HDB_ASSIGN(options_.media.emulation.host, calibrate_host(pools_));
  options_.media.emulation.last_level_cache_bytes =
      last_level_bytes(read_host(pools_.all_threads()));
  calibrated_ = true;
  return ok_status();
}

Result<TimedRun> Session::run(const Table& table, const Plan& plan, const Setting& setting,
                              Medium& medium) {
  // In Memory Mode there is no other memory.
  EmulatedMedium* const emulated = as_emulated(medium);
  const bool keeps_results = options_.result_medium.empty() && emulated != nullptr &&
                             setting.medium.starts_with("memory-mode");
  Medium& results = keeps_results ? medium : *result_medium_;
  std::vector<EmulatedMeter*> meters;
  if (emulated != nullptr) meters.push_back(&emulated->meter());
  if (EmulatedMedium* const other = as_emulated(results); other != nullptr && other != emulated)
    meters.push_back(&other->meter());
  const RunResources resources{pools_.of(setting.threads),
                               results.results(),
                               spill_.get(),
                               *options_.stop,
                               setting.prefetch == Prefetch::kOn ? &prefetcher_of(medium) : nullptr,
                               std::move(meters)};
  return timed_run(table, plan, setting, resources);
}

}  // namespace hdbench
