#include "bench/run/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <utility>

#include "bench/base/progress.h"
#include "bench/base/report_error.h"
#include "bench/machine/host.h"
#include "bench/machine/host_figures.h"
#include "bench/machine/memory_probe.h"
#include "bench/model/column_places.h"
#include "bench/ranks/rank_opening.h"
#include "bench/run/expected_counts.h"
#include "bench/run/placement_notes.h"
#include "engine/base/check.h"
#include "engine/base/store.h"
#include "engine/base/write_guard.h"
#include "pmem/base/free_room.h"
#include "pmem/base/medium_spec.h"
#include "pmem/base/page_counters.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/memory/scratch_file.h"
#include "pmem/persistent/app_direct_place.h"

namespace hdbench::bench {
namespace {

// Scratch bytes go beside the database, on the disk under test, where that can be written.
std::filesystem::path default_scratch_dir(const std::filesystem::path& database) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::canonical(database, error);
  if (error) return {};
  const std::filesystem::path parent = whole.parent_path();
  const bool is_usable =
      access(parent.c_str(), W_OK) == 0 && check_outside_databases("DB", parent).ok();
  return is_usable ? parent : std::filesystem::path();
}

Status check_directory(std::string_view flag, const std::filesystem::path& directory) {
  std::error_code error;
  if (directory.empty() || names_dax_device(directory) ||
      std::filesystem::is_directory(directory, error))
    return ok_status();
  return usage_error(fmt::format("{}: {} is no directory", flag, directory.string()));
}

// An error of the medium that results lie on, with the flag where it was given.
Error of_result_medium(const SessionOptions& options, Error error) {
  if (!options.result_medium.empty()) error.message = "--result-medium: " + error.message;
  return error;
}

Result<std::unique_ptr<RegionHeap>> spill_for(const std::filesystem::path& directory) {
  HDB_ASSIGN(const std::filesystem::path temporary, temporary_directory());
  return make_spill_resource(directory.empty() ? temporary : directory);
}

bool spills_to_medium(const SessionOptions& options) {
  return !options.limit_rule.spill.empty() && options.limit_rule.spill != kSpillFile;
}

Error of_spill(Error error) {
  error.message = "--on-limit spill: " + error.message;
  return error;
}

void trim_heap(Medium* medium) {
  if (medium == nullptr) return;
  if (auto* const heap = dynamic_cast<RegionHeap*>(&medium->results())) heap->trim();
}

// The machine's own memory goes without saying.
void tell_limit() {
  const auto left = memory_left();
  const auto machine = memory_figure("MemAvailable");
  if (!left || !machine || left->bytes > *machine / 2) return;
  tell(fmt::format("-w: {} MiB, {} (-w 0: no limit)", left->bytes >> 20, left->why));
}

std::string word_of_results(const SessionOptions& options) {
  return options.result_medium.empty() ? "dram" : options.result_medium;
}

// Each meter charges the regions that are its own.
class Meters final : public AccessMeter {
 public:
  explicit Meters(const std::vector<EmulatedMeter*>& meters) : meters_(meters) {}
  void access(const Access& access) override {
    for (EmulatedMeter* meter : meters_) meter->access(access);
  }
  bool meters_working_memory() const override {
    return std::any_of(meters_.begin(), meters_.end(),
                       [](const EmulatedMeter* meter) { return meter->meters_working_memory(); });
  }

 private:
  const std::vector<EmulatedMeter*>& meters_;
};

}  // namespace

namespace {

// The two clocks run at slightly different rates. Further above, the kernel counts CPU time by
// ticks that are longer than the query: it says nothing.
double known_cpu_ms(double cpu_ms, double most_ms) {
  constexpr double kClocksApart = 1.05;
  return cpu_ms > kClocksApart * most_ms ? 0 : std::min(cpu_ms, most_ms);
}

// All ranks' work; -w is each one's own.
void add_rank(const RankRun& other, TimedRun& run) {
  run.cpu_ms += other.cpu_ms;
  run.major_faults += other.major_faults;
  run.minor_faults += other.minor_faults;
  run.peak_bytes = std::max(run.peak_bytes, other.peak_bytes);
  if (!other.is_device_known) run.device_bytes.reset();
  if (run.device_bytes) *run.device_bytes += other.device_bytes;
}

// A flat table's columns are no table's files, and no partition's.
Status check_flat_places(const std::vector<ColumnPlace>& places) {
  for (const ColumnPlace& place : places) {
    for (const std::string& column : place.columns) {
      const auto choice = parse_column_choice(column);
      if (choice.ok() && choice->is_name_alone()) continue;
      return usage_error(fmt::format(
          "--place {}: of --layout flat a column is placed whole, by its name alone", column));
    }
  }
  return ok_status();
}

}  // namespace

double process_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

Result<std::unique_ptr<Session>> Session::open_alone(SessionOptions options) {
  HDB_TRY(check_directory("--scratch-dir", options.media.scratch_dir));
  HDB_TRY(check_directory("--pmem-dir", options.media.pmem_dir));
  HDB_TRY(check_outside("--scratch-dir", options.media.scratch_dir, options.database));
  HDB_TRY(check_outside("--pmem-dir", options.media.pmem_dir, options.database));
  if (!options.result_medium.empty())
    HDB_TRY(check_result_medium("--result-medium", options.result_medium));
  std::unique_ptr<Session> session(new Session());
  HDB_ASSIGN(session->database_, Database::open(options.database, options.reading));
  if (options.lenient) session->database_->domains()->read_leniently();
  for (const std::string& note : session->database_->notes()) tell("note: " + note);
  warn_if_incomplete(options.database);
  if (options.media.scratch_dir.empty()) {
    options.media.scratch_dir = default_scratch_dir(options.database);
  }
  session->options_ = options;
  const Status calibrated = session->calibrate_for(word_of_results(options));
  if (!calibrated.ok()) return of_result_medium(options, calibrated.error());
  if (spills_to_medium(options)) {
    const Status of_medium = session->calibrate_for(options.limit_rule.spill);
    if (!of_medium.ok()) return of_spill(of_medium.error());
  }
  options.media = session->options_.media;
  HDB_TRY(session->renew_results());
  if (const std::string note = session->result_medium_->note(); !note.empty()) {
    tell(fmt::format("results: {}", note));
  }
  const Medium* const spill = session->spill_medium_.get();
  const bool is_told = spill == nullptr || spill->name() == session->result_medium_->name();
  if (!is_told && !spill->note().empty()) tell(fmt::format("beyond -w: {}", spill->note()));
  if (options.is_limit_what_is_left) tell_limit();
  session->options_ = std::move(options);
  return session;
}

Result<std::unique_ptr<Session>> Session::open(SessionOptions options) {
  RankJob* const job = options.job;
  const Sharing sharing = options.sharing;
  const std::string queries_hash = options.queries_hash;
  Result<std::unique_ptr<Session>> session = open_alone(std::move(options));
  if (job == nullptr) return session;
  Result<RankFacts> facts = session.ok() ? facts_of(*(*session)->database_, sharing.share)
                                         : Result<RankFacts>(session.error());
  if (facts.ok()) facts->queries = queries_hash;
  HDB_ASSIGN(Owners owners, agree_on_opening(*job, facts, sharing));
  Session& opened = **session;
  opened.ranks_ = std::make_unique<SharedPartitions>(*job, std::move(owners));
  if (job->rank() == 0) opened.commands_ = std::make_unique<RankCommands>(*opened.ranks_);
  return session;
}

Session::~Session() {
  const OutsideCodes* const outside =
      database_ == nullptr ? nullptr : database_->domains()->outside_codes();
  if (outside == nullptr) return;
  if (const std::string line = outside->line(); !line.empty()) tell("--lenient: " + line);
}

Result<std::unique_ptr<TablePlacement>> Session::place(const std::vector<std::string>& tables,
                                                       PlacementChoice choice) {
  if (ranks() != nullptr && choice.layout == Layout::kFlat)
    return usage_error("--layout flat: several ranks share partitions: take partitioned");
  if (commands_) HDB_TRY(commands_->place(tables, choice));
  if (choice.places.empty()) {
    HDB_ASSIGN(choice.places, places_in(tables));
  }
  if (choice.layout == Layout::kFlat) HDB_TRY(check_flat_places(choice.places));
  HDB_TRY(calibrate_for(choice.medium));
  for (const ColumnPlace& one : choice.places) HDB_TRY(calibrate_for(one.medium));
  MediumOptions media = media_beside_results();
  for (const PartitionDirectory& partition : database_->layout().partitions) {
    // Segments share a partition, whose directories are neighbours.
    const std::string name = partition.path.filename().string();
    if (media.partitions.empty() || media.partitions.back() != name)
      media.partitions.push_back(name);
  }
  // A flat table is made of the files, it is none of them.
  if (options_.pmem_keep && choice.layout == Layout::kPartitioned) {
    media.keep_database = options_.database;
  }
  HDB_ASSIGN(auto placement,
             TablePlacement::make(*database_, tables, choice, media, pools_.widest()));
  placement->share_between(ranks());
  tell_meters(placement->medium());
  for (const std::string& name : tables) {
    for (const std::string& line : placement->table(name).notes()) {
      if (printed_table_notes_.insert(line).second) tell("note: " + line);
    }
  }
  const std::string note = placement->medium().note();
  if (!note.empty() && note != last_medium_note_) tell(note);
  last_medium_note_ = note;
  return placement;
}

void Session::tell_meters(Medium& medium) {
  std::vector<Medium*> media = medium.parts();
  const bool any_host = std::any_of(media.begin(), media.end(),
                                    [](Medium* part) { return as_emulated(*part) == nullptr; });
  const bool works_on_devices = as_emulated(result_medium_of(medium)) != nullptr ||
                                (spill_medium_ && as_emulated(*spill_medium_) != nullptr);
  media.push_back(result_medium_.get());
  if (spill_medium_) media.push_back(spill_medium_.get());
  for (Medium* const part : media) {
    EmulatedMedium* const emulated = as_emulated(*part);
    if (emulated == nullptr) continue;
    emulated->meter()->set_host_columns(any_host);
    emulated->meter()->set_working_memory(works_on_devices);
  }
}

Result<std::vector<ColumnPlace>> Session::places_in(const std::vector<std::string>& tables) const {
  if (options_.places.empty()) return std::vector<ColumnPlace>{};
  if (options_.pmem_keep) {
    return usage_error("--pmem-keep: a whole database is kept, not columns: leave out --place");
  }
  std::vector<std::shared_ptr<Table>> opened;
  std::vector<const Table*> looked_at;
  for (const std::string& name : tables) {
    HDB_ASSIGN(auto table, database_->table(name, make_page_cache_store()));
    looked_at.push_back(table.get());
    opened.push_back(std::move(table));
  }
  HDB_TRY(check_places(options_.places, looked_at));
  return with_named_columns(options_.places, looked_at);
}

Status Session::renew_results() {
  if (commands_) HDB_TRY(commands_->renew_results());
  result_medium_.reset();
  spill_medium_.reset();
  auto made = make_medium(word_of_results(options_), options_.media);
  if (!made.ok()) return of_result_medium(options_, made.error());
  result_medium_ = std::move(*made);
  return make_spill();
}

Status Session::make_spill() {
  if (spills_to_medium(options_)) {
    auto made = make_medium(options_.limit_rule.spill, media_beside_results());
    if (!made.ok()) return of_spill(made.error());
    spill_medium_ = std::move(*made);
  } else if (options_.limit_rule.what == OnLimit::kSpill && !spill_file_) {
    auto made = spill_for(options_.media.scratch_dir);
    if (!made.ok()) {
      return of_spill(usage_error(fmt::format(
          "{}: give another directory by --scratch-dir or TMPDIR", made.error().message)));
    }
    spill_file_ = std::move(*made);
  }
  return ok_status();
}

// What a query waits for on these devices comes on top of what its columns cost.
MediumOptions Session::media_beside_results() const {
  MediumOptions media = options_.media;
  for (Medium* const one : {spill_medium_.get(), result_medium_.get()}) {
    EmulatedMedium* const emulated = one != nullptr ? as_emulated(*one) : nullptr;
    if (emulated != nullptr) media.emulation.meter = emulated->meter();
  }
  return media;
}

std::size_t Session::owned_partitions() {
  return ranks() != nullptr ? ranks()->owned() : database_->layout().partitions.size();
}

void Session::set_clock_offsets(const NetworkFigures& network) {
  clock_offsets_ms_.clear();
  for (const LinkFigures& link : network.by_rank) clock_offsets_ms_.push_back(link.clock_offset_ms);
}

void Session::note_ranks(const TimedRun& run, std::vector<RankCellTimes>& ranks) const {
  if (run.ranks.empty()) return;
  ranks.resize(run.ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const RankTimes& times = rank == 0 ? run.stats.rank : run.ranks[rank].times;
    const double began_ms = run.ranks[rank].begin_ms - clock_offsets_ms_[rank] - run.begin_ms;
    ranks[rank].begin.push_back(rank == 0 ? 0 : began_ms);
    ranks[rank].map.push_back(times.map_ms);
    ranks[rank].transfer.push_back(times.transfer_ms);
    // What is left of another rank's time it waited for rank 0.
    ranks[rank].wait.push_back(
        rank == 0 ? times.wait_ms : std::max(0.0, run.real_ms - times.map_ms - times.transfer_ms));
  }
}

void Session::trim_results() {
  trim_heap(result_medium_.get());
  trim_heap(spill_medium_.get());
}

void Session::trim_results_of(Medium& medium) {
  trim_results();
  trim_heap(&result_medium_of(medium));
  trim_heap(spill_medium_of(medium));
}

void Session::release_read_ahead() {
  if (!read_ahead_) return;
  const std::shared_ptr<Store> store = read_ahead_->store;
  read_ahead_.reset();
  store->release_passes();
}

Status Session::map_needed(const std::vector<ListedQuery>& queries, const BoundQueries& bound,
                           TablePlacement& placement, const Show& show) {
  if (commands_) HDB_TRY(commands_->bind(bound, true));
  Progress progress(fmt::format("reading into {}", placement.medium_name()));
  const auto show_part = [&](std::size_t done, std::size_t total, const std::string& table) {
    show ? show(done, total) : progress.show(done, total, table);
  };
  for (const std::string& name : tables_of(queries)) {
    NeededColumns needed(placement.table(name), placement.ranks());
    for (const auto& [id, query] : bound) needed.add(*query.table, *query.plan);
    if (placement.layout() == Layout::kPartitioned) {
      HDB_ASSIGN(const std::uint64_t bytes, needed.bytes(placement.codes()));
      // Rank 0 loads last, the others of a host at once.
      const std::size_t at_once =
          ranks_ && ranks_->rank() != 0 ? ranks_->job().count_on_host(1) : 1;
      HDB_TRY(placement.require_room(
          at_once * bytes,
          "take --medium nvme, fewer queries (--id), or a smaller database (gen --scale)"));
    }
    HDB_TRY(
        needed.map_all(pools_.widest(), *options_.stop,
                       [&](std::size_t done, std::size_t total) { show_part(done, total, name); }));
  }
  progress.hide();
  if (show) return ok_status();  // who shows the progress tells the notes
  for (const std::string& line : near_cache_lines(placement.medium())) tell(line);
  return ok_status();
}

Prefetcher& Session::prefetcher_of(Medium& medium) {
  if (!read_ahead_ || read_ahead_->store != medium.store()) {
    read_ahead_ = std::make_unique<ReadAhead>(medium.store(), pools_.cpus());
    const std::string& note = read_ahead_->prefetcher.note();
    if (note != read_ahead_note_) tell(note);
    read_ahead_note_ = note;
  }
  return read_ahead_->prefetcher;
}

Result<MediumOptions> Session::media_for(const std::string& medium) {
  HDB_ASSIGN(const MediumSpec parsed, parse_medium_spec(medium));
  HDB_TRY(count_data_for(parsed));
  return options_.media;
}

Status Session::count_data_for(const MediumSpec& word) {
  std::uint64_t& known = options_.media.emulation.data_bytes;
  const auto near = word.options.find("near");
  if (known != 0 || near == word.options.end() || !near->second.ends_with('%')) return ok_status();
  std::uint64_t bytes = 0;
  for (const std::string& name : database_->table_names()) {
    HDB_ASSIGN(const auto files, database_->column_files(name));
    for (const std::filesystem::path& file : files) {
      std::error_code error;
      const std::uintmax_t size = std::filesystem::file_size(file, error);
      if (!error) bytes += size;  // a missing column is reported by the query that reads it
    }
  }
  known = bytes;
  return ok_status();
}

Status Session::calibrate_for(const std::string& medium) {
  HDB_ASSIGN(const MediumSpec parsed, parse_medium_spec(medium));
  HDB_TRY(count_data_for(parsed));
  if (calibrated_ || !is_emulated(parsed)) return ok_status();
  HDB_TRY(check_emulated(parsed));
  HDB_ASSIGN(options_.media.emulation.host, calibrate_host(pools_, options_.ceiling_bytes));
  options_.media.emulation.last_level_cache_bytes =
      last_level_bytes(read_host(pools_.all_threads()));
  calibrated_ = true;
  return ok_status();
}

Medium& Session::result_medium_of(Medium& medium) {
  // In Memory Mode there is no other memory.
  const bool keeps_results = options_.result_medium.empty() &&
                             as_emulated(*medium.parts().front()) != nullptr &&
                             medium.name().starts_with("memory-mode");
  return keeps_results ? medium : same_device(medium, *result_medium_);
}

// One word is one device, whether columns, results or what goes beyond -w lie on it.
Medium& Session::same_device(Medium& medium, Medium& own) {
  for (Medium* const part : medium.parts()) {
    if (as_emulated(*part) != nullptr && part->name() == own.name()) return *part;
  }
  return own;
}

Medium* Session::spill_medium_of(Medium& medium) {
  if (!spill_medium_) return nullptr;
  return &same_device(result_medium_of(medium), same_device(medium, *spill_medium_));
}

Result<PlacementProof> Session::verify_results(Medium& medium) {
  if (commands_) HDB_TRY(commands_->verify_placement());
  return result_medium_of(medium).verify_placement();
}

Result<std::optional<PlacementProof>> Session::verify_spill(Medium& medium) {
  std::optional<PlacementProof> proof;
  if (Medium* const spill = spill_medium_of(medium)) {
    HDB_ASSIGN(proof, spill->verify_placement());
  }
  return proof;
}

std::uint64_t Session::limit_bytes(const Setting& setting, Medium& medium) {
  if (setting.limit_mib != 0 || !options_.is_limit_what_is_left) return setting.limit_mib << 20;
  // Persistent memory's space is its own: it says itself when it is full.
  Medium& results = result_medium_of(medium);
  if (!results.emulated() && results.name().starts_with("app-direct")) return 0;
  const auto* heap = dynamic_cast<const RegionHeap*>(&results.results());
  const auto left = memory_left();
  if (!left || heap == nullptr) return 0;
  // What the heap keeps of earlier results is used again, or given back for what it does not fit.
  const std::size_t ranks_here = ranks_ ? ranks_->job().count_on_host(0) : 1;
  return std::max<std::uint64_t>((left->bytes + heap->cached_bytes()) / ranks_here, 1);
}

std::vector<EmulatedMeter*> Session::meters_of(Medium& medium) {
  std::vector<EmulatedMeter*> meters;
  std::vector<Medium*> charged = medium.parts();
  charged.push_back(&result_medium_of(medium));
  if (Medium* const spill = spill_medium_of(medium)) charged.push_back(spill);
  for (Medium* const one : charged) {
    EmulatedMedium* const emulated = as_emulated(*one);
    if (emulated == nullptr) continue;
    EmulatedMeter* const meter = emulated->meter().get();
    if (std::find(meters.begin(), meters.end(), meter) == meters.end()) meters.push_back(meter);
  }
  return meters;
}

Status Session::announce(const BoundQueries& bound) {
  return commands_ ? commands_->bind(bound, false) : ok_status();
}

Result<CacheProof> Session::prepare(TablePlacement& placement, Cache cache) {
  CacheProof others;
  if (commands_) {
    HDB_ASSIGN(others, commands_->prepare(cache));
  }
  HDB_ASSIGN(CacheProof proof, placement.medium().prepare(cache));
  proof.bytes_total += others.bytes_total;
  proof.bytes_resident += others.bytes_resident;
  return proof;
}

Result<TimedRun> Session::run(const BoundQuery& query, const Setting& setting, Medium& medium,
                              KeepUnpacked keep, const Ready& ready) {
  const std::atomic<bool>& stop = *options_.stop;
  const std::vector<EmulatedMeter*> charged = meters_of(medium);
  ThreadPool& pool = pools_.of(setting.threads);
  TimedRun run;
  Medium* const spill = spill_medium_of(medium);
  run.workspace =
      std::make_unique<Workspace>(limit_bytes(setting, medium), result_medium_of(medium).results(),
                                  spill != nullptr ? &spill->results() : spill_file_.get());
  ExecuteSettings settings;
  settings.mode = setting.mode;
  settings.use_index = setting.attr == AttrUse::kParted;
  settings.stop = &stop;
  settings.keep_unpacked = keep;
  settings.prefetcher = setting.prefetch == Prefetch::kOn ? &prefetcher_of(medium) : nullptr;
  Meters meters(charged);
  if (charged.size() == 1) settings.meter = charged.front();
  if (charged.size() > 1) settings.meter = &meters;

  pool.wake();
  settings.ranks = ranks();
  RankCommands* const others = settings.ranks != nullptr ? commands() : nullptr;
  if (others != nullptr) HDB_TRY(others->begin_run(query, setting));
  if (ready) HDB_TRY(ready());
  const PageCounters counters_before = read_page_counters();
  for (EmulatedMeter* const meter : charged) meter->begin(setting.threads, &stop);
  run.begin_ms = clock_ms();
  const auto begin = std::chrono::steady_clock::now();
  // CPU time is that of the time between, so it is read within it.
  const double cpu_before_ms = process_cpu_ms();
  Result<ResultTable> result =
      execute(*query.table, *query.plan, settings, pool, *run.workspace, &run.stats);
  for (EmulatedMeter* const meter : charged) run.emulations.push_back(meter->settle());
  const double cpu_ms = process_cpu_ms() - cpu_before_ms;
  const auto end = std::chrono::steady_clock::now();
  if (others != nullptr) run.ranks = others->take_runs();
  // A wait that was cut short makes no figure.
  if (!charged.empty() && stop) return usage_error("interrupted");
  const PageCounters counted = read_page_counters().since(counters_before);

  run.real_ms = std::chrono::duration<double, std::milli>(end - begin).count();
  run.cpu_ms = known_cpu_ms(cpu_ms, static_cast<double>(pool.size()) * run.real_ms);
  for (const EmulationResult& emulation : run.emulations) {
    run.real_ms = std::max(run.real_ms, static_cast<double>(emulation.modelled_ns) * 1e-6);
  }
  for (const RankRun& other : run.ranks) {
    // An emulated device's waits end there, when rank 0 has the result.
    if (!charged.empty()) run.real_ms = std::max(run.real_ms, other.real_ms);
    run.stats.bytes_unpacked += other.bytes_unpacked;
  }
  run.major_faults = counted.major_faults;
  run.minor_faults = counted.minor_faults;
  run.device_bytes = counted.device_bytes_read;
  run.used_bytes = run.workspace->used_bytes();
  run.peak_bytes = run.workspace->peak_bytes();
  for (std::size_t rank = 1; rank < run.ranks.size(); ++rank) add_rank(run.ranks[rank], run);
  run.spilled_bytes = run.workspace->spilled_bytes();
  if (result.ok()) {
    run.table = std::move(*result);
  } else if (result.error().kind == ErrorKind::kLimit) {
    run.limit_message = result.error().message;
  } else {
    return result.error();
  }
  return run;
}

}  // namespace hdbench::bench
