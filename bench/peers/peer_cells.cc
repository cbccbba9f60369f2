#include "bench/peers/peer_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "bench/base/progress.h"
#include "queries/query_file.h"

namespace hdbench {
namespace {

constexpr const char* kInstall = "bench/peers/run DB installs the peers and runs them";

CellResult make_cell(const PeerStart& start, const ListedQuery& listed) {
  CellResult cell;
  cell.query = listed.id;
  cell.text = listed.query.text();
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
      return entry.id == listed.id && entry.text == listed.query.text();
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
  return options;
}

Result<std::filesystem::path> peer_query_file(const std::vector<ListedQuery>& queries) {
  for (const char* name : {"paper.q", "aggregates.q"}) {
    HDB_ASSIGN(std::filesystem::path file, find_query_file(name));
    HDB_ASSIGN(const std::vector<QueryEntry> known, read_query_file(file));
    if (has_all(known, queries)) return file;
  }
  return usage_error(
      "--peers: the peers know only the queries of paper.q, or those of aggregates.q: give one of "
      "these");
}

PeerCells::PeerCells(const PeerOptions& options, const std::filesystem::path& database,
                     const std::vector<std::size_t>& threads,
                     const std::vector<ListedQuery>& queries, const std::atomic<bool>& stop,
                     PeerScheme scheme)
    : queries_(queries), stop_(stop), scheme_(scheme) {
  for (const std::size_t count : threads) {
    for (const std::string& engine : options.engines) {
      workers_.push_back(
          {{options.python, options.script, engine, database, count, options.queries},
           nullptr,
           {engine, count, 0, 0, 0}});
      for (const ListedQuery& listed : queries) {
        cells_.push_back(make_cell(workers_.back().start, listed));
      }
    }
  }
}

std::size_t PeerCells::block_count() const {
  return scheme_ == PeerScheme::kTogether ? 1 : std::max<std::size_t>(1, workers_.size());
}

PeerCells::Block PeerCells::block_at(std::size_t block) const {
  if (scheme_ == PeerScheme::kTogether) return {0, workers_.size()};
  return {block, std::min(block + 1, workers_.size())};
}

Status PeerCells::load(std::size_t block) {
  Progress progress("peers");
  const Block workers = block_at(block);
  for (std::size_t i = workers.first; i < workers.last; ++i) {
    Started& started = workers_[i];
    progress.show(i, workers_.size(), "loading " + started.start.engine);
    const Status status = load_worker(started, i * queries_.size());
    if (stop_) return usage_error("interrupted");
    if (status.ok()) continue;
    started.worker.reset();
    for (std::size_t j = 0; j < queries_.size(); ++j) {
      fail(cells_[i * queries_.size() + j], status.error());
    }
  }
  return ok_status();
}

void PeerCells::end(std::size_t block) {
  const Block workers = block_at(block);
  for (std::size_t i = workers.first; i < workers.last; ++i) workers_[i].worker.reset();
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

Status PeerCells::load_worker(Started& started, std::size_t first_cell) {
  HDB_ASSIGN(started.worker, PeerWorker::start(started.start, stop_));
  HDB_ASSIGN(const PeerHello hello, started.worker->hello());
  started.memory.loaded_bytes = hello.memory.held_bytes;
  take(started, hello.memory);
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    PeerLabel& label = *cells_[first_cell + i].peer;
    label.version = hello.version;
    label.codes = hello.codes;
    label.loaded = hello.loaded;
    const auto form = hello.forms.find(queries_[i].id);
    if (form != hello.forms.end()) label.form = form->second;
    const auto floor = hello.floors.find(queries_[i].id);
    if (floor != hello.floors.end()) label.floor_ms = floor->second;
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

Status PeerCells::verify(ChecksumLedger& ledger, std::size_t block) {
  Progress progress("peers, compared");
  const Block workers = block_at(block);
  for (std::size_t i = workers.first * queries_.size(); i < workers.last * queries_.size(); ++i) {
    CellResult& cell = cells_[i];
    progress.show(i, cells_.size(), cell.name());
    if (cell.error) continue;
    const Result<PeerProof> proof = worker_of(i).worker->verify(cell.query);
    if (stop_) return usage_error("interrupted");
    if (!proof.ok()) {
      fail(cell, proof.error());
      continue;
    }
    take(worker_of(i), proof->memory);
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

Status PeerCells::repeat(std::size_t block) {
  const Block workers = block_at(block);
  for (std::size_t i = workers.first * queries_.size(); i < workers.last * queries_.size(); ++i) {
    CellResult& cell = cells_[i];
    if (cell.error) continue;
    const Result<PeerTime> time = worker_of(i).worker->run(cell.query);
    if (stop_) return usage_error("interrupted");
    if (time.ok()) take(worker_of(i), time->memory);
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

}  // namespace hdbench
