#include "bench/run_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "bench/checksum_ledger.h"
#include "bench/progress.h"

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

class MatrixRun {
 public:
  MatrixRun(Session& session, const std::vector<ListedQuery>& queries, const AxisLists& lists,
            std::size_t repetitions)
      : session_(session), queries_(queries), lists_(lists), repetitions_(repetitions) {}

  RunOutcome run() {
    const Status status = run_all();
    if (!status.ok()) outcome_.error = status.error();
    return std::move(outcome_);
  }

 private:
  struct ProbedMedium {
    std::string name;
    std::vector<Layout> layouts;
  };

  Status run_all() {
    HDB_ASSIGN(const std::vector<ProbedMedium> media, probe_media());
    for (const ProbedMedium& medium : media) {
      for (const Layout layout : medium.layouts) HDB_TRY(run_placement(medium.name, layout));
    }
    return ok_status();
  }

  // All of them before anything is run: an unknown name must not come up an hour later.
  Result<std::vector<ProbedMedium>> probe_media() {
    std::vector<ProbedMedium> media;
    for (const std::string& name : lists_.media) {
      const auto probe = make_medium(name, session_.options().media);
      if (probe.ok()) {
        media.push_back(
            {name, lists_.layouts ? *lists_.layouts : default_layouts((*probe)->has_cache())});
      } else if (probe.error().kind == ErrorKind::kData) {
        leave_out(probe.error().message);
      } else {
        return probe.error();
      }
    }
    return media;
  }

  Status run_placement(const std::string& medium, Layout layout) {
    if (*session_.options().stop) return usage_error("interrupted");
    HDB_ASSIGN(const std::unique_ptr<TablePlacement> placement,
               session_.place(tables_of(queries_), medium, layout));
    using Plans = std::map<int, Plan>;
    HDB_ASSIGN(const Plans plans, bind_all(queries_, *placement));
    HDB_TRY(session_.map_needed(queries_, plans, *placement));
    if (outcome_.table_rows.empty()) HDB_TRY(count_rows(*placement));

    const PlacementCells cells = expand(
        lists_, {medium, layout, placement->medium().has_cache(), placement->has_parted_column()});
    for (const std::string& line : cells.left_out) leave_out(line);
    Progress progress(fmt::format("{} {}", medium, word(layout)));
    const std::size_t total = cells.settings.size() * queries_.size();
    std::size_t done = 0;
    for (const Setting& setting : cells.settings) {
      for (const ListedQuery& listed : queries_) {
        progress.show(done++, total, query_label(listed.id) + "/" + setting_name(setting));
        HDB_TRY(run_cell(*placement, listed, plans.at(listed.id), setting));
      }
    }
    return ok_status();
  }

  // Each reason once, however many media have it.
  void leave_out(const std::string& line) {
    std::vector<std::string>& lines = outcome_.left_out;
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }

  Status count_rows(const TablePlacement& placement) {
    for (const std::string& name : tables_of(queries_)) {
      const Table& table = placement.table(name);
      std::uint64_t rows = 0;
      for (std::size_t part = 0; part < table.part_count(); ++part) {
        HDB_ASSIGN(const std::uint64_t part_rows, table.rows(part));
        rows += part_rows;
      }
      outcome_.table_rows.emplace_back(name, rows);
    }
    return ok_status();
  }

  Status run_cell(TablePlacement& placement, const ListedQuery& listed, const Plan& plan,
                  const Setting& setting) {
    CellResult cell;
    cell.query = listed.id;
    cell.text = listed.query.text();
    cell.setting = setting;
    cell.emulated = placement.medium().emulated();
    cell.medium_label = placement.medium().label();
    const Table& table = placement.table(listed.query.table_name());
    for (std::size_t repetition = 0; repetition < repetitions_; ++repetition) {
      if (repetition == 0 || setting.cache == Cache::kCold) {
        HDB_ASSIGN(const CacheProof proof, placement.medium().prepare(setting.cache));
        take_proof(cell, proof, repetition == 0);
      }
      HDB_ASSIGN(const TimedRun run, session_.run(table, plan, setting));
      take_stats(cell, run, table);
      if (!run.table) {
        cell.rows_out.reset();
        cell.checksum.reset();
        cell.error = run.limit_message;
        break;
      }
      cell.real_ms.push_back(run.real_ms);
      cell.cpu_ms.push_back(run.cpu_ms);
      cell.rows_out = run.table->rows;
      cell.checksum = checksum(*run.table);
      const Status same = ledger_.add(listed.id, cell.name(), *cell.checksum);
      if (same.ok()) continue;
      cell.error = same.error().message;
      outcome_.cells.push_back(std::move(cell));
      return same.error();
    }
    outcome_.cells.push_back(std::move(cell));
    const CellResult& last = outcome_.cells.back();
    if (last.error && session_.options().on_limit == OnLimit::kExit) {
      return Error{ErrorKind::kLimit, last.name() + ": " + *last.error, {}};
    }
    return ok_status();
  }

  Session& session_;
  const std::vector<ListedQuery>& queries_;
  const AxisLists& lists_;
  std::size_t repetitions_;
  ChecksumLedger ledger_;
  RunOutcome outcome_;
};

}  // namespace

RunOutcome run_cells(Session& session, const std::vector<ListedQuery>& queries,
                     const AxisLists& lists, std::size_t repetitions) {
  return MatrixRun(session, queries, lists, repetitions).run();
}

}  // namespace hdbench
