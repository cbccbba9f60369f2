#include "bench/storage/io_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>

#include "bench/base/interrupt.h"
#include "bench/base/statistics.h"
#include "bench/base/version.h"
#include "bench/storage/io_ceilings.h"
#include "bench/storage/io_ranks.h"
#include "bench/storage/io_target.h"
#include "engine/base/byte_stream.h"
#include "engine/base/bytes.h"
#include "engine/base/thread_pool.h"
#include "engine/base/write_guard.h"
#include "pmem/base/free_room.h"

namespace hdbench::bench {
namespace {

using Clock = std::chrono::steady_clock;
using OnStep = std::function<bool(std::size_t, std::size_t, std::string_view)>;

// Of the largest vectors, in memory at a time.
constexpr std::uint64_t kMemoryTimes = 3;
constexpr std::size_t kCeilingWriters = 8;
// Short operations tell enough in a part of the time.
constexpr double kShortPart = 0.25;
// Of what a cold test touches, that must have come from the device; of a warm one, that may.
constexpr double kColdLeast = 0.9;
constexpr double kWarmMost = 0.01;
// Between the seeds of ranks: more than all processes and files of one take.
constexpr std::uint64_t kSeedsOfRank = std::uint64_t{1} << 20;

// One test with so many processes, and what it has reports so far.
struct Cell {
  IoTest test;
  IoResult result;
  CeilingNeed ceiling;
  LatencyCounts latency;
  std::vector<double> spreads;
  std::vector<std::vector<double>> samples_of_ranks;
};

class IoRunner {
 public:
  IoRunner(IoRun& run, const ScratchTrees& trees, const OnStep& on_step, IoRanks& ranks)
      : run_(run), trees_(trees), on_step_(on_step), ranks_(ranks) {}

  Status run_all() {
    std::vector<std::vector<IoTest>> plans;  // a process count each
    for (const std::size_t processes : run_.options.processes)
      plans.push_back(choose_tests(run_.options, run_.targets, processes, run_.left_out));
    share_plans(plans);
    bool reads_device = false;
    for (const auto& tests : plans) {
      total_ += tests.size() * run_.options.reps;
      for (const IoTest& test : tests)
        reads_device = reads_device || test.ceiling == IoCeilingKind::kDeviceRead;
    }
    if (reads_device) HDB_TRY(ranks_.agree(make_ceiling_files()));
    for (std::size_t k = 0; k < plans.size(); ++k) {
      HDB_TRY(run_count(run_.options.processes[k], plans[k]));
    }
    run_.ceilings = ceilings_.all();
    return ok_status();
  }

 private:
  // Leaves what all ranks can run, and says what a rank lacks.
  void share_plans(std::vector<std::vector<IoTest>>& plans) {
    IoRankPlan mine{{ranks_.name(ranks_.rank()), run_.host, run_.targets}, {}};
    for (std::size_t k = 0; k < plans.size(); ++k) {
      for (const IoTest& test : plans[k])
        mine.tests.push_back(name_of(test, run_.options.processes[k]));
    }
    run_.left_out = ranks_.exchange_lines(run_.left_out);
    const std::vector<IoRankPlan> all = ranks_.exchange_plans(std::move(mine));
    std::map<std::string, std::size_t> able;  // how many ranks can run a test
    for (const IoRankPlan& one : all) {
      for (const std::string& name : one.tests) ++able[name];
      for (const IoTarget& target : one.rank.targets) {
        is_memory_ = is_memory_ || target.memory;
        is_direct_ = is_direct_ && target.direct_io;
      }
      if (all.size() > 1) run_.ranks.push_back(one.rank);
    }
    for (const IoRankPlan& one : all) {
      const std::size_t missing = able.size() - one.tests.size();
      if (missing == 0) continue;
      run_.left_out.push_back(fmt::format("{}: it cannot run {} of the ranks' {} tests",
                                          one.rank.name, missing, able.size()));
    }
    for (std::size_t k = 0; k < plans.size(); ++k) {
      std::erase_if(plans[k], [&](const IoTest& test) {
        return able[name_of(test, run_.options.processes[k])] < all.size();
      });
    }
  }

  // On each target, for the device's reads.
  Status make_ceiling_files() {
    const std::uint64_t elements = run_.vectors.huge / trees_.paths().size();
    for (const auto& tree : trees_.paths()) {
      ceiling_files_.push_back(tree / "ceiling");
      HDB_TRY(make_column(ceiling_files_.back(), {QType::kLong, elements, seed_}));
    }
    return ok_status();
  }

  Status run_count(std::size_t processes, const std::vector<IoTest>& tests) {
    processes_ = processes;
    vectors_ = vectors_a_process(run_.vectors, processes);
    // Columns to be read lie apart from what tests write and what is removed after each.
    HDB_ASSIGN(const auto directories, ranks_.agree(make_directories("columns", processes)));
    ColumnSet columns(directories, seed_);
    columns_ = &columns;
    std::vector<Cell> cells;
    for (const IoTest& test : tests) {
      cells.push_back(
          {test, blank_result(test, processes_, ranks_.count()), need_of(test), {}, {}, {}});
    }
    std::vector<Cell*> order;
    for (Cell& cell : cells) order.push_back(&cell);
    std::mt19937_64 random(run_.options.seed + processes);
    for (std::size_t rep = 0; rep < run_.options.reps && !cells.empty(); ++rep) {
      if (rep > 0 && !ranks_.agree(within_budget()).ok()) {
        run_.complete = false;
        break;
      }
      HDB_TRY(measure_ceilings(cells));
      std::shuffle(order.begin(), order.end(), random);
      for (Cell* cell : order) HDB_TRY(run_cell(*cell, rep));
    }
    for (Cell& cell : cells) run_.results.push_back(finished(cell));
    return ranks_.agree(remove(directories));
  }

  Status within_budget() const {
    const bool is_spent = run_.options.budget_s && seconds_since(begin_) > *run_.options.budget_s;
    return is_spent ? Status(usage_error("--budget: spent")) : ok_status();
  }

  // Before a step, on all ranks.
  Status go_on(std::string_view what) {
    return on_step_(done_, total_, what) ? ok_status() : Status(usage_error("interrupted"));
  }

  // One a process, spread over the targets.
  Result<std::vector<std::filesystem::path>> make_directories(const char* name,
                                                              std::size_t processes) {
    std::vector<std::filesystem::path> directories;
    for (std::size_t k = 0; k < processes; ++k) {
      const auto& tree = trees_.paths()[k % trees_.paths().size()];
      directories.push_back(tree / fmt::format("{}{}", name, k));
      if (::mkdir(directories.back().c_str(), 0700) != 0) {
        return file_error(directories.back(), "cannot make a directory", errno);
      }
    }
    return directories;
  }

  static Status remove(const std::vector<std::filesystem::path>& directories) {
    for (const auto& path : directories) {
      std::error_code failed;
      std::filesystem::remove_all(path, failed);
      if (failed) return file_error(path, "cannot be removed", failed.value());
    }
    return ok_status();
  }

  // Where the storage is memory, what would be held against a device is held against memory.
  CeilingNeed need_of(const IoTest& test) const {
    IoCeilingKind kind = test.ceiling;
    if (is_memory_ && kind == IoCeilingKind::kDeviceWrite) kind = IoCeilingKind::kMemoryWrite;
    if (is_memory_ && kind == IoCeilingKind::kDeviceRead) kind = IoCeilingKind::kMemoryRead;
    if (kind == IoCeilingKind::kNone || test.unit != "MB/s") return {};
    if (kind == IoCeilingKind::kDeviceRead || kind == IoCeilingKind::kDeviceWrite) {
      return {kind};
    }
    const std::uint64_t whole = run_.vectors.huge * 8 / processes_;
    const std::uint64_t bytes = touched_bytes(test, vectors_);
    return {kind, processes_, bytes == 0 ? whole : bytes};
  }

  Status measure_ceilings(const std::vector<Cell>& cells) {
    std::set<CeilingNeed> needs;
    for (const Cell& cell : cells) needs.insert(cell.ceiling);
    for (const CeilingNeed& need : needs) {
      if (need.kind == IoCeilingKind::kNone) continue;
      HDB_TRY(ranks_.agree(go_on("ceilings")));
      if (need.kind == IoCeilingKind::kDeviceRead) {
        ceilings_.measure_device_read(ceiling_files_);
      } else if (need.kind == IoCeilingKind::kDeviceWrite) {
        HDB_TRY(measure_device_write());
      } else {
        HDB_TRY(ceilings_.measure_memory(need));
      }
    }
    return ok_status();
  }

  // By the test that does so, with as many processes as a drive needs.
  Status measure_device_write() {
    if (!is_direct_) return ok_status();
    for (const IoTest& test : all_io_tests()) {
      if (test.test != "sequential-write" || !test.needs_direct() || test.block_bytes != kMiB)
        continue;
      const IoVectors vectors = vectors_a_process(run_.vectors, kCeilingWriters);
      HDB_ASSIGN(const std::vector<ProcessFigures> reports,
                 run_group(test, kCeilingWriters, vectors, {}));
      ceilings_.add({IoCeilingKind::kDeviceWrite}, mb_per_s(reports));
    }
    return ok_status();
  }

  // The processes' own directories are there while they work only.
  Result<std::vector<ProcessFigures>> run_group(const IoTest& test, std::size_t processes,
                                                const IoVectors& vectors,
                                                std::span<const MadeColumn> columns) {
    HDB_ASSIGN(const auto directories, ranks_.agree(make_directories("work", processes)));
    const bool is_short = test.group == "metadata" || test.group == "cpu";
    const double seconds = run_.options.pass_seconds * (is_short ? kShortPart : 1);
    auto reports = ranks_.run(processes, seconds, [&](Worker& worker) {
      const std::size_t k = worker.index();
      Worker::name_place(directories[k].string());
      const std::size_t files = columns.empty() ? 0 : test.files;
      const IoTask task{&test,   directories[k], directories.front(),
                        vectors, seed_ + k,      columns.subspan(k * files, files)};
      return test.work(worker, task);
    });
    static_cast<void>(remove(directories));
    return reports;
  }

  Status run_cell(Cell& cell, std::size_t rep) {
    HDB_TRY(ranks_.agree(go_on(cell.result.name)));
    ++done_;
    if (cell.result.error) return ok_status();
    std::vector<MadeColumn> columns;
    if (cell.test.reads_column()) {
      HDB_ASSIGN(columns, ranks_.agree(columns_of(cell)));
      prove_cache(cell, columns, rep);
      if (cell.result.error) return ok_status();
    }
    const auto written_before = bytes_written();
    HDB_ASSIGN(const std::vector<ProcessFigures> reports,
               run_group(cell.test, processes_, vectors_, columns));
    const auto written_after = bytes_written();
    add_figures(cell, reports);
    raise_ceiling(cell);
    if (written_before && written_after && !cell.test.sync.empty()) {
      cell.result.device_bytes_written =
          cell.result.device_bytes_written.value_or(0) + *written_after - *written_before;
    }
    return ok_status();
  }

  // A file that is gone ends the run.
  Result<std::vector<MadeColumn>> columns_of(const Cell& cell) {
    HDB_ASSIGN(std::vector<MadeColumn> columns,
               columns_->get(cell.result.vector, cell.test.type,
                             elements_of(vectors_, cell.test.vector), cell.test.files));
    for (const MadeColumn& column : columns) {
      HDB_ASSIGN([[maybe_unused]] const OpenFile there, open_file(column.path));
    }
    return columns;
  }

  // A state that cannot be proved, on some rank, leaves out the test. All ranks' proofs are one.
  void prove_cache(Cell& cell, const std::vector<MadeColumn>& columns, std::size_t rep) {
    IoResult& result = cell.result;
    const bool cold = cell.test.cache == "cold";
    if (!cold && cell.test.cache != "warm") return;
    const auto proof = ranks_.agree(make_columns(cold ? Cache::kCold : Cache::kWarm, columns));
    if (!proof.ok()) {
      result.error = proof.error().message;
      return;
    }
    ByteSink mine;
    mine.put(*proof);
    result.resident_of = 0;
    std::uint64_t resident = 0;
    for (const auto& bytes : ranks_.gather(mine.bytes())) {
      const auto one = ByteSource(bytes).take<CacheProof>();
      result.resident_of += one.bytes_total;
      resident += one.bytes_resident;
    }
    const auto [least, most] =
        std::minmax({rep == 0 ? resident : result.resident_before, resident});
    result.resident_before = cold ? most : least;
  }

  // Of several ranks nothing: who shares a device with whom is not known.
  std::optional<std::uint64_t> bytes_written() const {
    if (ranks_.count() > 1) return std::nullopt;
    std::uint64_t bytes = 0;
    std::set<std::string> seen;
    for (const IoTarget& target : run_.targets) {
      if (!seen.insert(target.device).second) continue;
      const auto one = bytes_written_to(target.device);
      if (!one) return std::nullopt;
      bytes += *one;
    }
    return bytes;
  }

  // What a test itself moved past the page cache, the device gives.
  void raise_ceiling(const Cell& cell) {
    const IoResult& result = cell.result;
    if (result.engine != "direct" || result.unit != "MB/s" || result.samples.empty()) return;
    const double mb_s = result.samples.back();
    if (mb_s > ceilings_.best_mb_s(cell.ceiling)) ceilings_.add(cell.ceiling, mb_s);
  }

  void add_figures(Cell& cell, const std::vector<ProcessFigures>& reports) const {
    IoResult& result = cell.result;
    if (result.samples.empty()) result.device_bytes_read = 0;
    result.checked = true;
    for (const ProcessFigures& one : reports) {
      result.bytes += one.bytes;
      result.operations += one.operations;
      result.major_faults += one.major_faults;
      result.checksum += one.checksum;
      result.checked = result.checked && one.checked;
      if (!one.device_bytes_known) result.device_bytes_read.reset();
      if (result.device_bytes_read) *result.device_bytes_read += one.device_bytes_read;
      cell.latency.add(one.latency);
    }
    result.seconds += wall_seconds(reports);
    const auto figure_of = [&](std::span<const ProcessFigures> some) {
      return cell.test.unit == "ms" ? ms_per_operation(some) : mb_per_s(some);
    };
    result.samples.push_back(figure_of(reports));
    cell.spreads.push_back(spread_of(reports));
    cell.samples_of_ranks.resize(run_.ranks.size());
    for (std::size_t first = 0; first < reports.size() && !run_.ranks.empty(); first += processes_)
      cell.samples_of_ranks[first / processes_].push_back(
          figure_of(std::span(reports).subspan(first, processes_)));
  }

  IoResult finished(Cell& cell) const {
    IoResult result = std::move(cell.result);
    if (result.samples.empty()) return result;
    result.median = median(result.samples);
    result.interval = median_interval({result.samples});
    result.process_spread = median(cell.spreads);
    for (const auto& samples : cell.samples_of_ranks)
      if (!samples.empty()) result.rank_medians.push_back(median(samples));
    result.iops = static_cast<double>(result.operations) / result.seconds;
    result.latency = {
        cell.latency.percentile(0.5),   cell.latency.percentile(0.9), cell.latency.percentile(0.99),
        cell.latency.percentile(0.999), cell.latency.max(),           cell.latency.mean()};
    result.ceiling = IoCeilingRounds::name_of(cell.ceiling);
    result.ceiling_mb_s = ceilings_.best_mb_s(cell.ceiling);
    result.above_ceiling = result.ceiling_mb_s > 0 && result.median > result.ceiling_mb_s;
    check_device(result);
    return result;
  }

  // Cold bytes come from the device and warm ones do not: as the kernel counted.
  static void check_device(IoResult& result) {
    if (!result.device_bytes_read || result.bytes == 0) return;
    const std::uint64_t device = *result.device_bytes_read;
    const double part = static_cast<double>(device) / static_cast<double>(result.bytes);
    const bool is_wrong = (result.cache == "cold" && part < kColdLeast) ||
                          (result.cache == "warm" && part > kWarmMost);
    if (!is_wrong) return;
    result.error = fmt::format("{}: {} of {} bytes came from the device, as the kernel counts",
                               result.cache, device, result.bytes);
  }

  IoRun& run_;
  const ScratchTrees& trees_;
  const OnStep& on_step_;
  IoRanks& ranks_;
  const std::uint64_t seed_ = run_.options.seed + ranks_.rank() * kSeedsOfRank;
  bool is_memory_ = false;  // a target of some rank
  bool is_direct_ = true;   // all targets of all ranks
  const Clock::time_point begin_ = Clock::now();
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::vector<std::filesystem::path> ceiling_files_;
  IoCeilingRounds ceilings_{ranks_};
  // Of the process count that is run.
  std::size_t processes_ = 1;
  IoVectors vectors_;
  ColumnSet* columns_ = nullptr;
};

// What ranks must have in common.
std::string common_text(const IoOptions& options) {
  return fmt::format(
      "hdbench {} ({}) io --processes {} --size {} --reps {} --seed {} --pass-seconds {} --budget "
      "{} "
      "--tests {}{}",
      version(), commit(), fmt::join(options.processes, ","), options.bytes / kMiB, options.reps,
      options.seed, options.pass_seconds, options.budget_s.value_or(0), shell_word(options.tests),
      options.quick ? " --quick" : "");
}

// Nothing is written into a database. `ranks`: so many have what one needs of this host.
Status check_targets(const IoOptions& options, std::size_t ranks) {
  std::uint64_t most = 0;
  bool is_empty = true;
  std::vector<std::string> ignored;
  for (const std::size_t processes : options.processes) {
    const auto tests = choose_tests(options, {}, processes, ignored);
    most = std::max(most, disk_bytes(tests, vectors_of(options.bytes), processes));
    is_empty = is_empty && tests.empty();
  }
  if (is_empty) {
    return usage_error(fmt::format("--tests: no test's name matches '{}'", options.tests));
  }
  for (const auto& target : options.targets) {
    if (!std::filesystem::is_directory(target)) {
      const bool there = ::access(target.c_str(), F_OK) == 0;
      return data_error(
          fmt::format("{}: {}", target.string(),
                      there ? "is not a directory" : std::generic_category().message(errno)));
    }
    HDB_TRY(check_outside_databases("PATH", target));
    HDB_TRY(require_room_on_disk(target, ranks * most / options.targets.size()));
  }
  return require_memory("io", ranks * kMemoryTimes * options.bytes);
}

Status look_at_targets(IoRun& run, const ScratchTrees& trees) {
  for (std::size_t k = 0; k < trees.paths().size(); ++k) {
    HDB_ASSIGN(IoTarget target, look_at_target(run.options.targets[k], trees.paths()[k]));
    run.targets.push_back(std::move(target));
  }
  return ok_status();
}

}  // namespace

Result<std::vector<std::string>> list_io(const IoOptions& options) {
  HDB_ASSIGN(const IoOptions checked, checked_options(options));
  std::vector<std::string> names;
  std::vector<std::string> ignored;
  for (const std::size_t processes : checked.processes) {
    for (const IoTest& test : choose_tests(checked, {}, processes, ignored)) {
      names.push_back(name_of(test, processes));
    }
  }
  return names;
}

Result<IoRun> run_io(const IoOptions& options, const OnStep& on_step, Ranks* job) {
  IoRanks ranks(job);
  IoRun run;
  HDB_ASSIGN(run.options, ranks.agree(checked_options(options)));
  run.host = read_host(usable_cpus().size());
  HDB_ASSIGN(const std::size_t here, ranks.meet(common_text(run.options), run.host.host_name));
  HDB_TRY(ranks.agree(check_targets(run.options, here)));
  const auto begin = Clock::now();
  run.vectors = vectors_of(run.options.bytes);
  HDB_ASSIGN(const ScratchTrees trees, ranks.agree(ScratchTrees::make(run.options.targets)));
  HDB_TRY(ranks.agree(look_at_targets(run, trees)));
  HDB_TRY(IoRunner(run, trees, on_step, ranks).run_all());
  run.elapsed_s = seconds_since(begin);
  return run;
}

}  // namespace hdbench::bench
