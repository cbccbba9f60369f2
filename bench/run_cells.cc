#include "bench/run_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "bench/checksum_ledger.h"
#include "bench/codes_saving.h"
#include "bench/host.h"
#include "bench/progress.h"
#include "engine/exec/query_input.h"

namespace hdbench {
namespace {

void take_stats(CellResult& cell, const TimedRun& run, const Table& table) {
  cell.rows_in = run.stats.rows_in;
  cell.bytes_read = run.stats.bytes_read;
  cell.bytes_written = run.stats.bytes_written;
  cell.used_bytes = run.used_bytes;
  cell.peak_workspace_bytes = std::max(cell.peak_workspace_bytes, run.peak_bytes);
  cell.spilled_bytes = std::max(cell.spilled_bytes, run.spilled_bytes);
  cell.major_faults = std::max(cell.major_faults, run.major_faults);
  if (run.device_bytes) {
    cell.device_bytes = std::max(cell.device_bytes.value_or(0), *run.device_bytes);
  }
  const auto& fields = table.schema().fields;
  cell.bytes_read_by_column.clear();
  for (std::size_t field = 0; field < run.stats.bytes_read_by_field.size(); ++field) {
    const std::uint64_t bytes = run.stats.bytes_read_by_field[field];
    if (bytes != 0) cell.bytes_read_by_column.emplace_back(fields[field].name, bytes);
  }
}

void take_proof(CellResult& cell, const CacheProof& proof, bool is_first) {
  cell.held_bytes = proof.bytes_total;
  cell.resident_max_bytes = std::max(cell.resident_max_bytes, proof.bytes_resident);
  cell.resident_min_bytes =
      is_first ? proof.bytes_resident : std::min(cell.resident_min_bytes, proof.bytes_resident);
}

std::size_t ceiling_bytes(Session& session) {
  const std::size_t asked = session.options().ceiling_bytes;
  return asked != 0 ? asked : probe_bytes(read_host(session.pools().all_threads()));
}

using Plans = std::map<int, Plan>;

// The cells of one placement while they are run: all settings of the first query list, setting by
// setting.
struct PlacementRun {
  TablePlacement& placement;
  const Plans& plans;
  const std::vector<Setting>& settings;
  std::vector<CellResult> cells;
  // What the medium was last made, and its proof.
  std::optional<Cache> prepared;
  CacheProof proof;
};

class MatrixRun {
 public:
  MatrixRun(Session& session, const std::vector<ListedQuery>& queries, const AxisLists& lists,
            std::size_t repetitions, const PeerOptions& peers)
      : session_(session),
        queries_(queries),
        lists_(lists),
        repetitions_(repetitions),
        peers_(peers),
        ceilings_(ceiling_bytes(session)) {}

  RunOutcome run() {
    const Status status = run_all();
    if (!status.ok()) outcome_.error = status.error();
    outcome_.ceilings.memory = ceilings_.ceilings();
    return std::move(outcome_);
  }

 private:
  struct ProbedMedium {
    std::string name;
    std::vector<Layout> layouts;
    bool has_cache = false;
  };

  Status run_all() {
    HDB_ASSIGN(const std::vector<ProbedMedium> media, probe_media());
    const bool cold = has_cold_cells(media);
    if (cold) HDB_TRY(look_at_device());
    for (const ProbedMedium& medium : media) {
      for (const Layout layout : medium.layouts) {
        for (const Codes codes : lists_.codes) HDB_TRY(run_placement(medium.name, layout, codes));
      }
    }
    return cold ? look_at_device() : ok_status();
  }

  bool has_cold_cells(const std::vector<ProbedMedium>& media) const {
    const auto& caches = lists_.caches;
    return std::find(caches.begin(), caches.end(), Cache::kCold) != caches.end() &&
           std::any_of(media.begin(), media.end(),
                       [](const ProbedMedium& medium) { return medium.has_cache; });
  }

  // Before the first cell and after the last one: nothing is held then.
  Status look_at_device() {
    std::vector<std::filesystem::path> files;
    for (const std::string& name : tables_of(queries_)) {
      HDB_ASSIGN(const auto of_table, session_.database().column_files(name));
      files.insert(files.end(), of_table.begin(), of_table.end());
    }
    measure_device(files, outcome_.ceilings.device);
    return ok_status();
  }

  // All of them before anything is run: an unknown name must not come up an hour later.
  Result<std::vector<ProbedMedium>> probe_media() {
    std::vector<ProbedMedium> media;
    for (const std::string& name : lists_.media) {
      const auto probe = make_medium(name, session_.options().media);
      if (probe.ok()) {
        media.push_back({name,
                         lists_.layouts ? *lists_.layouts : default_layouts((*probe)->has_cache()),
                         (*probe)->has_cache()});
      } else if (probe.error().kind == ErrorKind::kData) {
        leave_out(probe.error().message);
      } else {
        return probe.error();
      }
    }
    return media;
  }

  Status run_placement(const std::string& medium, Layout layout, Codes codes) {
    if (*session_.options().stop) return usage_error("interrupted");
    HDB_ASSIGN(const std::unique_ptr<TablePlacement> placement,
               session_.place(tables_of(queries_), medium, layout, codes));
    HDB_ASSIGN(const Plans plans, bind_all(queries_, *placement));
    HDB_TRY(session_.map_needed(queries_, plans, *placement));
    if (outcome_.table_rows.empty()) count_rows(*placement);

    for (const std::string& line : saving_lines(queries_, plans, *placement)) {
      add_once(outcome_.codes_saved, line);
    }

    const PlacementCells cells = expand(lists_, {medium, layout, placement->medium().has_cache(),
                                                 placement->has_parted_column(), codes});
    for (const std::string& line : cells.left_out) leave_out(line);
    note_compressed(*placement, plans);
    if (!placement->medium().has_cache() && lists_.caches == std::vector{Cache::kCold}) {
      leave_out(fmt::format("cache:cold, medium:{}: memory has no cold state, its cells are warm",
                            medium));
    }
    PlacementRun run{*placement, plans, cells.settings, {}, std::nullopt, {}};
    const bool has_peers =
        medium == "dram" && layout == Layout::kFlat && codes == lists_.codes.front();
    PeerCells peers(has_peers ? peers_ : PeerOptions{}, session_.options().database, lists_.threads,
                    queries_, *session_.options().stop);
    std::string title = fmt::format("{} {}", medium, word(layout));
    if (codes == Codes::kNarrow) title += " narrow";
    Status status = peers.load();
    if (status.ok()) status = repeat(run, peers, title);
    ceilings_.release();  // room for the next tables
    keep_run(run.cells, outcome_.cells);
    keep_run(peers.cells(), outcome_.peer_cells);
    for (const std::string& line : peers.left_out()) leave_out(line);
    return status.ok() ? peers.same_results() : status;
  }

  static void keep_run(std::vector<CellResult>& cells, std::vector<CellResult>& kept) {
    for (CellResult& cell : cells) {
      if (!cell.real_ms.empty() || cell.error) kept.push_back(std::move(cell));
    }
  }

  // Every cell once a repetition, so that a machine that slows down slows all settings alike.
  // Before the first, every warm cell runs once untimed, and so does every query: the first touch
  // of the heap's pages is nobody's figure. Each round begins with the machine's ceilings; the
  // first one maps their memory before anything is made warm. The peers have their turn at the end
  // of each.
  Status repeat(PlacementRun& run, PeerCells& peers, const std::string& title) {
    for (const Setting& setting : run.settings) {
      for (const ListedQuery& listed : queries_)
        run.cells.push_back(make_cell(run.placement, listed, setting));
    }
    const std::size_t total = run.cells.size() * (repetitions_ + 1);
    for (std::size_t round = 0; round <= repetitions_; ++round) {
      HDB_TRY(run_round(run, round, total, title));
      HDB_TRY(round == 0 ? peers.verify(ledger_) : peers.repeat());
    }
    return ok_status();
  }

  Status run_round(PlacementRun& run, std::size_t round, std::size_t total,
                   const std::string& title) {
    Progress progress(title);
    const bool counts = round != 0;
    progress.show(round * run.cells.size(), total, "ceilings");
    HDB_TRY(ceilings_.measure(session_.pools(), lists_.threads));
    for (std::size_t i = 0; i < run.cells.size(); ++i) {
      CellResult& cell = run.cells[i];
      progress.show(round * run.cells.size() + i, total, cell.name());
      if (cell.error) continue;
      const bool first_setting = i < queries_.size();
      if (!counts && cell.setting.cache == Cache::kCold && !first_setting) continue;
      HDB_TRY(run_cell(run, queries_[i % queries_.size()], counts, cell));
    }
    return ok_status();
  }

  // However many media have it.
  static void add_once(std::vector<std::string>& lines, const std::string& line) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  void leave_out(const std::string& line) { add_once(outcome_.left_out, line); }

  // Whether a plan reads a column that is compressed on disk. Its columns were mapped before.
  static bool reads_compressed(const Table& table, const Plan& plan) {
    const std::vector<bool> needed = fields_read(table.schema(), plan);
    for (const std::size_t part : parts_left(table, plan)) {
      for (std::size_t field = 0; field < needed.size(); ++field) {
        if (!needed[field]) continue;
        const auto column = table.column(part, field);
        if (column.ok() && !(*column)->mapped) return true;
      }
    }
    return false;
  }

  void note_compressed(TablePlacement& placement, const Plans& plans) {
    if (placement.layout() != Layout::kPartitioned) return;
    for (const ListedQuery& listed : queries_) {
      const std::string& name = listed.query.table_name();
      if (!reads_compressed(placement.table(name), plans.at(listed.id))) continue;
      leave_out(
          fmt::format("decompression of {}: its columns are compressed; all media hold them "
                      "unpacked beforehand",
                      name));
    }
  }

  // For the report's head: partitions that cannot be counted (a column file is missing) count
  // nothing; queries that need them say what is wrong.
  void count_rows(const TablePlacement& placement) {
    for (const std::string& name : tables_of(queries_)) {
      const Table& table = placement.table(name);
      std::uint64_t rows = 0;
      for (std::size_t part = 0; part < table.part_count(); ++part) {
        const auto part_rows = table.rows(part);
        if (part_rows.ok()) rows += *part_rows;
      }
      outcome_.table_rows.emplace_back(name, rows);
    }
  }

  static CellResult make_cell(TablePlacement& placement, const ListedQuery& listed,
                              const Setting& setting) {
    CellResult cell;
    cell.query = listed.id;
    cell.text = listed.query.text();
    cell.setting = setting;
    cell.emulated = placement.medium().emulated();
    cell.medium_label = placement.medium().label();
    return cell;
  }

  // Cold is made before every run; warm when the run before was not warm.
  Status prepare(PlacementRun& run, CellResult& cell) {
    const Cache cache = cell.setting.cache;
    if (cache == Cache::kCold || run.prepared != cache) {
      HDB_ASSIGN(run.proof, run.placement.medium().prepare(cache));
      run.prepared = cache;
    }
    take_proof(cell, run.proof, cell.real_ms.empty());
    return ok_status();
  }

  Status run_cell(PlacementRun& placed, const ListedQuery& listed, bool counts, CellResult& cell) {
    const Table& table = placed.placement.table(listed.query.table_name());
    if (counts) HDB_TRY(prepare(placed, cell));
    HDB_ASSIGN(const TimedRun run, session_.run(table, placed.plans.at(listed.id), cell.setting,
                                                &placed.placement.medium()));
    if (!counts && run.table) return ok_status();
    take_stats(cell, run, table);
    if (!run.table) {
      cell.error = run.limit_message;
      if (session_.options().on_limit != OnLimit::kExit) return ok_status();
      return Error{ErrorKind::kLimit, cell.name() + ": " + *cell.error, {}};
    }
    cell.real_ms.push_back(run.real_ms);
    cell.cpu_ms.push_back(run.cpu_ms);
    cell.rows_out = run.table->rows;
    cell.checksum = checksum(*run.table);
    const Status same = ledger_.add(listed.id, cell.name(), *cell.checksum);
    if (!same.ok()) cell.error = same.error().message;
    return same;
  }

  Session& session_;
  const std::vector<ListedQuery>& queries_;
  const AxisLists& lists_;
  std::size_t repetitions_;
  const PeerOptions& peers_;
  CeilingRounds ceilings_;
  ChecksumLedger ledger_;
  RunOutcome outcome_;
};

}  // namespace

RunOutcome run_cells(Session& session, const std::vector<ListedQuery>& queries,
                     const AxisLists& lists, std::size_t repetitions, const PeerOptions& peers) {
  return MatrixRun(session, queries, lists, repetitions, peers).run();
}

}  // namespace hdbench
