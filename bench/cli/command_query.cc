// hdbench query: runs queries over a database and prints what they return.
#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "bench/base/interrupt.h"
#include "bench/base/number_text.h"
#include "bench/base/report_error.h"
#include "bench/cli/axis_flags.h"
#include "bench/cli/commands.h"
#include "bench/cli/kdb_flags.h"
#include "bench/model/query_check.h"
#include "bench/model/query_list.h"
#include "bench/privileges/privileges.h"
#include "bench/query_output/query_output.h"
#include "bench/ranks/rank_job.h"
#include "bench/run/kdb_limits.h"
#include "bench/run/memory_figures.h"
#include "bench/run/placement_notes.h"
#include "bench/run/rank_commands.h"
#include "bench/run/session.h"
#include "engine/exec/explain.h"

namespace hdbench::bench {
namespace {

struct QueryFlags {
  AxisFlags axes;
  std::string text;
  std::string file;
  std::string check;
  std::optional<int> id;
  std::string format = "table";
  bool rows_only = false;
  bool all_rows = false;
  bool whole_lines = false;
  bool explain = false;
  bool memory = false;
  std::string as = "hdbench";
};

Result<std::vector<ListedQuery>> listed_queries(const QueryFlags& flags,
                                                std::vector<std::string>& left_out) {
  if (flags.text.empty() == flags.file.empty()) {
    return usage_error("query: give either a query text or --file");
  }
  if (!flags.text.empty() && flags.id) return usage_error("--id: only with --file");
  HDB_ASSIGN(const QueryParams params, read_query_params(flags.axes.params));
  return flags.file.empty() ? one_query(flags.text, params)
                            : queries_of_file(flags.file, flags.id, params, &left_out);
}

class QueryCommand {
 public:
  QueryCommand(const QueryFlags& flags, std::vector<ListedQuery>& queries, Session& session,
               const Setting& setting, const OutputOptions& output)
      : flags_(flags),
        queries_(queries),
        session_(session),
        setting_(setting),
        output_(output),
        prepares_cache_(!flags.axes.words.at("cache").empty()),
        sink_(standard_output(&interrupted(), output.format == OutputFormat::kCsv
                                                  ? Content::kData
                                                  : Content::kText)) {}

  // `left_out`: queries of a file that cannot be run, a line each.
  Result<int> run(std::vector<std::string> left_out) {
    if (flags_.file.empty()) {
      HDB_TRY(require_tables(queries_, session_.database()));
    } else {
      HDB_ASSIGN(queries_,
                 runnable_queries(std::move(queries_), session_.database(), left_out,
                                  flags_.explain ? Unreadable::kNamed : Unreadable::kError));
    }
    for (const std::string& line : left_out) tell(fmt::format("not run: {}", line));
    // What is only explained or counted is not copied into a medium, nor unpacked before.
    const bool is_counted = flags_.as == "kdb";
    const bool is_run = !flags_.explain && !is_counted;
    const std::string& medium =
        !is_run && setting_.layout == Layout::kPartitioned ? "nvme" : setting_.medium;
    const Compressed compressed = is_counted ? Compressed::kAsStored : setting_.compressed;
    HDB_ASSIGN(placement_, session_.place(tables_of(queries_),
                                          {medium, setting_.layout, setting_.codes, compressed}));
    if (setting_.prefetch == Prefetch::kOn && !placement_->medium().has_cache()) {
      return usage_error(
          fmt::format("--prefetch: {} has no device behind it to read ahead from", medium));
    }
    HDB_ASSIGN(bound_, bind_all(queries_, *placement_,
                                flags_.explain ? Unreadable::kNamed : Unreadable::kError));
    const bool narrows = setting_.codes == Codes::kNarrow;
    const bool copies = !placement_->medium().has_cache();
    if (is_run && (narrows || copies || prepares_cache_)) {
      HDB_TRY(session_.map_needed(queries_, bound_, *placement_));
    } else if (is_run) {
      HDB_TRY(session_.announce(bound_));
    }
    for (const std::string& line : saving_lines(queries_, bound_, *placement_)) {
      tell(line);
    }
    for (const ListedQuery& listed : queries_) {
      if (!flags_.file.empty()) tell(query_label(listed.id));
      HDB_ASSIGN(const bool goes_on, flags_.explain ? explain_one(listed)
                                     : is_counted   ? count_one(listed)
                                                    : run_one(listed));
      HDB_TRY(sink_.finish());
      if (interrupted()) return kInterruptedStatus;
      if (!goes_on) return kLimitStatus;
    }
    if (unreadable_) return *unreadable_;
    if (is_run) HDB_TRY(verify_placement());
    return kFine;
  }

 private:
  std::optional<int> id_of(const ListedQuery& listed) const {
    return flags_.file.empty() ? std::nullopt : std::optional<int>(listed.id);
  }

  Result<bool> explain_one(const ListedQuery& listed) {
    ExecuteSettings settings;
    settings.mode = setting_.mode;
    settings.use_index = setting_.attr == AttrUse::kParted;
    const Explanation explanation =
        explain(*bound_.at(listed.id).table, *bound_.at(listed.id).plan, settings);
    show_explanation(explanation, id_of(listed), output_.format, sink_);
    if (explanation.error && !unreadable_) unreadable_ = error_in(listed, *explanation.error);
    if (!explanation.error && flags_.memory) HDB_TRY(explain_kdb_memory(bound_.at(listed.id)));
    return true;
  }

  // The rows, of which none is made, or 0N where kdb+ would need more than -w by the model. False:
  // that ends the program.
  Result<bool> count_one(const ListedQuery& listed) {
    const BoundQuery& query = bound_.at(listed.id);
    HDB_ASSIGN(const KdbSteps steps,
               measure_kdb_steps(session_, query, setting_, placement_->medium()));
    KdbSettings settings = kdb_settings(setting_, placement_->medium());
    settings.as_plain = setting_.compressed == Compressed::kUnpacked;
    const KdbMemory memory = kdb_memory(query.table, *query.plan, steps, settings);
    const bool fits = setting_.limit_mib == 0 || memory.least_w_mib() <= setting_.limit_mib;
    show_count(fits ? std::optional(steps.rows) : std::nullopt, id_of(listed), output_.format,
               sink_);
    tell(fmt::format("{}{} (a model): least -w {} MiB", fits ? "" : "-w abort: ",
                     kdb_name(settings), with_commas(memory.least_w_mib())));
    return fits || flags_.axes.on_limit != "exit";
  }

  // What kdb+ would hold: the rows at each step are counted.
  Status explain_kdb_memory(const BoundQuery& query) {
    HDB_ASSIGN(const KdbSteps steps,
               measure_kdb_steps(session_, query, setting_, placement_->medium()));
    const KdbSettings settings = kdb_settings(setting_, placement_->medium());
    const KdbMemory memory = kdb_memory(query.table, *query.plan, steps, settings);
    if (output_.format == OutputFormat::kJson)
      sink_.text() += Json{{"kdb_memory", kdb_json(memory)}}.dump() + "\n";
    else
      sink_.text() += kdb_trace_text(memory, settings);
    return ok_status();
  }

  // False: the limit was reached and ends the program.
  Result<bool> run_one(const ListedQuery& listed) {
    const BoundQuery& bound = bound_.at(listed.id);
    if (prepares_cache_) {
      HDB_ASSIGN(const CacheProof proof, session_.prepare(*placement_, setting_.cache));
      tell(fmt::format("{}: {} of {} bytes resident before", word(setting_.cache),
                       proof.bytes_resident, proof.bytes_total));
    }
    HDB_ASSIGN(const TimedRun run, session_.run(bound, setting_, placement_->medium()));
    show_result(run, id_of(listed), output_, sink_);
    HDB_TRY(sink_.finish());
    if (flags_.memory) show_memory(run, *bound.table);
    if (!run.table) {
      constexpr double kMib = 1 << 20;
      tell(fmt::format("hdbench: {} (peak {:.1f} MiB)", run.limit_message,
                       static_cast<double>(run.peak_bytes) / kMib));
      return flags_.axes.on_limit != "exit";
    }
    for (const ResultColumn& column : run.table->columns) {
      if (column.wrapped == 0) continue;
      tell(fmt::format("{}: {} of its sums wrapped at 32 bits, as q's do", column.name,
                       with_commas(column.wrapped)));
    }
    if (output_.format == OutputFormat::kTable && !output_.rows_only) {
      const Medium& medium = placement_->medium();
      const Medium& results = session_.result_medium_of(placement_->medium());
      const bool is_named = results.emulated() && &results != &medium;
      tell(fmt::format("{} row{}, {} ms, {}: {}{}{}", with_commas(run.table->rows),
                       run.table->rows == 1 ? "" : "s", format_ms(run.real_ms), medium.name(),
                       medium.label(), is_named ? "; results: " + results.label() : "",
                       spilled_text(run)));
    }
    return true;
  }

  std::string spilled_text(const TimedRun& run) const {
    if (run.spilled_bytes == 0) return {};
    const Medium* const spill = session_.spill_medium_of(placement_->medium());
    return fmt::format("; beyond -w: {} on {}", bytes_text(run.spilled_bytes),
                       spill != nullptr ? spill->label() : "a disk");
  }

  // After the last query: bytes that do not lie where they were promised make no answer of that
  // medium.
  Status verify_placement() {
    HDB_ASSIGN(const PlacementProof columns, placement_->medium().verify_placement());
    HDB_ASSIGN(const PlacementProof results, session_.verify_results(placement_->medium()));
    HDB_ASSIGN(const auto spill, session_.verify_spill(placement_->medium()));
    if (!prepares_cache_) return ok_status();
    tell(fmt::format("placed: {}\nresults: {}", describe(columns), describe(results)));
    if (spill) tell("beyond -w: " + describe(*spill));
    return ok_status();
  }

  void show_memory(const TimedRun& run, const Table& table) const {
    MemoryFigures figures;
    figures.used = run.used_bytes;
    figures.heap = run.used_bytes;
    figures.peak = run.peak_bytes;
    figures.wmax = session_.limit_bytes(setting_, placement_->medium());
    add_surroundings(figures, table, session_.database().root());
    std::string text = to_text(figures);
    text.pop_back();
    tell(text);
  }

  const QueryFlags& flags_;
  std::vector<ListedQuery>& queries_;
  Session& session_;
  const Setting& setting_;
  const OutputOptions& output_;
  const bool prepares_cache_;  // without --cache it is as the last query left it
  TextSink sink_;
  std::unique_ptr<TablePlacement> placement_;
  BoundQueries bound_;
  std::optional<Error> unreadable_;  // of the first query that was explained and cannot be run
};

// The first error of each query of a file; with a database, of its tables and columns too.
Result<int> check_file(const QueryFlags& flags) {
  if (!flags.text.empty() || !flags.file.empty()) {
    return usage_error("--check: nothing is run: leave out the query text and --file");
  }
  std::shared_ptr<Database> database;
  if (!flags.axes.database.empty()) {
    HDB_ASSIGN(database, Database::open(flags.axes.database));
  }
  HDB_ASSIGN(const QueryCheck check, check_queries(flags.check, database.get()));
  std::string found;
  for (const std::string& error : check.errors) found += error + "\n";
  if (check.errors.empty()) {
    found += fmt::format(
        "{}: {} quer{}, no error{}\n", flags.check, check.queries, check.queries == 1 ? "y" : "ies",
        database ? "" : " of syntax; with DB before --check tables, columns and types are checked");
  }
  HDB_TRY(print_text(found));
  if (check.errors.empty()) return kFine;
  return usage_error(fmt::format("{}: {} in {} quer{}", flags.check,
                                 counted(check.errors.size(), "error"), check.queries,
                                 check.queries == 1 ? "y" : "ies"));
}

Status check_as(const QueryFlags& flags) {
  HDB_TRY(check_word("--as", flags.as, {"hdbench", "kdb"}));
  if (flags.as == "hdbench") return ok_status();
  if (!flags.rows_only || flags.explain || flags.memory) {
    return usage_error(
        "--as kdb: rows are counted and none is made: only with --rows-only, and not with "
        "--explain or --memory");
  }
  if (flags.axes.on_limit.starts_with("spill") || !flags.axes.words.at("cache").empty())
    return usage_error("--as kdb: not with --on-limit spill or --cache: nothing is run in time");
  return ok_status();
}

Result<int> query(const FlagSet&, QueryFlags& flags) {
  if (!flags.check.empty()) return check_file(flags);
  if (flags.axes.database.empty()) return usage_error("DB is missing: a kdb+ database");
  HDB_TRY(check_as(flags));
  OutputOptions output;
  HDB_ASSIGN(output.format, parse_format(flags.format));
  output.rows_only = flags.rows_only;
  output.all_rows = flags.all_rows;
  // A pipe or a file gets whole lines.
  output.columns_max = flags.whole_lines ? 0 : terminal_columns();
  std::vector<std::string> left_out;
  HDB_ASSIGN(std::vector<ListedQuery> queries, listed_queries(flags, left_out));
  resolve_media_and_tell(flags.axes);
  HDB_ASSIGN(const auto tiering, hold_tiering(flags.axes));
  HDB_TRY(give_up_set_up());
  HDB_TRY(search_interleaves(flags.axes, queries));
  HDB_ASSIGN(SessionOptions options, session_options(flags.axes));
  if (options.job != nullptr) options.queries_hash = hash_of(queries);
  HDB_ASSIGN(const std::unique_ptr<Session> session, Session::open(std::move(options)));
  SharedPartitions* const ranks = session->ranks();
  if (ranks != nullptr && ranks->rank() != 0) {
    HDB_TRY(serve_rank_0({{*session, queries}}));
    return kFine;
  }
  if (ranks != nullptr && (flags.as == "kdb" || (flags.explain && flags.memory)))
    return usage_error("--as kdb, --explain --memory: in one process alone");
  HDB_ASSIGN(const Setting setting, one_setting(flags.axes, session->pools().all_threads()));
  warn_of_threads(setting, session->pools().all_threads());
  return QueryCommand(flags, queries, *session, setting, output).run(std::move(left_out));
}

}  // namespace

void add_query_command(Commands& commands) {
  auto [command, flags] = commands.add<QueryFlags>(
      "query", "Run a query, or a file of them, and print what it returns", query);
  add_axis_flags(command, AxisForm::kOne, flags.axes);
  command.get_option("DB").required(false);
  command.group("Queries");
  command.add("TEXT", "", flags.text, "a q-SQL query: 'select ... by ... from ... where ...'");
  command.add_path("--file", PathUse::kReadsFile, flags.file,
                   "run the queries of this file, one after another");
  command.add_path("--check", PathUse::kReadsFile, flags.check,
                   "print the first error of each query of this file with what would do instead; "
                   "nothing is run. "
                   "With DB, tables, columns and types are checked too");
  command.add("--id", "N", flags.id, "only this query of the file");
  command.group("Output");
  command.add("--format", "WORD", flags.format,
              "table (the first 20 rows), csv (as q's `csv 0:`) or json");
  command.add_flag("--rows-only", flags.rows_only, "the number of rows, not the rows");
  command.add(
      "--as", "WORD", flags.as,
      "with --rows-only, whose -w: hdbench (a query is run under it) or kdb (rows are counted "
      "and none is made; 0N where kdb+ would need more by a model: docs/kdb-memory.md)");
  command.add_flag("--all-rows", flags.all_rows, "every row of a table");
  command.add_flag("-c", flags.whole_lines,
                   "whole lines of a table on a terminal too; default: cut at its width with `..`, "
                   "as q does");
  command.add_flag("--explain", flags.explain, "what the query would read; nothing is run");
  command.add_flag("--memory", flags.memory,
                   "q's .Q.w[] after each query, on standard error; with --explain the blocks that "
                   "kdb+ would hold, by a model: rows are counted for that");
  command.examples(
      {"hdbench query /data/hdb 'select last price by sym from trade where date=2024.01.02'",
       "hdbench query /data/hdb --file mine.q --format csv",
       "hdbench query /data/hdb --check mine.q",
       "hdbench query /data/hdb 'select max bid by sym from quote' --explain",
       "mpirun -n 2 --host a,b hdbench query /data/hdb --file mine.q --medium dram"});
}

}  // namespace hdbench::bench
