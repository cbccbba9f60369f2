#include "bench/peers/peer_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "bench/base/progress.h"
#include "bench/model/peer_plan.h"
#include "queries/query_file.h"

namespace hdbench::bench {
namespace {

constexpr double kWarmSeconds = 1;
constexpr const char* kInstall = "bench/peers/run DB installs the peers and runs them";

CellResult make_peer_cell(const PeerStart& start, const ListedQuery& listed) {
  CellResult cell;
  cell.query = listed.id;
  cell.text = listed.query.text;
  cell.name_of_query = listed.name;
  cell.setting.medium = "dram";
  cell.setting.layout = Layout::kFlat;
  cell.setting.attr = AttrUse::kNone;
  cell.setting.threads = start.threads;
  cell.medium_label = "real (the peer's own memory)";
  cell.peer = PeerLabel{start.engine, {}, {}, {}, {}, {}, {}};
  return cell;
}

bool has_all(const std::vector<QueryEntry>& known, const std::vector<ListedQuery>& queries) {
  return std::all_of(queries.begin(), queries.end(), [&](const ListedQuery& listed) {
    return std::any_of(known.begin(), known.end(), [&](const QueryEntry& entry) {
      return entry.id == listed.id && entry.text == listed.query.text;
    });
  });
}

}  // namespace

Result<PeerOptions> peer_options(const std::string& engines, const std::string& python) {
  PeerOptions options;
  if (engines.empty()) return options;
  HDB_ASSIGN(options.engines, parse_words("--peers", engines));
  const std::vector<std::string_view> known = peer_engines();
  for (const std::string& engine : options.engines) {
    if (std::find(known.begin(), known.end(), engine) != known.end()) continue;
    return usage_error(
        fmt::format("--peers: unknown engine '{}': known are {}", engine, fmt::join(known, ", ")));
  }
  const std::filesystem::path source = HDBENCH_PEERS_DIR;
  options.script = source / "worker.py";
  options.python =
      python.empty() ? (source.parent_path().parent_path() / "build/peers-venv/bin/python").string()
                     : python;
  for (const std::string& needed : {options.python, options.script.string()}) {
    if (access(needed.c_str(), R_OK) == 0) continue;
    return usage_error(fmt::format("--peers: no {}: {}", needed, kInstall));
  }
  const char* const set = std::getenv("HDBENCH_PEERS_WARM_SECONDS");  // less, for tests
  options.warm_seconds = set == nullptr ? kWarmSeconds : std::atof(set);
  return options;
}

Result<std::filesystem::path> peer_query_file(const std::vector<ListedQuery>& queries) {
  for (const char* name : {"paper.q", "aggregates.q", "desk.q"}) {
    HDB_ASSIGN(std::filesystem::path file, find_query_file(name));
    HDB_ASSIGN(const std::vector<QueryEntry> known, read_query_file(file));
    if (has_all(known, queries)) return file;
  }
  return usage_error(
      "--peers: the peers know only the queries of paper.q, those of aggregates.q, or those of "
      "desk.q: give one of these");
}

PeerCells::PeerCells(const PeerOptions& options, const std::filesystem::path& database,
                     const std::vector<std::size_t>& threads,
                     const std::vector<ListedQuery>& queries, const std::atomic<bool>& stop,
                     std::uint64_t table_bytes)
    : queries_(queries), stop_(stop) {
  for (const std::size_t count : threads) {
    for (const std::string& engine : options.engines) {
      workers_.push_back({{options.python, options.script, engine, database, count, options.queries,
                           options.warm_seconds},
                          nullptr,
                          {engine, count, worker_bytes(engine, table_bytes), 0, 0, 0}});
      for (const ListedQuery& listed : queries) {
        cells_.push_back(make_peer_cell(workers_.back().start, listed));
      }
    }
  }
}

std::span<CellResult> PeerCells::cells_of(std::size_t turn) {
  if (workers_.empty()) return {};
  return std::span(cells_).subspan(turn * queries_.size(), queries_.size());
}

Status PeerCells::load(std::size_t turn) {
  if (workers_.empty()) return ok_status();
  Progress progress("peers");
  Started& started = workers_[turn];
  progress.show(turn, workers_.size(), "loading " + started.start.engine);
  const Status status = load_worker(started, cells_of(turn));
  if (stop_) return usage_error("interrupted");
  if (status.ok()) return ok_status();
  started.worker.reset();
  for (CellResult& cell : cells_of(turn)) fail(cell, status.error());
  return ok_status();
}

void PeerCells::end(std::size_t turn) {
  if (!workers_.empty()) workers_[turn].worker.reset();
}

void PeerCells::take(Started& started, const PeerHeld& held) {
  PeerWorkerMemory& memory = started.memory;
  memory.held_max_bytes = std::max(memory.held_max_bytes, held.held_bytes);
  memory.mapped_max_bytes = std::max(memory.mapped_max_bytes, held.mapped_bytes);
  lowest_.take(held.available_bytes);
}

std::vector<PeerWorkerMemory> PeerCells::memory() const {
  std::vector<PeerWorkerMemory> loaded;
  for (const Started& started : workers_) {
    if (started.memory.loaded_bytes != 0) loaded.push_back(started.memory);
  }
  return loaded;
}

Status PeerCells::load_worker(Started& started, std::span<CellResult> cells) {
  HDB_ASSIGN(started.worker, PeerWorker::start(started.start, stop_));
  HDB_ASSIGN(const PeerHello hello, started.worker->hello());
  started.memory.loaded_bytes = hello.memory.held_bytes;
  take(started, hello.memory);
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    PeerLabel& label = *cells[i].peer;
    label.version = hello.version;
    label.codes = hello.codes;
    label.loaded = hello.loaded;
    const auto form = hello.forms.find(queries_[i].id);
    if (form != hello.forms.end()) label.form = form->second;
    const auto startup = hello.startup_ms.find(queries_[i].id);
    if (startup != hello.startup_ms.end()) label.startup_ms = startup->second;
    const auto unread = hello.unread.find(queries_[i].id);
    if (unread != hello.unread.end()) label.unread = unread->second;
  }
  return ok_status();
}

void PeerCells::fail(CellResult& cell, const Error& error) {
  cell.error = error.message;
  cell.rows_out.reset();
  const std::string line = fmt::format("{}: {}", cell.peer->engine, error.message);
  if (std::find(left_out_.begin(), left_out_.end(), line) == left_out_.end()) {
    left_out_.push_back(line);
  }
}

void PeerCells::differ(CellResult& cell, const std::string& difference) {
  cell.error = difference;
  cell.rows_out.reset();
  differences_.push_back(fmt::format("{}: {}", cell.name(), difference));
}

Status PeerCells::verify(ChecksumLedger& ledger, std::size_t turn) {
  Progress progress("peers, compared");
  for (CellResult& cell : cells_of(turn)) {
    Started& started = workers_[turn];
    progress.show(static_cast<std::size_t>(&cell - cells_.data()), cells_.size(), cell.name());
    if (cell.error) continue;
    const Result<PeerProof> proof = started.worker->verify(cell.query);
    if (stop_) return usage_error("interrupted");
    if (!proof.ok()) {
      fail(cell, proof.error());
      continue;
    }
    take(started, proof->memory);
    cell.rows_in = proof->rows;
    if (proof->difference) {
      differ(cell, "the result differs: " + *proof->difference);
      continue;
    }
    cell.rows_out = proof->rows;
    cell.checksum = proof->checksum;
    HDB_TRY(ledger.add(cell.query, cell.name(), *cell.checksum));
  }
  return ok_status();
}

Status PeerCells::repeat(std::size_t turn) {
  for (CellResult& cell : cells_of(turn)) {
    Started& started = workers_[turn];
    if (cell.error) continue;
    const Result<PeerTime> time = started.worker->run(cell.query);
    if (stop_) return usage_error("interrupted");
    if (time.ok()) take(started, time->memory);
    if (!time.ok()) {
      fail(cell, time.error());
    } else if (time->rows != cell.rows_out) {
      differ(cell, fmt::format("{} rows, but {} before", time->rows, *cell.rows_out));
    } else {
      cell.real_ms.push_back(time->real_ms);
      cell.cpu_ms.push_back(time->cpu_ms);
    }
  }
  return ok_status();
}

Status PeerCells::same_results() const {
  if (differences_.empty()) return ok_status();
  return Error{ErrorKind::kMismatch, fmt::format("{}", fmt::join(differences_, "\n")), {}};
}

}  // namespace hdbench::bench
