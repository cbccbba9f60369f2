// hdbench run: the experiment matrix over a database, as a table and as results.json.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <set>

#include "bench/axis_flags.h"
#include "bench/ceiling_table.h"
#include "bench/commands.h"
#include "bench/expected_counts.h"
#include "bench/interrupt.h"
#include "bench/peer_cells.h"
#include "bench/peer_table.h"
#include "bench/report_error.h"
#include "bench/results_json.h"
#include "bench/run_cells.h"
#include "bench/run_table.h"
#include "bench/scaling_table.h"
#include "bench/text_sink.h"
#include "bench/version.h"
#include "bench/whole_file.h"
#include "queries/query_file.h"

namespace hdbench {
namespace {

struct RunFlags {
  AxisFlags axes;
  std::string queries;
  std::size_t repetitions = 3;
  std::string out;
  std::string peers;
  std::string peers_python;
};

RunContext context_of(const Session& session, const RunOutcome& outcome, std::size_t all_threads) {
  RunContext context;
  std::error_code error;
  context.date = fmt::format("{:%Y-%m-%dT%H:%M:%S%z}", fmt::localtime(std::time(nullptr)));
  context.executable = std::filesystem::read_symlink("/proc/self/exe", error).string();
  context.host = read_host(all_threads);
  context.version = version();
  context.commit = commit();
  context.build_type = build_type();
  context.database = session.database().root().string();
  context.partitions = session.database().partition_count();
  context.table_rows = outcome.table_rows;
  const std::string& results = session.options().result_medium;
  context.result_medium = results.empty() ? "dram (memory-mode: its own)" : results;
  context.codes_saved = outcome.codes_saved;
  context.left_out = outcome.left_out;
  context.host_floors = outcome.host_floors;
  context.ceilings = outcome.ceilings;
  context.peer_memory = outcome.peer_memory;
  context.available_before_bytes = outcome.available_before_bytes;
  context.available_lowest_bytes = outcome.available_lowest_bytes;
  context.complete = !outcome.error;
  return context;
}

// Nothing is ever written into a database.
Status check_outside(const std::filesystem::path& file, const std::filesystem::path& database) {
  std::error_code error;
  const auto inside = std::filesystem::weakly_canonical(file, error);
  const auto root = std::filesystem::weakly_canonical(database, error);
  const auto mismatch = std::mismatch(root.begin(), root.end(), inside.begin(), inside.end());
  if (mismatch.first != root.end()) return ok_status();
  return usage_error(fmt::format("--out: {} lies in the database {}: give a path outside",
                                 file.string(), root.string()));
}

// "counts: 11 of 11 as expected", or the queries that differ.
Status report_counts(const RowCounts& expected, const std::vector<CellResult>& cells,
                     std::string& text) {
  const CountCheck check = check_counts(expected, cells);
  if (check.checked == 0) return ok_status();
  text += fmt::format("counts: {} of {} as expected\n", check.as_expected, check.checked);
  if (check.differences.empty()) return ok_status();
  return Error{ErrorKind::kMismatch, fmt::format("{}", fmt::join(check.differences, "; ")), {}};
}

std::string report_text(const RunContext& context, const RunOutcome& outcome) {
  std::string text =
      run_header(context) + run_blocks(outcome.cells) +
      ceiling_blocks(outcome.cells, outcome.ceilings) +
      scaling_blocks(outcome.cells, outcome.ceilings.memory) +
      peer_blocks(outcome.cells, outcome.peer_cells,
                  outcome.peer_memory ? outcome.peer_memory->plan.scheme : PeerScheme::kTogether);
  std::set<std::string> reasons;
  for (const CellResult& cell : outcome.cells) {
    if (!cell.error || !reasons.insert(query_label(cell.query) + *cell.error).second) continue;
    text += fmt::format("0N: {}: {}\n", query_label(cell.query), *cell.error);
  }
  for (const std::string& line : outcome.codes_saved) text += line + "\n";
  for (const std::string& line : outcome.host_floors) text += fmt::format("host floor: {}\n", line);
  for (const std::string& line : outcome.left_out) text += fmt::format("not run: {}\n", line);
  return text;
}

// The peers, which are compared with dram/flat cells and know the eleven only.
Result<PeerOptions> checked_peers(const RunFlags& flags, const AxisLists& lists,
                                  const std::vector<ListedQuery>& queries) {
  HDB_ASSIGN(PeerOptions peers, peer_options(flags.peers, flags.peers_python));
  if (peers.engines.empty()) return peers;
  HDB_TRY(check_peer_queries(queries));
  if (!flags.axes.places.empty()) {
    return usage_error("--peers: they hold every column in dram: leave out --place");
  }
  const auto has = [](const auto& list, const auto& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  if (has(lists.media, "dram") && (!lists.layouts || has(*lists.layouts, Layout::kFlat))) {
    return peers;
  }
  return usage_error("--peers: they are compared with --medium dram --layout flat: add these");
}

Result<int> run(const RunFlags& flags) {
  if (flags.repetitions < 1 || flags.repetitions > 1000) {
    return usage_error(fmt::format("--reps: {} is not a number from 1 to 1000", flags.repetitions));
  }
  if (!flags.out.empty()) {
    HDB_TRY(check_outside(flags.out, flags.axes.database));
    HDB_TRY(check_writable(flags.out));
  }
  std::filesystem::path query_file = flags.queries;
  if (flags.queries.empty()) {
    HDB_ASSIGN(query_file, find_query_file("paper.q"));
  }
  HDB_ASSIGN(const std::vector<ListedQuery> queries, queries_of_file(query_file, std::nullopt));
  HDB_ASSIGN(const RowCounts expected, expected_counts(flags.axes.database, query_file));
  HDB_ASSIGN(SessionOptions options, session_options(flags.axes));
  HDB_ASSIGN(const std::unique_ptr<Session> session, Session::open(std::move(options)));
  HDB_TRY(check_tables(queries, session->database()));
  const std::size_t all_threads = session->pools().all_threads();
  HDB_ASSIGN(const AxisLists lists, axis_lists(flags.axes, all_threads));

  HDB_ASSIGN(const PeerOptions peers, checked_peers(flags, lists, queries));

  const RunOutcome outcome = run_cells(*session, queries, lists, flags.repetitions, peers);
  RunContext context = context_of(*session, outcome, all_threads);
  context.query_file = query_file.filename().string();
  context.repetitions = flags.repetitions;
  if (!flags.out.empty()) {
    std::vector<CellResult> cells = outcome.cells;
    cells.insert(cells.end(), outcome.peer_cells.begin(), outcome.peer_cells.end());
    HDB_TRY(write_whole_file(flags.out, results_json(context, cells)));
  }
  if (outcome.cells.empty()) {
    if (outcome.error) return *outcome.error;
    return data_error(fmt::format("no cell of the matrix can be run here: {}",
                                  fmt::join(outcome.left_out, "; ")));
  }
  TextSink sink = standard_output();
  sink.text() = report_text(context, outcome);
  const Status counts = report_counts(expected, outcome.cells, sink.text());
  HDB_TRY(sink.finish());
  if (outcome.error) return *outcome.error;
  if (!counts.ok()) return counts.error();
  return kFine;
}

}  // namespace

void add_run_command(CLI::App& app, ChosenCommand& chosen) {
  CLI::App* command = app.add_subcommand(
      "run", "Run the experiment: every query under every setting of the axes, timed and compared");
  const auto flags = std::make_shared<RunFlags>();
  add_axis_flags(*command, AxisForm::kLists, flags->axes);
  command
      ->add_option("--queries", flags->queries,
                   "a query file; default: the paper's eleven, as printed")
      ->type_name("FILE");
  command
      ->add_option("--reps", flags->repetitions,
                   "repetitions of each cell; its figure is their median")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--out", flags->out, "write results.json here (Google Benchmark's shape)")
      ->type_name("FILE");
  command
      ->add_option("--peers", flags->peers,
                   "other engines in the same run: of duckdb, polars, chdb, datafusion (see "
                   "bench/peers/run)")
      ->type_name("LIST");
  command
      ->add_option("--peers-python", flags->peers_python,
                   "the Python that has them; default: build/peers-venv's")
      ->type_name("FILE");
  command->callback([flags, &chosen] {
    chosen = [flags] {
      const Result<int> status = run(*flags);
      return status.ok() ? *status : report_error(status.error());
    };
  });
}

}  // namespace hdbench
