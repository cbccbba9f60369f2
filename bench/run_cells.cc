#include "bench/run_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "bench/codes_saving.h"
#include "bench/host.h"
#include "bench/own_cells.h"
#include "bench/placement_notes.h"
#include "bench/placement_rounds.h"
#include "bench/scratch_device.h"
#include "engine/storage/page_cache_store.h"
#include "pmem/emulated_medium.h"
#include "pmem/nvme_medium.h"

namespace hdbench {
namespace {

std::size_t ceiling_bytes(const Session& session, const Host& host) {
  const std::size_t asked = session.options().ceiling_bytes;
  return asked != 0 ? asked : probe_bytes(host);
}

// However many media have it.
void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

void keep_run(std::vector<CellResult>& cells, std::vector<CellResult>& kept) {
  for (CellResult& cell : cells) {
    if (!cell.real_ms.empty() || cell.error) kept.push_back(std::move(cell));
  }
}

class MatrixRun {
 public:
  MatrixRun(Session& session, const std::vector<ListedQuery>& queries, const AxisLists& lists,
            std::size_t repetitions, const PeerOptions& peers)
      : session_(session),
        queries_(queries),
        lists_(lists),
        repetitions_(repetitions),
        peers_(peers),
        host_(read_host(session.pools().all_threads())),
        ceilings_(new_rounds()) {}

  RunOutcome run() {
    const Status status = run_all();
    if (!status.ok()) outcome_.error = status.error();
    outcome_.ceilings.memory = ceilings_.ceilings();
    outcome_.available_lowest_bytes = books_.memory.bytes();
    say_lowest();
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
    outcome_.available_before_bytes = available_memory();
    HDB_TRY(plan_for_peers());
    const bool cold = has_cold_cells(media);
    const bool reads_scratch = cold && has_scratch_cells(media);
    if (cold) HDB_TRY(look_at_devices(reads_scratch));
    for (const ProbedMedium& medium : media) {
      for (const Layout layout : medium.layouts) {
        for (const Codes codes : lists_.codes) HDB_TRY(run_placement(medium.name, layout, codes));
      }
    }
    return cold ? look_at_devices(reads_scratch) : ok_status();
  }

  Status plan_for_peers() {
    if (peers_.engines.empty()) return ok_status();
    PeerMemory memory;
    for (const std::string& name : tables_of(queries_)) {
      HDB_ASSIGN(const std::uint64_t bytes, flat_bytes(name));
      memory.table_bytes += bytes;
    }
    HDB_ASSIGN(memory.plan, plan_peers({peers_.engines, lists_.threads.size(), memory.table_bytes,
                                        2 * ceiling_bytes(session_, host_)},
                                       outcome_.available_before_bytes));
    fmt::print(stderr, "peers: {}\n", to_text(memory.plan));
    outcome_.peer_memory = std::move(memory);
    return ok_status();
  }

  // Of the table with its partition field, codes as stored.
  Result<std::uint64_t> flat_bytes(const std::string& name) {
    HDB_ASSIGN(const auto table, session_.database().table(name, make_page_cache_store()));
    std::uint64_t row_bytes = 0;
    for (const Field& field : table->schema().fields) row_bytes += type_width(field.type);
    return rows_of(*table) * row_bytes;
  }

  void say_lowest() const {
    const auto& lowest = outcome_.available_lowest_bytes;
    if (!outcome_.peer_memory || !lowest) return;
    fmt::print(stderr, "peers: {:.1f} GB of memory were available at the lowest\n",
               static_cast<double>(*lowest) / 1e9);
  }

  bool has_cold_cells(const std::vector<ProbedMedium>& media) const {
    const auto& caches = lists_.caches;
    return std::find(caches.begin(), caches.end(), Cache::kCold) != caches.end() &&
           std::any_of(media.begin(), media.end(),
                       [](const ProbedMedium& medium) { return medium.has_cache; });
  }

  // On a disk, flat tables and narrowed columns are scratch files.
  bool has_scratch_cells(const std::vector<ProbedMedium>& media) const {
    const auto has = [](const auto& list, auto value) {
      return std::find(list.begin(), list.end(), value) != list.end();
    };
    return std::any_of(media.begin(), media.end(), [&](const ProbedMedium& medium) {
      return medium.has_cache &&
             (has(medium.layouts, Layout::kFlat) || has(lists_.codes, Codes::kNarrow));
    });
  }

  // Before the first cell and after the last one: nothing is held then.
  Status look_at_devices(bool reads_scratch) {
    std::vector<std::filesystem::path> files;
    for (const std::string& name : tables_of(queries_)) {
      HDB_ASSIGN(const auto of_table, session_.database().column_files(name));
      files.insert(files.end(), of_table.begin(), of_table.end());
    }
    measure_device(files, outcome_.ceilings.device);
    if (!reads_scratch) return ok_status();
    const std::filesystem::path directory = scratch_dir_of(session_.options().media);
    if (!is_other_device(directory, files)) return ok_status();
    auto& scratch = outcome_.ceilings.scratch_device;
    if (!scratch) scratch.emplace();
    measure_scratch_device(directory, *scratch);
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
    HDB_ASSIGN(const auto plans, bind_all(queries_, *placement));
    HDB_TRY(session_.map_needed(queries_, plans, *placement));
    note(*placement, plans);

    OwnCells own(session_, queries_, plans, *placement, settings_of(*placement, medium));
    PeerCells peers(
        has_peers(medium, layout, codes) ? peers_ : PeerOptions{}, session_.options().database,
        lists_.threads, queries_, *session_.options().stop,
        outcome_.peer_memory ? outcome_.peer_memory->plan.scheme : PeerScheme::kTogether);
    std::string title = fmt::format("{} {}", medium, word(layout));
    if (codes == Codes::kNarrow) title += " narrow";
    CeilingRounds ceilings = new_rounds();
    const Status status = run_rounds({std::move(title), repetitions_, lists_.threads},
                                     {session_.pools(), ceilings, own, peers, books_});
    ceilings_.add(ceilings);
    outcome_.ceilings.placements.push_back({medium, layout, codes, ceilings.ceilings()});
    keep_run(own.cells(), outcome_.cells);
    keep_run(peers.cells(), outcome_.peer_cells);
    for (const std::string& line : peers.left_out()) leave_out(line);
    if (outcome_.peer_memory) keep_memory(peers);
    return status.ok() ? peers.same_results() : status;
  }

  void keep_memory(const PeerCells& peers) {
    books_.memory.take(peers.lowest().bytes());
    for (const PeerWorkerMemory& worker : peers.memory()) {
      outcome_.peer_memory->workers.push_back(worker);
    }
  }

  CeilingRounds new_rounds() const {
    return CeilingRounds(ceiling_bytes(session_, host_), last_level_bytes(host_));
  }

  // Once a run: beside hdbench's first dram/flat cells.
  bool has_peers(const std::string& medium, Layout layout, Codes codes) const {
    return medium == "dram" && layout == Layout::kFlat && codes == lists_.codes.front();
  }

  void note(TablePlacement& placement, const std::map<int, Plan>& plans) {
    if (outcome_.table_rows.empty()) outcome_.table_rows = rows_of_tables(queries_, placement);
    for (const std::string& line : saving_lines(queries_, plans, placement)) {
      add_once(outcome_.codes_saved, line);
    }
    if (const EmulatedMedium* const emulated = as_emulated(placement.medium())) {
      for (const std::size_t threads : lists_.threads) {
        for (const std::string& line : emulated->floors(threads))
          add_once(outcome_.host_floors, placement.medium_name() + ": " + line);
      }
    }
    for (const std::string& line : compressed_lines(queries_, plans, placement)) leave_out(line);
  }

  // What of the matrix can be run here; the rest is left out.
  std::vector<Setting> settings_of(TablePlacement& placement, const std::string& medium) {
    const bool has_cache = placement.medium().has_cache();
    const PlacementCells cells = expand(lists_, {medium, placement.layout(), has_cache,
                                                 placement.has_parted_column(), placement.codes()});
    for (const std::string& line : cells.left_out) leave_out(line);
    if (!has_cache && lists_.caches == std::vector{Cache::kCold}) {
      leave_out(fmt::format("cache:cold, medium:{}: memory has no cold state, its cells are warm",
                            medium));
    }
    return cells.settings;
  }

  void leave_out(const std::string& line) { add_once(outcome_.left_out, line); }

  Session& session_;
  const std::vector<ListedQuery>& queries_;
  const AxisLists& lists_;
  std::size_t repetitions_;
  const PeerOptions& peers_;
  Host host_;
  CeilingRounds ceilings_;  // of all placements
  RunBooks books_;
  RunOutcome outcome_;
};

}  // namespace

RunOutcome run_cells(Session& session, const std::vector<ListedQuery>& queries,
                     const AxisLists& lists, std::size_t repetitions, const PeerOptions& peers) {
  return MatrixRun(session, queries, lists, repetitions, peers).run();
}

}  // namespace hdbench
