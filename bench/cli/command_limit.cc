// hdbench limit: how small -w may be for each query.
#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "bench/base/json_value.h"
#include "bench/base/number_text.h"
#include "bench/base/progress.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/axis_flags.h"
#include "bench/cli/commands.h"
#include "bench/cli/kdb_flags.h"
#include "bench/model/query_check.h"
#include "bench/privileges/privileges.h"
#include "bench/report/views/figure_text.h"
#include "bench/run/kdb_limits.h"
#include "bench/run/limit_search.h"
#include "bench/run/placement_notes.h"
#include "bench/run/session.h"
#include "queries/query_file.h"

namespace hdbench::bench {
namespace {

struct LimitFlags {
  AxisFlags axes;
  KdbFlags kdb;
  std::string queries;
  std::string format = "table";
};

struct QueryLimit {
  int query = 0;
  std::uint64_t rows = 0;
  SmallestLimit smallest;
  std::optional<KdbMemory> kdb = {};
};

Result<QueryLimit> limit_of(Session& session, const ListedQuery& listed, const BoundQuery& query,
                            Setting setting, Medium& medium) {
  QueryLimit found;
  found.query = listed.id;
  std::uint64_t unlimited_peak_bytes = 0;
  {
    setting.limit_mib = 0;
    HDB_ASSIGN(const TimedRun run, session.run(query, setting, medium));
    // Without a limit only the machine itself can stop it.
    if (!run.table) {
      return Error{ErrorKind::kLimit,
                   fmt::format("{}: {}", query_label(listed.id), run.limit_message)};
    }
    found.rows = run.table->rows;
    unlimited_peak_bytes = run.peak_bytes;
  }
  const auto try_limit = [&](std::uint64_t limit_mib) -> Result<LimitTry> {
    setting.limit_mib = limit_mib;
    HDB_ASSIGN(const TimedRun run, session.run(query, setting, medium));
    return LimitTry{run.table.has_value(), run.peak_bytes};
  };
  HDB_ASSIGN(found.smallest, find_smallest_limit(unlimited_peak_bytes, try_limit));
  return found;
}

double mib(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

std::string ran_on(Session& session, const Setting& setting, const Medium& medium) {
  return fmt::format(
      "{}: {} ({}), {}, attr {}, mode {}, {}, codes {}\n", session.database().root().string(),
      medium.name(), medium.label(), word(setting.layout), word(setting.attr), word(setting.mode),
      threads_on_cpus(setting.threads, session.pools().all_threads()), word(setting.codes));
}

std::string limits_table(const std::vector<QueryLimit>& limits, const KdbSettings* kdb) {
  std::string text =
      "The least -w of each query, in MiB of hdbench's own workspace (kdb+'s -w counts other "
      "bytes";
  text +=
      kdb == nullptr ? ": --as kdb):\n" : fmt::format("), and by a model of {}:\n", kdb_name(*kdb));
  text += fmt::format("{:>5}{:>14}{:>16}{:>16}{:>16}", "query", "rows", "smallest -w MiB",
                      "peak there MiB", "1 less stops at");
  text += kdb == nullptr ? "\n" : fmt::format("{:>13}\n", "kdb+ -w MiB");
  for (const QueryLimit& limit : limits) {
    const auto& stopped = limit.smallest.stopped_at_bytes;
    text += fmt::format("{:>5}{:>14}{:>16}{:>16.1f}{:>16}", limit.query, with_commas(limit.rows),
                        limit.smallest.limit_mib, mib(limit.smallest.peak_bytes),
                        stopped ? fmt::format("{:.1f}", mib(*stopped)) : "-");
    text += limit.kdb ? fmt::format("{:>13}\n", limit.kdb->least_w_mib()) : "\n";
  }
  return text;
}

std::string limits_json(const std::vector<QueryLimit>& limits, const std::string& database,
                        const Setting& setting, const KdbSettings* kdb) {
  Json json = Json::object();
  json["database"] = database;
  json["medium"] = setting.medium;
  json["layout"] = word(setting.layout);
  json["attr"] = word(setting.attr);
  json["mode"] = word(setting.mode);
  json["threads"] = setting.threads;
  json["codes"] = word(setting.codes);
  json["limits"] = Json::array();
  for (const QueryLimit& limit : limits) {
    json["limits"].push_back({{"query", limit.query},
                              {"rows", limit.rows},
                              {"smallest_limit_mib", limit.smallest.limit_mib},
                              {"peak_workspace_bytes", limit.smallest.peak_bytes},
                              {"stopped_at_bytes", or_null(limit.smallest.stopped_at_bytes)}});
    if (limit.kdb) json["limits"].back()["kdb"] = kdb_json(*limit.kdb);
  }
  if (kdb != nullptr) json["kdb"] = kdb_name(*kdb);
  return json.dump() + "\n";
}

// Counts without a database; DB is the query's text.
Result<int> limit_what_if(const LimitFlags& flags) {
  // Of a machine that is not this one: `-s all` has none.
  HDB_ASSIGN(const Setting setting, one_setting(flags.axes, 1));
  KdbSettings settings = kdb_settings(setting);
  HDB_TRY(apply(flags.kdb, settings));
  HDB_ASSIGN(std::string text,
             what_if_text(flags.kdb, flags.axes.database, settings, flags.format == "json"));
  HDB_TRY(print_text(std::move(text)));
  return kFine;
}

// What the queries read, and a server's processes share: in the page cache, once.
std::uint64_t mapped_column_bytes(const std::vector<ListedQuery>& queries,
                                  const BoundQueries& bound, const TablePlacement& placement) {
  std::uint64_t bytes = 0;
  for (const std::string& name : tables_of(queries)) {
    NeededColumns needed(placement.table(name));
    for (const auto& [id, query] : bound) needed.add(*query.table, *query.plan);
    for (const ColumnNeed& column : column_needs(placement.table(name), needed))
      bytes += column.needed_bytes;
  }
  return bytes;
}

Result<int> limit(const FlagSet&, LimitFlags& flags) {
  HDB_TRY(check_word("--format", flags.format, {"table", "json"}));
  HDB_ASSIGN(const bool is_kdb, wants_kdb(flags.kdb));
  if (flags.kdb.what_if) return limit_what_if(flags);
  if (flags.axes.database.empty()) return usage_error("DB is missing: a kdb+ database");
  std::filesystem::path query_file = flags.queries;
  if (flags.queries.empty()) {
    HDB_ASSIGN(query_file, find_query_file("paper.q"));
  }
  resolve_media_and_tell(flags.axes);
  HDB_ASSIGN(const auto tiering, hold_tiering(flags.axes));
  HDB_TRY(give_up_set_up());
  HDB_ASSIGN(SessionOptions options, session_options(flags.axes));
  std::vector<std::string> left_out;
  HDB_ASSIGN(std::vector<ListedQuery> all,
             queries_of_file(query_file, std::nullopt, options.params, &left_out));
  HDB_ASSIGN(const std::unique_ptr<Session> session, Session::open(std::move(options)));
  HDB_ASSIGN(all, runnable_queries(std::move(all), session->database(), left_out));
  HDB_ASSIGN(const Setting setting, one_setting(flags.axes, session->pools().all_threads()));
  warn_of_threads(setting, session->pools().all_threads());
  HDB_ASSIGN(const std::unique_ptr<TablePlacement> placement,
             session->place(tables_of(all),
                            {setting.medium, setting.layout, setting.codes, setting.compressed}));
  HDB_ASSIGN(const std::vector<ListedQuery> queries, bindable_queries(all, *placement, left_out));
  for (const std::string& line : left_out) tell(fmt::format("not run: {}", line));
  HDB_ASSIGN(const BoundQueries bound, bind_all(queries, *placement));
  HDB_TRY(session->map_needed(queries, bound, *placement));
  for (const std::string& line : saving_lines(queries, bound, *placement)) {
    tell(line);
  }

  KdbSettings kdb = kdb_settings(setting, placement->medium());
  HDB_TRY(apply(flags.kdb, kdb));
  std::vector<QueryLimit> limits;
  {
    Progress progress("limit");
    for (const ListedQuery& listed : queries) {
      progress.show(limits.size(), queries.size(), query_label(listed.id));
      const BoundQuery& query = bound.at(listed.id);
      HDB_ASSIGN(QueryLimit found, limit_of(*session, listed, query, setting, placement->medium()));
      if (is_kdb) {
        HDB_ASSIGN(const KdbSteps steps,
                   measure_kdb_steps(*session, query, setting, placement->medium()));
        found.kdb = kdb_memory(query.table, *query.plan, steps, kdb);
      }
      limits.push_back(std::move(found));
    }
  }
  // Bytes that do not lie where they were promised make no answer of that medium.
  HDB_TRY(placement->medium().verify_placement());
  HDB_TRY(session->verify_results(placement->medium()));
  const KdbSettings* const shown = is_kdb ? &kdb : nullptr;
  if (flags.format == "json") {
    HDB_TRY(print_text(limits_json(limits, session->database().root().string(), setting, shown)));
    return kFine;
  }
  std::string text = ran_on(*session, setting, placement->medium()) + limits_table(limits, shown);
  if (is_kdb) {
    std::vector<KdbMemory> memories;
    for (const QueryLimit& limit : limits) memories.push_back(*limit.kdb);
    text += kdb_server_text(kdb_server(memories, flags.kdb.processes, kdb.secondary_threads,
                                       mapped_column_bytes(queries, bound, *placement)),
                            kdb);
  }
  HDB_TRY(print_text(std::move(text)));
  return kFine;
}

}  // namespace

void add_limit_command(Commands& commands) {
  auto [command, flags] =
      commands.add<LimitFlags>("limit",
                               "Find the smallest workspace (-w, hdbench's own) at which each "
                               "query completes, and where each "
                               "one stops",
                               limit);
  add_axis_flags(command, AxisForm::kSearch, flags.axes);
  command.get_option("DB").required(false);
  add_kdb_flags(command, flags.kdb);
  command.group("Settings");
  command.add_path("--queries", PathUse::kReadsFile, flags.queries,
                   "a query file; default: the paper's eleven, as printed");
  command.group("Output");
  command.add("--format", "WORD", flags.format, "table or json");
  const std::string without_data =
      "hdbench limit --what-if 'select max price by sym from trade where size>100' "
      "--table 'time:n,sym:s,price:f,size:j' --rows 1e8 --matches 1e7 --distinct 5000";
  command.examples({"hdbench limit /data/hdb",
                    "hdbench limit /data/hdb --as kdb -s 4 --processes 8", without_data,
                    "hdbench limit /data/hdb --queries mine.q -s 1",
                    "hdbench limit /data/hdb --medium dram --layout flat --format json"});
}

}  // namespace hdbench::bench
